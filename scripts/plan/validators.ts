/**
 * Compiles the schemas of a contract to the code of their validators, which needs nothing when it runs. Schemas of requests
 * are those that Prism makes of the document, and the options are Prism's, so that the same is found with the same words.
 */
import { _, Ajv, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import addFormats from "ajv-formats";
import type { OpenApiDocument, Operation, Parameter } from "../contract/index.ts";
import { formatsModule, prismFormats } from "./formats.ts";
import type { Prism } from "./prism.ts";
import { mergeAllOf, stripReadOnlyProperties } from "./prism-internals.ts";
import type { SchemaNames } from "./schema-names.ts";

/** The options of Prism (`prism-http/dist/validator/validators/utils.js`). */
const prismOptions: Options = {
  allErrors: true,
  allowUnionTypes: true,
  allowMatchingProperties: true,
  strict: false,
  logger: false,
};
const codeOptions: Options = { code: { source: true, formats: _`require(${formatsModule})` } };
const documentKey = "contract";

/** One kind of schemas: those with the same options. */
interface Kind {
  ajv: Ajv;
  /** Names of validators by the text of their schema. */
  names: Map<string, string>;
}

/** Collects the schemas of a document and compiles them. */
export class Validators implements SchemaNames {
  readonly none = "none";
  readonly #prism: Prism;
  // Prism reads parameters by draft 7 and converts their texts; bodies by their own dialect.
  readonly #parameters: Kind = kindOf(new Ajv({ ...prismOptions, ...codeOptions, coerceTypes: true }));
  // Not as Prism does it: 1e400, which JSON.parse makes Infinity, is no number.
  readonly #bodies: Kind = kindOf(new Ajv2020({ ...prismOptions, ...codeOptions, strictNumbers: true }));
  // The mock's own answers: the first mistake is enough, and a schema that many use is compiled once.
  readonly #answers: Kind = kindOf(
    new Ajv2020({
      ...prismOptions,
      ...codeOptions,
      allErrors: false,
      strictNumbers: true,
      inlineRefs: false,
      validateSchema: false,
    }),
  );

  constructor(document: OpenApiDocument, prism: Prism) {
    this.#prism = prism;
    this.#answers.ajv.addSchema(document, documentKey);
  }

  parameter(operation: Operation, { in: location, name }: Parameter): string {
    const { request = {} } = this.#prism.find(operation);
    const list = { path: request.path, query: request.query, header: request.headers }[location];
    const { $schema: _draft, ...schema } = { ...list?.find((parameter) => parameter.name === name)?.schema };
    return add(this.#parameters, "p", schema);
  }

  requestBody(operation: Operation, { mediaType }: { mediaType: string }): string {
    const contents = this.#prism.find(operation).request?.body?.contents;
    const schema = contents?.find((content) => content.mediaType === mediaType)?.schema;
    return schema === undefined ? this.none : add(this.#bodies, "b", withoutReadOnly(withoutAllOf(schema)));
  }

  schema({ pointer }: { pointer: string }): string {
    const fragment = pointer.slice(2).split("/").map(encodeURIComponent).join("/");
    return add(this.#answers, "a", { $ref: `${documentKey}#/${fragment}` });
  }

  /** The code of all validators so far: CommonJS modules that export them by name. */
  code(): string[] {
    return [this.#parameters, this.#bodies, this.#answers].map(({ ajv, names }) =>
      toCode(ajv, Object.fromEntries([...names.values()].map((name) => [name, name]))),
    );
  }
}

// The module is CommonJS, whose default export is the function or holds it.
const toCode = (standalone as unknown as { default: typeof standalone.default }).default;

function kindOf(ajv: Ajv): Kind {
  // The plugin is CommonJS as well.
  (addFormats as unknown as { default: typeof addFormats.default }).default(ajv);
  for (const [name, format] of Object.entries(prismFormats)) ajv.addFormat(name, format);
  return { ajv, names: new Map() };
}

function add({ ajv, names }: Kind, prefix: string, schema: object): string {
  const text = JSON.stringify(schema);
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `${prefix}${names.size}`;
  ajv.addSchema(schema, name);
  names.set(text, name);
  return name;
}

/** As Prism does it (`prism-http/dist/validator/validators/body.js`): a schema that cannot be merged stays as it is. */
function withoutAllOf(schema: object): object {
  try {
    return mergeAllOf(schema, { deep: true, ignoreAdditionalProperties: true });
  } catch {
    return schema;
  }
}

function withoutReadOnly(schema: object): object {
  const found = stripReadOnlyProperties(schema);
  return found._tag === "Some" ? found.value : {};
}
