import type { Place } from "../../contract/index.ts";
import { checkFits, type Rule } from "../rule.ts";
import type { SourceContract } from "../source-contract.ts";

export const examplesValid: Rule = {
  name: "examples-valid",
  states:
    "Every example of a body, parameter, header or schema fits its schema and has no property that the schema does not know.",
  why: "People copy examples, and the mock answers with them. Redocly's own rules for this are off: they close objects within `then` and `else` as well and so refuse valid examples.",
  wrong: `
schema:
  type: string
  pattern: ^\\d{4}$
example: "48315"`,
  right: `
schema:
  type: string
  pattern: ^\\d{4}$
example: "4831"`,
  judge(contract, check) {
    for (const { name, value, schema } of examplesOf(contract)) {
      const violations = contract.schemas.violations(schema, value);
      if (violations === undefined) continue;
      checkFits(check, value, violations, `${name} does not fit its schema`, "Correct the example, or else the schema");
    }
  },
};

interface Example {
  name: string;
  value: Place;
  schema: Place;
}

function examplesOf(contract: SourceContract): Example[] {
  const holders = ["MediaType", "Parameter", "Header"].flatMap((kind) => contract.nodes(kind));
  return [...holders.flatMap(examplesBeside), ...contract.nodes("Schema").flatMap(examplesWithin)];
}

/** The examples beside a schema: one without a name, or several with names. */
function examplesBeside(holder: Place): Example[] {
  const schema = holder.own("schema");
  const named = holder.at("examples").entries();
  return [
    { name: "The example", value: holder.own("example"), schema },
    ...named.map(([name, example]) => ({ name: `The example "${name}"`, value: example.at("value"), schema })),
  ].filter(({ value }) => value.exists && schema.exists);
}

/** The examples and the default of a schema itself. */
function examplesWithin(schema: Place): Example[] {
  const examples = schema.own("examples").items();
  return [
    ...examples.map((value) => ({ name: "The example", value, schema })),
    ...[{ name: "The default", value: schema.own("default"), schema }].filter(({ value }) => value.exists),
  ];
}
