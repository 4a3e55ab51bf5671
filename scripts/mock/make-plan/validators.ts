/** Compiles the schemas of a document: in the memory when they are needed, or to code that needs nothing when it runs. */
import { Ajv2020, type Options } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import addFormats from "ajv-formats";
import type { OpenApiDocument, Place } from "../../contract/model/index.ts";
import type { Validator } from "../plan/plan.ts";

const documentKey = "contract";

const common: Options = { strict: false, logger: false, validateSchema: false, code: { source: true } };

/** One kind of schemas: those with the same options. */
interface Kind {
  ajv: Ajv2020;
  prefix: string;
  /** Names of validators by the text of their schema. */
  names: Map<string, string>;
}

/** Names the schemas of a document that the mock needs, and compiles them. */
export class Validators {
  // The text of a parameter stands for the value that its schema wants.
  readonly #parameters: Kind;
  // 1e400, which JSON.parse makes Infinity, is no number.
  readonly #bodies: Kind;
  // The mock's own responses: the first mistake is enough, and a schema that many use is compiled once.
  readonly #responses: Kind;

  // Those of the control interface stand on their own.
  readonly #control: Kind;

  constructor(document: OpenApiDocument) {
    this.#control = kindOf("c", undefined, { allErrors: true, strictNumbers: true });
    this.#parameters = kindOf("p", document, { allErrors: true, coerceTypes: true });
    this.#bodies = kindOf("b", document, { allErrors: true, strictNumbers: true });
    this.#responses = kindOf("a", document, { strictNumbers: true, inlineRefs: false });
  }

  /** The name of the validator of a parameter, which is given its text. */
  parameter(schema: Place): string {
    return add(this.#parameters, schema);
  }

  /** The name of the validator of the body of a request. */
  requestBody(schema: Place): string {
    return add(this.#bodies, schema);
  }

  /** The name of the validator of the body of a response or a webhook. */
  response(schema: Place): string {
    return add(this.#responses, schema);
  }

  /** The name of the validator of the body of a request to the control interface, whose schema has no references. */
  controlBody(schema: object): string {
    const { ajv, prefix, names } = this.#control;
    const name = `${prefix}${names.size}`;
    ajv.addSchema(schema, name);
    names.set(name, name);
    return name;
  }

  /** The validator with a name, which compiles its schema when it is called for the first time. */
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

  /** The code of all validators so far: CommonJS modules that export them by name. */
  code(): string[] {
    return this.#kinds.map(({ ajv, names }) =>
      toCode(ajv, Object.fromEntries([...names.values()].map((name) => [name, name]))),
    );
  }

  get #kinds(): Kind[] {
    return [this.#parameters, this.#bodies, this.#responses, this.#control];
  }
}

// The modules are CommonJS, whose default export is the function or holds it.
const toCode = (standalone as unknown as { default: typeof standalone.default }).default;
const withFormats = (addFormats as unknown as { default: typeof addFormats.default }).default;

function kindOf(prefix: string, document: OpenApiDocument | undefined, options: Options): Kind {
  const ajv = new Ajv2020({ ...common, ...options });
  withFormats(ajv);
  if (document !== undefined) ajv.addSchema(JSON.parse(JSON.stringify(document, withoutTexts)), documentKey);
  return { ajv, prefix, names: new Map() };
}

/** Leaves out what says nothing of validity, since Ajv keeps whole schemas in the code. */
function withoutTexts(key: string, value: unknown): unknown {
  return key.startsWith("x-") || (["title", "description"].includes(key) && typeof value === "string")
    ? undefined
    : value;
}

function add({ ajv, prefix, names }: Kind, { value, pointer }: Place): string {
  const text = JSON.stringify(value);
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `${prefix}${names.size}`;
  const fragment = pointer.slice(2).split("/").map(encodeURIComponent).join("/");
  ajv.addSchema({ $ref: `${documentKey}#/${fragment}` }, name);
  names.set(text, name);
  return name;
}
