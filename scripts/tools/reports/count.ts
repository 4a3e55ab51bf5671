/** Counts the parts of the contract, such as operations and properties, by effective provenance. Shared ones are counted at each use. */
import {
  type Contract,
  codeOf,
  codeProperty,
  type JsonSchema,
  type Marks,
  type Operation,
  type Provenance,
  propertiesOf,
  provenanceAt,
  provenances,
  type SourceLocation,
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
  const { items, questions } = partsOf(subject);
  return { counts: countByProvenance(items), openQuestions: [...questions].sort() };
}

export function countByKind({ operations, webhooks, errorCodes, resources }: Contract): Record<PartKind, Counts> {
  const itemsOfKind = (kind: PartKind, entries: { provenance: Provenance | undefined }[]): Item[] => {
    return entries.map(({ provenance = "proposed" }) => ({ kind, provenance }));
  };
  const items = [
    ...itemsOfKind("Operations", operations),
    ...itemsOfKind("Webhooks", webhooks),
    ...itemsOfKind("P-codes", errorCodes),
    ...resources.flatMap(({ states }) =>
      states.map(({ provenance = "specification" }): Item => ({ kind: "Lifecycles", provenance })),
    ),
    ...[...operations, ...webhooks].flatMap((subject) => partsOf(subject).items),
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

/** Keywords whose subschemas only refine properties that are counted already. */
const restatingKeywords = ["then", "else", "dependentSchemas"];

function partsOf(subject: Operation | Webhook): { items: Item[]; questions: Set<string> } {
  const items: Item[] = [];
  const questions = new Set<string>();
  const add = (kind: PartKind, provenance: Provenance) => items.push({ kind, provenance });
  const addQuestions = (location: SourceLocation): void => {
    for (const id of questionsOn(location)) questions.add(id);
    if (location.target.id !== location.id) addQuestions(location.target);
  };
  const addSchema = (schema: SourceLocation, outermostProvenance: Provenance) => {
    const visit: Parameters<typeof walkSchema>[1] = (
      location,
      { property, keyword = "", enclosingProvenance, provenance },
    ) => {
      if (restatingKeywords.includes(keyword) || codeOf(location) !== undefined) return false;
      addQuestions(location);
      if (property !== undefined) add("Properties", provenanceAt(location, enclosingProvenance));
      const { "x-open-enum": values = {} } = location.value as JsonSchema;
      for (const value of Object.values(values))
        add("Values of open sets", weakestProvenance(provenance, value.provenance));
    };
    walkSchema(schema, visit, { includesConditions: false, enclosingProvenance: outermostProvenance });
  };

  const { location, provenance = "proposed", parameters, requestBody, responses } = subject;
  addQuestions(location);
  if (subject.kind === "webhook" && subject.path !== "") {
    add("Paths of webhooks", weakestProvenance(provenance, subject.pathProvenance));
  }
  for (const parameter of parameters) {
    addQuestions(parameter.location);
    add("Parameters", parameter.effectiveProvenance);
    addSchema(parameter.schema, parameter.effectiveProvenance);
  }
  for (const holder of requestBody === undefined ? responses : [requestBody, ...responses]) {
    addQuestions(holder.location);
    for (const { schema, examples } of holder.bodies) {
      // The fields of errors with a P-code are not counted. The P-codes are counted below.
      if (!propertiesOf(schema).has(codeProperty)) addSchema(schema, holder.effectiveProvenance);
      for (const example of examples) addQuestions(example.location);
    }
  }
  for (const code of responses.flatMap(({ codeRefs }) => codeRefs)) {
    addQuestions(code.location);
    add("P-codes of operations", code.effectiveProvenance);
  }
  return { items, questions };
}
