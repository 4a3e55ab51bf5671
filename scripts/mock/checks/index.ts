/** What other rooms use of the checks of options. */
export { ControlError } from "./error.ts";
export { timeOf } from "./fields.ts";
