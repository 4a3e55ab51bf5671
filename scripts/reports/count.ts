/** Counts what the contract holds by level and by effective provenance, at each place of use. */
import {
  type Body,
  type Contract,
  codeOf,
  codeProperty,
  codeRefsOf,
  type JsonSchema,
  type Marks,
  type Operation,
  type Parameter,
  type Place,
  type Provenance,
  propertiesOf,
  provenanceAt,
  provenances,
  type Subject,
  subschemasOf,
  type Webhook,
  weakest,
} from "../contract/index.ts";

/** What is counted, in the order of the report. */
export const levels = [
  "Operations",
  "Webhooks",
  "P-codes",
  "P-codes of operations",
  "Parameters",
  "Properties",
  "Paths of webhooks",
  "Values of open sets",
  "Lifecycles",
  "Examples",
] as const;
export type Level = (typeof levels)[number];

export type Counts = Record<Provenance, number>;

/** How much of an operation or webhook comes from where, and which questions are open about it. */
export interface ProvenanceCount {
  counts: Counts;
  /** Ids, sorted. */
  openQuestions: string[];
}

/** Counts the parts of an operation or webhook, without itself. A part of a shared schema counts wherever it is used. */
export function countProvenance(subject: Operation | Webhook): ProvenanceCount {
  const { items, openQuestions } = countedIn(subject);
  return { counts: sum(items), openQuestions: [...openQuestions].sort() };
}

/** Counts everything, by level. */
export function countLevels({ operations, webhooks, errorCodes, resources }: Contract): Record<Level, Counts> {
  const whole = (level: Level, entries: { provenance: Provenance | undefined }[]): Item[] => {
    return entries.map(({ provenance = "proposed" }) => ({ level, provenance }));
  };
  const items = [
    ...whole("Operations", operations),
    ...whole("Webhooks", webhooks),
    ...whole("P-codes", errorCodes),
    ...resources.flatMap(({ states }) =>
      states.map(({ provenance = "specification" }): Item => ({ level: "Lifecycles", provenance })),
    ),
    ...[...operations, ...webhooks].flatMap((subject) => countedIn(subject).items),
  ];
  const entries = levels.map((level) => [level, sum(items.filter((item) => item.level === level))]);
  return Object.fromEntries(entries);
}

/** The statuses of success that nobody has stated: those that carry an open question, with their operations. */
export function unstatedStatuses({ operations }: Contract): string[] {
  return operations.flatMap(({ name, answers }) =>
    answers
      .filter(({ status, place }) => status < 400 && questionsOn(place.target).length > 0)
      .map(({ key }) => `${name} ${key}`),
  );
}

interface Item {
  level: Level;
  provenance: Provenance;
}

function sum(items: Item[]): Counts {
  const counts = provenances.map((wanted) => [wanted, items.filter(({ provenance }) => provenance === wanted).length]);
  return Object.fromEntries(counts);
}

function questionsOn({ value }: Place): string[] {
  return ((value ?? {}) as Marks)["x-open-questions"] ?? [];
}

function countedIn(subject: Operation | Webhook): Counter {
  const counter = new Counter();
  counter.subject(subject);
  if (subject.kind === "webhook" && subject.path !== "") {
    counter.add("Paths of webhooks", weakest(subject.provenance ?? "proposed", subject.pathProvenance));
  }
  return counter;
}

/** Keywords whose schemas say more about properties that are counted already. */
const restating = ["then", "else", "dependentSchemas"];

/** Walks through an operation or webhook from the outside in; each part is at most as sure as what encloses it. */
class Counter {
  readonly items: Item[] = [];
  readonly openQuestions = new Set<string>();

  add(level: Level, provenance: Provenance): void {
    this.items.push({ level, provenance });
  }

  subject({ place, provenance, parameters, requestBody, answers }: Subject): void {
    const own = provenance ?? "proposed";
    this.#enter(place, own);
    for (const parameter of parameters) this.#parameter(parameter, own);
    for (const holder of requestBody === undefined ? answers : [requestBody, ...answers]) {
      const enclosing = this.#enter(holder.place, own);
      for (const body of holder.bodies) this.#body(body, enclosing);
    }
  }

  /** Notes the open questions of a node and of what it refers to, and returns its provenance. */
  #enter(place: Place, enclosing: Provenance): Provenance {
    for (const id of questionsOn(place)) this.openQuestions.add(id);
    const { target } = place;
    if (target.id !== place.id) this.#enter(target, enclosing);
    return provenanceAt(place, enclosing);
  }

  #parameter({ place, schema }: Parameter, own: Provenance): void {
    const provenance = this.#enter(place, own);
    this.add("Parameters", provenance);
    this.#schema(schema, provenance);
  }

  /** Of an error with a P-code the codes are counted, and not the fields that all errors have. */
  #body({ schema, examples }: Body, enclosing: Provenance): void {
    const codes = codeRefsOf(schema);
    for (const { place } of codes) this.add("P-codes of operations", this.#enter(place, enclosing));
    const isError = codes.length > 0 || propertiesOf(schema).has(codeProperty);
    if (!isError) this.#schema(schema, enclosing);
    for (const { place } of examples) this.add("Examples", this.#enter(place, enclosing));
  }

  /** Counts what a schema and the schemas within it hold; a schema that contains itself is entered once. */
  #schema(schema: Place, enclosing: Provenance, above: ReadonlySet<string> = new Set()): void {
    const provenance = this.#enter(schema, enclosing);
    const { target } = schema;
    if (above.has(target.id)) return;
    const within = new Set(above).add(target.id);
    this.#values((target.value ?? {}) as JsonSchema, provenance);
    for (const { schema: inner, property, role, keyword } of subschemasOf(target)) {
      if (role === "condition" || restating.includes(keyword) || codeOf(inner) !== undefined) continue;
      if (property !== undefined) this.add("Properties", provenanceAt(inner, provenance));
      this.#schema(inner, provenance, within);
    }
  }

  #values({ "x-open-enum": values = {} }: JsonSchema, enclosing: Provenance): void {
    for (const value of Object.values(values)) this.add("Values of open sets", weakest(enclosing, value.provenance));
  }
}
