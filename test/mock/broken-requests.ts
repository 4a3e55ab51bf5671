/** Every way to break a valid request that the contract knows of, derived from its schemas. */
import type { Operation } from "../../scripts/contract/contract.ts";
import type { JsonSchema, ParameterObject } from "../../scripts/contract/document.ts";
import type { BodyFault } from "../../scripts/mock/body.ts";
import { propertiesOf, requiredOf, violations } from "../support/schema.ts";

export interface BrokenParameter {
  operation: Operation;
  parameter: ParameterObject;
  /** The value that breaks it; undefined when it is left out. */
  value: string | undefined;
}

export interface BrokenBody {
  operation: Operation;
  /** What is broken, for people. */
  what: string;
  fault: BodyFault;
  body: unknown;
  /** What the message has to name. */
  named: string;
  /** What the message must not repeat. */
  secret: string | undefined;
}

const wrongTexts = ["not valid ☂", "-1x", "XX99", "2026-02-30", "20260", " "];

/** Parameters left out where they can be, and given every wrong text that breaks them. */
export function brokenParameters(operation: Operation): BrokenParameter[] {
  return operation.parameters.flatMap((parameter) => {
    const wrong = wrongTexts.filter(
      (text) => violations(parameter.schema, asParameter(parameter.schema, text)).length > 0,
    );
    const left: (string | undefined)[] = parameter.in === "query" && parameter.required ? [undefined, ""] : [];
    return [...left, ...wrong].map((value) => ({ operation, parameter, value }));
  });
}

/** The value that a text in a URL stands for: a parameter that is a number arrives as its digits. */
function asParameter({ type }: JsonSchema, text: string): unknown {
  return (type === "number" || type === "integer") && text.trim() !== "" ? Number(text) : text;
}

/** The example of a JSON body with every required property left out, and every property given what breaks it. */
export function brokenBodies(operation: Operation): BrokenBody[] {
  const body = operation.requestBody?.bodies.find(({ mediaType }) => mediaType === "application/json");
  if (body === undefined) return [];
  const example = body.examples[0]?.value as Record<string, unknown>;
  const missing = requiredOf(body.schema).map((name): BrokenBody => {
    const { [name]: _, ...rest } = example;
    return { operation, what: `${name} missing`, fault: "missing", body: rest, named: name, secret: undefined };
  });
  const wrong = Object.entries(propertiesOf(body.schema)).flatMap(([name, schema]) =>
    wrongValues(schema).map((value): BrokenBody => {
      const secret = typeof value === "string" && value.trim() !== "" ? value : undefined;
      const what = `${name} ${JSON.stringify(value)}`;
      return { operation, what, fault: "otherwise", body: { ...example, [name]: value }, named: name, secret };
    }),
  );
  return [...missing, ...wrong];
}

/** The keywords of a property that restrict its texts. */
export function restrictionsOf(schema: JsonSchema): string[] {
  return ["format", "pattern", "enum", "const", "minLength"].filter((keyword) => keyword in schema);
}

function wrongValues(schema: JsonSchema): unknown[] {
  return [...wrongTexts, "", null, 4711, true, [], {}].filter((value) => violations(schema, value).length > 0);
}
