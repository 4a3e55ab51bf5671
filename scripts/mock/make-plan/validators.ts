/** Compiles the schemas of a document with Ajv, on demand in memory or to self-contained code. */
import { Ajv2020, type Options } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import addFormats from "ajv-formats";
import type { OpenApiDocument, SourceLocation } from "../../contract/model/index.ts";
import type { Validator } from "../plan/plan.ts";

const documentKey = "contract";

const common: Options = { strict: false, logger: false, validateSchema: false, code: { source: true } };

interface Kind {
  ajv: Ajv2020;
  prefix: string;
  names: Map<string, string>;
}

export class Validators {
  // For parameters: Ajv converts the text to the type of the schema.
  readonly #parameters: Kind;
  // For request bodies: refuses the number 1e400, which JSON.parse turns into Infinity.
  readonly #bodies: Kind;
  // For responses of the mock: reports only the first error, and compiles shared schemas once.
  readonly #responses: Kind;

  // For bodies of the control interface, whose schemas have no references.
  readonly #control: Kind;

  constructor(document: OpenApiDocument) {
    this.#control = kindOf("c", undefined, { allErrors: true, strictNumbers: true });
    this.#parameters = kindOf("p", document, { allErrors: true, coerceTypes: true });
    this.#bodies = kindOf("b", document, { allErrors: true, strictNumbers: true });
    this.#responses = kindOf("a", document, { strictNumbers: true, inlineRefs: false });
  }

  parameter(schema: SourceLocation): string {
    return add(this.#parameters, schema);
  }

  requestBody(schema: SourceLocation): string {
    return add(this.#bodies, schema);
  }

  response(schema: SourceLocation): string {
    return add(this.#responses, schema);
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

  code(): string[] {
    return this.#kinds.map(({ ajv, names }) =>
      toCode(ajv, Object.fromEntries([...names.values()].map((name) => [name, name]))),
    );
  }

  get #kinds(): Kind[] {
    return [this.#parameters, this.#bodies, this.#responses, this.#control];
  }
}

// Both packages are CommonJS; the namespace object has the function as `default`.
const toCode = (standalone as unknown as { default: typeof standalone.default }).default;
const withFormats = (addFormats as unknown as { default: typeof addFormats.default }).default;

function kindOf(prefix: string, document: OpenApiDocument | undefined, options: Options): Kind {
  const ajv = new Ajv2020({ ...common, ...options });
  withFormats(ajv);
  if (document !== undefined) ajv.addSchema(JSON.parse(JSON.stringify(document, withoutTexts)), documentKey);
  return { ajv, prefix, names: new Map() };
}

/** A JSON replacer that removes keywords without effect on validity, because Ajv embeds whole schemas in its code. */
function withoutTexts(key: string, value: unknown): unknown {
  return key.startsWith("x-") || (["title", "description"].includes(key) && typeof value === "string")
    ? undefined
    : value;
}

function add({ ajv, prefix, names }: Kind, { value, pointer }: SourceLocation): string {
  const text = JSON.stringify(value);
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `${prefix}${names.size}`;
  const fragment = pointer.slice(2).split("/").map(encodeURIComponent).join("/");
  ajv.addSchema({ $ref: `${documentKey}#/${fragment}` }, name);
  names.set(text, name);
  return name;
}
