export { ControlError } from "./error.ts";
export { timeOf } from "./fields.ts";
