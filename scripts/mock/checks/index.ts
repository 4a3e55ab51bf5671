export { ControlError } from "./error.ts";
export { readTime } from "./fields.ts";
