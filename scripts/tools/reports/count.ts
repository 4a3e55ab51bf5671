/** Parts such as operations are counted by effective provenance. Shared parameters and schemas are counted at each use. */
import {
  type Contract,
  codeOf,
  codeProperty,
  type DocumentedResponse,
  type JsonSchema,
  type Marks,
  type Operation,
  type Parameter,
  type Provenance,
  propertiesOf,
  provenanceAt,
  provenances,
  type RequestBody,
  type SourceLocation,
  type Visit,
  type Webhook,
  walkSchema,
  weakestProvenance,
} from "../../contract/model/index.ts";

const partKinds = [
  "Operations",
  "Webhooks",
  "P-codes",
  "P-codes of operations",
  "Parameters",
  "Properties",
  "Paths of webhooks",
  "Values of open sets",
  "Lifecycles",
] as const;
type PartKind = (typeof partKinds)[number];

export type Counts = Record<Provenance, number>;

interface ProvenanceCount {
  counts: Counts;
  openQuestions: string[];
}

export function countProvenance(subject: Operation | Webhook): ProvenanceCount {
  const parts = partsOf(subject);
  const questions = new Set(parts.flatMap(({ questions: partQuestions }) => partQuestions));
  return { counts: countByProvenance(parts.flatMap(({ items }) => items)), openQuestions: [...questions].sort() };
}

export function countByKind({ operations, webhooks, errorCodes, resources }: Contract): Record<PartKind, Counts> {
  const itemsOfKind = (kind: PartKind, entries: { effectiveProvenance: Provenance }[]): Item[] =>
    entries.map(({ effectiveProvenance: provenance }) => ({ kind, provenance }));
  const items = [
    ...itemsOfKind("Operations", operations),
    ...itemsOfKind("Webhooks", webhooks),
    ...itemsOfKind("P-codes", errorCodes),
    ...resources.flatMap(({ states }) =>
      states.map(({ provenance = "specification" }): Item => ({ kind: "Lifecycles", provenance })),
    ),
    ...[...operations, ...webhooks].flatMap(partsOf).flatMap(({ items: partItems }) => partItems),
  ];
  const entries = partKinds.map((kind) => [kind, countByProvenance(items.filter((item) => item.kind === kind))]);
  return Object.fromEntries(entries);
}

/** The success responses with an open question of their own, such as `createOrder 201`. */
export function questionedSuccesses({ operations }: Contract): string[] {
  return operations.flatMap(({ name, responses }) =>
    responses
      .filter(({ status, location }) => status < 400 && questionsOn(location.target).length > 0)
      .map(({ key }) => `${name} ${key}`),
  );
}

interface Item {
  kind: PartKind;
  provenance: Provenance;
}

function countByProvenance(items: Item[]): Counts {
  const counts = provenances.map((name) => [name, items.filter(({ provenance }) => provenance === name).length]);
  return Object.fromEntries(counts);
}

function questionsOn({ value }: SourceLocation): string[] {
  return ((value ?? {}) as Marks)["x-open-questions"] ?? [];
}

/** `items`: what is counted at this part of an operation or webhook. */
interface Part {
  items: readonly Item[];
  questions: readonly string[];
}

function partsOf(subject: Operation | Webhook): Part[] {
  const { location, parameters, requestBody, responses } = subject;
  return [
    partAt(location, ...pathItems(subject)),
    ...parameters.flatMap(partsOfParameter),
    ...(requestBody === undefined ? responses : [requestBody, ...responses]).flatMap(partsOfMessage),
    ...responses.flatMap(partsOfCodes),
  ];
}

function pathItems(subject: Operation | Webhook): Item[] {
  if (subject.kind !== "webhook" || subject.path === "") return [];
  const { effectiveProvenance, pathProvenance } = subject;
  return [{ kind: "Paths of webhooks", provenance: weakestProvenance(effectiveProvenance, pathProvenance) }];
}

function partsOfParameter({ location, schema, effectiveProvenance: provenance }: Parameter): Part[] {
  return [partAt(location, { kind: "Parameters", provenance }), ...partsOfSchema(schema, provenance)];
}

function partsOfMessage({ location, bodies, effectiveProvenance }: RequestBody | DocumentedResponse): Part[] {
  const bodyParts = bodies.flatMap(({ schema, examples }) => [
    // The fields of errors with a P-code are not counted. The P-codes are counted as such.
    ...(propertiesOf(schema).has(codeProperty) ? [] : partsOfSchema(schema, effectiveProvenance)),
    ...examples.map((example) => partAt(example.location)),
  ]);
  return [partAt(location), ...bodyParts];
}

function partsOfCodes({ codeRefs }: DocumentedResponse): Part[] {
  return codeRefs.map(({ location, effectiveProvenance: provenance }) => {
    return partAt(location, { kind: "P-codes of operations", provenance });
  });
}

/** Keywords whose subschemas only refine properties that are counted already. */
const restatingKeywords = ["then", "else", "dependentSchemas"];

function partsOfSchema(schema: SourceLocation, outermostProvenance: Provenance): Part[] {
  const parts: Part[] = [];
  const addPart = (location: SourceLocation, visit: Visit) => {
    if (restatingKeywords.includes(visit.keyword ?? "") || codeOf(location) !== undefined) return false;
    parts.push(partAt(location, ...schemaItems(location, visit)));
  };
  walkSchema(schema, addPart, { includesConditions: false, enclosingProvenance: outermostProvenance });
  return parts;
}

function schemaItems(location: SourceLocation, { property, enclosingProvenance, provenance }: Visit): Item[] {
  const { "x-open-enum": values = {} } = location.value as JsonSchema;
  const propertyItem: Item = { kind: "Properties", provenance: provenanceAt(location, enclosingProvenance) };
  const valueItems = Object.values(values).map((value): Item => {
    return { kind: "Values of open sets", provenance: weakestProvenance(provenance, value.provenance) };
  });
  return property === undefined ? valueItems : [propertyItem, ...valueItems];
}

function partAt(location: SourceLocation, ...items: Item[]): Part {
  return { items, questions: questionsAt(location) };
}

/** The questions at a location, and those at the target of its reference. */
function questionsAt(location: SourceLocation): string[] {
  const { id, target } = location;
  return [...questionsOn(location), ...(target.id === id ? [] : questionsAt(target))];
}
