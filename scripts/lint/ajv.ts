/** Ajv as lint uses it. */
import { Ajv2020, type Options } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** An Ajv for JSON Schema 2020-12: strict mode, formats checked, all errors. */
export function createAjv(options: Options = {}): Ajv2020 {
  // strictTypes and strictRequired demand in each schema what, with allOf, another one states.
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    verbose: true,
    inlineRefs: false,
    ...options,
  });
  addFormats.default(ajv);
  return ajv;
}

/** Shared by all lints of a process, since compiling the metaschema takes longer than all else. */
export const sharedAjv: Ajv2020 = createAjv();

/** What a function returns, or the error that it throws. */
export function attempt<Result>(run: () => Result): Result | Error {
  try {
    return run();
  } catch (error) {
    return error as Error;
  }
}
