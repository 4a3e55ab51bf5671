/** Writes the schemas of what the service sends as TypeScript, for the runtime to compare bodies with. */
import {
  type Answer,
  alternativesOf,
  type Contract,
  generalError,
  type JsonSchema,
  type Place,
  UsageError,
} from "../contract/index.ts";
import { generatedNotice, runtimePath, toMembers } from "./text.ts";

/** The form of each format. A format that is not listed here would be compared with nothing. */
const formats: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  "date-time":
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
};

/** How the keywords are written; the runtime knows each of them (`runtime/schema.ts`). */
const keywords: Record<string, "value" | "pattern" | "format" | "one" | "list" | "map" | "known" | "questions"> = {
  type: "value",
  enum: "value",
  const: "value",
  pattern: "pattern",
  format: "format",
  minLength: "value",
  maxLength: "value",
  minimum: "value",
  maximum: "value",
  exclusiveMinimum: "value",
  exclusiveMaximum: "value",
  minItems: "value",
  maxItems: "value",
  minProperties: "value",
  items: "one",
  required: "value",
  properties: "map",
  additionalProperties: "one",
  allOf: "list",
  anyOf: "list",
  oneOf: "list",
  not: "one",
  if: "one",
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: "one",
  else: "one",
  "x-open-enum": "known",
  "x-open-questions": "questions",
};

/** Keywords that say nothing about which values are valid. `discriminator` repeats what the branches say. */
const annotations = new Set(["title", "description", "examples", "example", "default", "deprecated", "discriminator"]);

/**
 * Returns the text of `webhook-schemas.ts`: the schema of each webhook's body.
 *
 * @throws {UsageError} naming the place, when a schema has a keyword or a format that the runtime does not know.
 */
export function webhookSchemasSource(contract: Contract): string {
  const writer = new SchemaWriter();
  const rows = contract.webhooks.map(({ name, requestBody }) => {
    const schema = requestBody?.bodies[0]?.schema;
    return [name, schema === undefined ? "{}" : writer.write(schema)] as const;
  });
  const names = rows.map(([name]) => JSON.stringify(name));
  return `${generatedNotice}
import type { Schema } from "${runtimePath}/schema.ts";

${writer.declarations()}
/** The body of every webhook. */
export const webhookSchemas: Readonly<Record<${names.join(" | ") || "never"}, Schema>> = {
${toMembers(rows)}
};
`;
}

/**
 * Returns the text of `answer-schemas.ts`: the schemas of the responses, and the function that compares a response with
 * them. The client loads this file only for a partner who wants to be told of deviations.
 *
 * @throws {UsageError} naming the place, when a schema has a keyword or a format that the runtime does not know.
 */
export function answerSchemasSource(contract: Contract): string {
  const writer = new SchemaWriter();
  const rows = contract.operations.map(({ operationId, answers }) => {
    const successes = answers.filter(({ status }) => status >= 200 && status < 300);
    const question = successes.flatMap(({ place }) => questionsOf(place))[0];
    const bodies = answers.flatMap((answer): [string, string][] => {
      const schema = answer.codes.length === 0 ? jsonSchemaOf(answer) : undefined;
      return schema === undefined ? [] : [[answer.key, writer.write(schema)]];
    });
    const members = bodies.map(([status, text]) => `${status}: ${text}`).join(", ");
    const text = `{ bodies: {${members === "" ? "" : ` ${members} `}}${question === undefined ? "" : `, question: ${JSON.stringify(question)}`} }`;
    return [operationId, text] as const;
  });
  const codes = contract.errorCodes.flatMap(({ code, openQuestions: [question] }) =>
    question === undefined ? [] : [[code, JSON.stringify(question)] as const],
  );
  const general = contract.root.at("components", "schemas", generalError);
  const error = general.exists ? writer.write(general) : "{}";
  return `${generatedNotice}
import { type AnswerCheck, type AnswerSchemas, createAnswerCheck } from "${runtimePath}/answers.ts";
import type { Schema } from "${runtimePath}/schema.ts";

${writer.declarations()}
const schemas: AnswerSchemas = {
  operations: {
${toMembers(rows)}
  },
  error: ${error},
  questions: { ${codes.map(([code, text]) => `${code}: ${text}`).join(", ")} },
};

/** Compares responses with the contract. */
export const checkAnswer: AnswerCheck = createAnswerCheck(schemas);
`;
}

/** The schema of a body without a P-code. Beside it, an open answer has the error format, with which any code is compared. */
function jsonSchemaOf({ bodies, isOpen }: Answer): Place | undefined {
  const schema = bodies.find(({ mediaType }) => mediaType === "application/json")?.schema;
  if (schema === undefined || !isOpen) return schema;
  return alternativesOf(schema).find(({ target }) => target.name !== generalError);
}

function questionsOf(place: Place): string[] {
  return (place.target.value as JsonSchema | undefined)?.["x-open-questions"] ?? [];
}

/** Writes schemas, each component once: as a constant that those which refer to it name. */
class SchemaWriter {
  readonly #constants = new Map<string, string>();
  readonly #pending = new Set<string>();

  /** The schema as TypeScript. */
  write(place: Place): string {
    const { value } = place;
    if (value === true) return "{}";
    const { $ref, ...siblings } = value as JsonSchema & { $ref?: string };
    const members = Object.entries(siblings).flatMap(([keyword, item]) => this.#member(place, keyword, item));
    if ($ref === undefined) return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
    const name = this.#nameOf(place.target);
    return members.length === 0 ? name : `{ allOf: [${name}], ${members.join(", ")} }`;
  }

  /** The constants of the components that were written so far, each before those that refer to it. */
  declarations(): string {
    return [...this.#constants].map(([name, text]) => `const ${name}: Schema = ${text};\n`).join("");
  }

  #nameOf(component: Place): string {
    const { name } = component;
    if (this.#pending.has(name))
      throw new UsageError(`The schema ${name} refers to itself, which the client cannot read.`);
    if (!this.#constants.has(name)) {
      this.#pending.add(name);
      const text = this.write(component);
      this.#pending.delete(name);
      this.#constants.set(name, text);
    }
    return name;
  }

  #member(place: Place, keyword: string, value: unknown): string[] {
    const form = keywords[keyword];
    if (form === undefined) {
      if (annotations.has(keyword) || keyword.startsWith("x-")) return [];
      throw new UsageError(
        `${place.pointer}: the client does not know the keyword "${keyword}" (scripts/client/schemas.ts).`,
      );
    }
    switch (form) {
      case "value":
        return [`${keyword}: ${JSON.stringify(value)}`];
      case "pattern":
        return [`${keyword}: ${new RegExp(String(value), "u")}`];
      case "format":
        return [`${keyword}: ${this.#formatOf(place, String(value))}`];
      case "one":
        return value === true
          ? keyword === "additionalProperties"
            ? ["additionalProperties: {}"]
            : []
          : [`${keyword}: ${this.write(place.own(keyword))}`];
      case "list":
        return [
          `${keyword}: [${place
            .own(keyword)
            .items()
            .map((item) => this.write(item))
            .join(", ")}]`,
        ];
      case "map": {
        const members = place
          .own(keyword)
          .entries()
          .map(([name, item]) => `${JSON.stringify(name)}: ${this.write(item)}`);
        return [`${keyword}: { ${members.join(", ")} }`];
      }
      case "known":
        return [`known: ${JSON.stringify(Object.keys(value as object))}`];
      case "questions":
        return [`question: ${JSON.stringify((value as string[])[0])}`];
    }
  }

  #formatOf(place: Place, format: string): string {
    const form = formats[format];
    if (form !== undefined) return String(form);
    const known = Object.keys(formats).join(", ");
    throw new UsageError(
      `${place.pointer}: unknown format "${format}". Known formats: ${known} (scripts/client/schemas.ts).`,
    );
  }
}
