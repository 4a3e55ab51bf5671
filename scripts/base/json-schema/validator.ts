import { Ajv2020, type ErrorObject, type Options } from "ajv/dist/2020.js";
import { compileSchema, SchemaEnv } from "ajv/dist/compile/index.js";
import addFormats from "ajv-formats";
import { essentialErrors } from "./essential-errors.ts";

export function createAjv(options: Options = {}): Ajv2020 {
  // strictTypes and strictRequired are off: with them, each branch of an `allOf` would have to repeat keywords of the others.
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    verbose: true,
    inlineRefs: false,
    // Each compiled function validates few values, so optimizing its code takes longer than it saves.
    code: { optimize: false },
    ...options,
  });
  addFormats.default(ajv);
  return ajv;
}

/** Shared by all lint runs of a process, because compiling the metaschema is slow. */
export const sharedAjv: Ajv2020 = createAjv();

/** Returns the errors of a value: {@link essentialErrors}. */
export type Validator = (value: unknown) => ErrorObject[];

/** @throws {Error} if the schema does not compile. */
export function createValidator(schema: unknown, ajv: Ajv2020 = createAjv({ validateSchema: false })): Validator {
  const validate = ajv.compile(assertSchema(schema));
  const { root, baseId = "" } = validate.schemaEnv;
  // A branch is compiled as a part of the schema, because its references can be relative to the schema.
  const branchErrorsOf = (branch: object | boolean, value: unknown) => {
    const environment = new SchemaEnv({ schema: branch, schemaId: "$id", root, baseId });
    const { validate: validateBranch } = compileSchema.call(ajv, environment);
    return validateBranch?.(value) ? [] : (validateBranch?.errors ?? []);
  };
  return (value) => (validate(value) ? [] : essentialErrors(validate.errors ?? [], branchErrorsOf));
}

/** @throws {Error} if the schema does not fit the metaschema. Then Ajv compiles it without `validateSchema`. */
export function assertSchema(schema: unknown): object {
  if (sharedAjv.validateSchema(schema as object)) return schema as object;
  throw new Error(sharedAjv.errorsText(sharedAjv.errors, { dataVar: "it" }));
}
