/** The checks of options that other folders use. */
export { ControlError } from "./error.ts";
export { timeOf } from "./fields.ts";
