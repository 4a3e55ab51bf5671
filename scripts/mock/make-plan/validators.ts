/** Schemas are compiled in memory when they are first used, or to the code of modules. */
import { Ajv2020, type Options } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import addFormats from "ajv-formats";
import type { OpenApiDocument, SourceLocation } from "../../contract/model/index.ts";
import type { Validator } from "../plan/plan.ts";

const documentKey = "contract";

const commonOptions: Options = { strict: false, logger: false, validateSchema: false, code: { source: true } };

interface ValidatorKind {
  ajv: Ajv2020;
  prefix: string;
  names: Map<string, string>;
}

export class Validators {
  // For parameters: Ajv converts texts to the type of the schema.
  readonly #parameters: ValidatorKind;
  // For request bodies: Ajv refuses the number 1e400, which JSON.parse turns into Infinity.
  readonly #bodies: ValidatorKind;
  // For responses and events of the mock: Ajv reports only the first error, and compiles shared schemas once.
  readonly #responses: ValidatorKind;

  // For bodies of the control interface, whose schemas have no references.
  readonly #control: ValidatorKind;

  constructor(document: OpenApiDocument) {
    this.#control = makeKind("c", undefined, { allErrors: true, strictNumbers: true });
    this.#parameters = makeKind("p", document, { allErrors: true, coerceTypes: true });
    this.#bodies = makeKind("b", document, { allErrors: true, strictNumbers: true });
    this.#responses = makeKind("a", document, { strictNumbers: true, inlineRefs: false });
  }

  parameter(schema: SourceLocation): string {
    return addSchema(this.#parameters, schema);
  }

  requestBody(schema: SourceLocation): string {
    return addSchema(this.#bodies, schema);
  }

  response(schema: SourceLocation): string {
    return addSchema(this.#responses, schema);
  }

  controlBody(schema: object): string {
    const { ajv, prefix, names } = this.#control;
    const name = `${prefix}${names.size}`;
    ajv.addSchema(schema, name);
    names.set(name, name);
    return name;
  }

  get(name: string): Validator {
    const kind = this.#kinds.find(({ prefix }) => name.startsWith(prefix));
    if (kind === undefined) return () => true;
    const validator: Validator = (value) => {
      const validate = kind.ajv.getSchema(name);
      const isValid = validate?.(value) === true;
      validator.errors = validate?.errors ?? null;
      return isValid;
    };
    return validator;
  }

  toModules(): string[] {
    return this.#kinds.map(({ ajv, names }) =>
      toCode(ajv, Object.fromEntries([...names.values()].map((name) => [name, name]))),
    );
  }

  get #kinds(): ValidatorKind[] {
    return [this.#parameters, this.#bodies, this.#responses, this.#control];
  }
}

// Both packages are CommonJS modules, so the function is the member `default` of the imported object.
const toCode = (standalone as unknown as { default: typeof standalone.default }).default;
const withFormats = (addFormats as unknown as { default: typeof addFormats.default }).default;

function makeKind(prefix: string, document: OpenApiDocument | undefined, options: Options): ValidatorKind {
  const ajv = new Ajv2020({ ...commonOptions, ...options });
  withFormats(ajv);
  if (document !== undefined) ajv.addSchema(JSON.parse(JSON.stringify(document, omitTexts)), documentKey);
  return { ajv, prefix, names: new Map() };
}

/** A JSON replacer. Ajv embeds whole schemas in its code, so keywords without effect on validity are removed. */
function omitTexts(key: string, value: unknown): unknown {
  return key.startsWith("x-") || (["title", "description"].includes(key) && typeof value === "string")
    ? undefined
    : value;
}

function addSchema({ ajv, prefix, names }: ValidatorKind, { value, pointer }: SourceLocation): string {
  const text = JSON.stringify(value);
  const existingName = names.get(text);
  if (existingName !== undefined) return existingName;
  const name = `${prefix}${names.size}`;
  const fragment = pointer.slice(2).split("/").map(encodeURIComponent).join("/");
  ajv.addSchema({ $ref: `${documentKey}#/${fragment}` }, name);
  names.set(text, name);
  return name;
}
