export { assertSchema, createAjv, createValidator, sharedAjv, type Validator } from "./validator.ts";
