/** Invalid requests derived from the schemas of the contract: one for each way to violate it. */
import type { JsonSchema, Operation, Parameter } from "../../scripts/contract/index.ts";
import type { BodyViolationKind } from "../../scripts/mock/answer/violations.ts";
import { propertiesOf, requiredOf, violations } from "../support/schema.ts";
import { schemaOf } from "./support.ts";

export interface BrokenParameter {
  operation: Operation;
  parameter: Parameter;
  /** The invalid value; undefined when the parameter is left out. */
  value: string | undefined;
}

export interface BrokenBody {
  operation: Operation;
  /** The violation, for the message of a failed test. */
  what: string;
  kind: BodyViolationKind;
  body: unknown;
  /** The name that the message must contain. */
  named: string;
  /** The value that the message must not contain. */
  secret: string | undefined;
}

const wrongTexts = ["not valid ☂", "-1x", "XX99", "2026-02-30", "20260", " "];

/** Each parameter left out where that is possible, and with every wrong text that violates its schema. */
export function brokenParameters(operation: Operation): BrokenParameter[] {
  return operation.parameters.flatMap((parameter) => {
    const wrong = wrongTexts.filter(
      (text) => violations(schemaOf(parameter), asParameter(schemaOf(parameter), text)).length > 0,
    );
    const left: (string | undefined)[] = parameter.in === "query" && parameter.required ? [undefined, ""] : [];
    return [...left, ...wrong].map((value) => ({ operation, parameter, value }));
  });
}

/** The value that a text in a URL represents: a number is sent as its digits. */
function asParameter({ type }: JsonSchema, text: string): unknown {
  return (type === "number" || type === "integer") && text.trim() !== "" ? Number(text) : text;
}

/** The example of a JSON body without each required property, and with each property given values that violate it. */
export function brokenBodies(operation: Operation): BrokenBody[] {
  const body = operation.requestBody?.bodies.find(({ mediaType }) => mediaType === "application/json");
  if (body === undefined) return [];
  const example = body.examples[0]?.value as Record<string, unknown>;
  const missing = requiredOf(schemaOf(body)).map((name): BrokenBody => {
    const { [name]: _, ...rest } = example;
    return { operation, what: `${name} missing`, kind: "missing", body: rest, named: name, secret: undefined };
  });
  const wrong = Object.entries(propertiesOf(schemaOf(body))).flatMap(([name, schema]) =>
    wrongValues(schema).map((value): BrokenBody => {
      const secret = typeof value === "string" && value.trim() !== "" ? value : undefined;
      const what = `${name} ${JSON.stringify(value)}`;
      return { operation, what, kind: "otherwise", body: { ...example, [name]: value }, named: name, secret };
    }),
  );
  return [...missing, ...wrong];
}

/** The keywords of a property that restrict its strings. */
export function restrictionsOf(schema: JsonSchema): string[] {
  return ["format", "pattern", "enum", "const", "minLength"].filter((keyword) => keyword in schema);
}

function wrongValues(schema: JsonSchema): unknown[] {
  return [...wrongTexts, "", null, 4711, true, [], {}].filter((value) => violations(schema, value).length > 0);
}
