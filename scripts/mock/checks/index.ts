/** The checks of options that other rooms use. */
export { ControlError } from "./error.ts";
export { timeOf } from "./fields.ts";
