import { branchesOf, codeRefsOf, propertiesOf, type SourceLocation } from "../../contract/model/index.ts";
import type { Judge } from "../rule.ts";
import type { SourceContract } from "../source-contract.ts";

const statusesWithoutBody = [204, 205, 304];

export const exampleRules: Record<string, Judge> = {
  "exact-amounts"({ operations }, check) {
    for (const { label, requestBody } of operations) {
      for (const { schema, examples } of requestBody?.bodies ?? []) {
        for (const { name, location } of examples) {
          for (const value of exactValues(schema, location.at("value"))) {
            const problem = `The example "${name}" of ${label} sends ${value.key} as a number`;
            check(typeof value.value === "string", value, problem);
          }
        }
      }
    }
  },

  "examples-distinct"({ subjects }, check) {
    for (const { label, requestBody, responses } of subjects) {
      for (const bodies of [requestBody?.bodies ?? [], responses.flatMap((response) => response.bodies)]) {
        const nameByText = new Map<string, string>();
        for (const { name, value, location } of bodies.flatMap(({ examples }) => examples)) {
          const text = JSON.stringify(value);
          const problem = `The example "${name}" of ${label} repeats "${nameByText.get(text)}"`;
          check(!nameByText.has(text), location.at("value"), problem);
          nameByText.set(text, name);
        }
      }
    }
  },

  "examples-one-form"({ nodes }, check) {
    for (const holder of nodes("MediaType", "Parameter", "Header")) {
      const [example, examples] = [holder.child("example"), holder.child("examples")];
      check(!(example.exists && examples.exists), example, "There are both example and examples");
    }
  },

  "examples-present"({ operations, nodes }, check) {
    const describeRemedy = "Describe it under content, with examples";
    for (const { label, responses } of operations) {
      for (const { key, location, bodies } of responses.filter(({ status }) => !statusesWithoutBody.includes(status))) {
        check(bodies.length > 0, location, `The ${key} response of ${label} has no body`, describeRemedy);
      }
    }
    for (const body of nodes("RequestBody")) {
      check(body.at("content").entries().length > 0, body, "The request body is empty", describeRemedy);
    }
    for (const media of nodes("MediaType")) {
      const examples = media.at("examples").entries();
      const hasExample = examples.length > 0 || codeRefsOf(media.at("schema")).length > 0;
      const remedy = "Add examples, each with a name, a summary and a realistic value";
      check(hasExample, media, "The body has no named example", remedy);
      for (const [name, example] of examples) {
        for (const part of ["summary", "value"]) {
          check(example.at(part).exists, example, `The example "${name}" has no ${part}`, `Add ${part}`);
        }
      }
    }
    for (const parameter of nodes("Parameter")) {
      const name = parameter.child("name");
      const hasExample = parameter.child("example").exists || parameter.at("examples").entries().length > 0;
      check(hasExample, name, `The parameter ${name.value} has no example`, "Add example with a realistic value");
    }
    for (const schema of nodes("Schema")) {
      const pattern = schema.child("pattern");
      const hasExample = !pattern.exists || schema.child("examples").exists;
      check(
        hasExample,
        pattern,
        "The pattern has no example",
        "Add examples: the strings that tools generate often do not match a pattern",
      );
    }
  },

  "examples-valid"(contract, check) {
    for (const { name, value, schema } of examplesOf(contract)) {
      const violations = contract.schemas.violations(schema, value);
      if (violations !== undefined) check.violations(violations, value, `${name} does not fit its schema`);
    }
  },
};

/** The parts of a value that the schema allows to be either a number or a string. */
function exactValues(schema: SourceLocation, value: SourceLocation): SourceLocation[] {
  const types = typesOf(schema);
  if (types.includes("number") && types.includes("string")) return [value];
  if (Array.isArray(value.value)) return value.items().flatMap((item) => exactValues(schema.at("items"), item));
  const properties = [...propertiesOf(schema)].map(([name, property]) => [property, value.child(name)] as const);
  return properties.filter(([, inner]) => inner.exists).flatMap(([property, inner]) => exactValues(property, inner));
}

function typesOf(schema: SourceLocation): string[] {
  return [...schema.target.texts("type"), ...branchesOf(schema.target).flatMap(typesOf)];
}

interface Example {
  name: string;
  value: SourceLocation;
  schema: SourceLocation;
}

function examplesOf({ nodes }: SourceContract): Example[] {
  const allExamples = [
    ...nodes("MediaType", "Parameter", "Header").flatMap(examplesOfHolder),
    ...nodes("Schema").flatMap(examplesInSchema),
  ];
  return allExamples.filter(({ value, schema }) => value.exists && schema.exists);
}

function examplesOfHolder(holder: SourceLocation): Example[] {
  const schema = holder.child("schema");
  const namedExamples = holder.at("examples").entries();
  return [
    { name: "The example", value: holder.child("example"), schema },
    ...namedExamples.map(([name, example]) => ({ name: `The example "${name}"`, value: example.at("value"), schema })),
  ];
}

function examplesInSchema(schema: SourceLocation): Example[] {
  const examples = schema.child("examples").items();
  return [
    ...examples.map((value) => ({ name: "The example", value, schema })),
    { name: "The default", value: schema.child("default"), schema },
  ];
}
