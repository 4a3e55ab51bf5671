/** The rows of a question's table: from `open-questions.yaml`, or derived from the contract. */
import {
  type Contract,
  type DerivedRows,
  listedRows,
  type MatrixRow,
  type OpenQuestion,
  type Operation,
  propertiesOf,
  type SourceLocation,
  stateOf,
  type Webhook,
} from "../../contract/model/index.ts";
import { capitalised, listWords, wordsOf } from "../text/words.ts";
import { questionLocations } from "./question-locations.ts";
import { reportsStateChange, triggersWebhook } from "./webhook-triggers.ts";

/** The rows of a question, in the order of `open-questions.yaml` or of the contract; empty if the question has no table. */
export function rowsOf(id: string, entry: OpenQuestion, contract: Contract): MatrixRow[] {
  const { matrix, notes = {} } = entry;
  if (typeof matrix !== "string") return listedRows(entry);
  if (matrix === "transitions") return transitionRows(id, contract).map((row) => ({ ...row, ...notes[row.row] }));
  const rows = (questionLocations(contract).get(id) ?? []).flatMap(({ subject, parts }) => {
    const isSent =
      subject.kind === "operation" && parts.length > 0 && parts.every((part) => part.startsWith("request"));
    const assumption = matrix === "fields" && isSent ? "" : derived[matrix](subject, contract);
    const row = matrix === "events" ? subject.summary : nameOf(subject);
    return assumption === "" ? [] : [{ row, area: subject.tag, assumption, ...notes[row] }];
  });
  // By area, so that one person can answer the rows of an area together.
  const areas = (contract.document.tags ?? []).map(({ name }) => name);
  return rows.sort((a, b) => areas.indexOf(a.area) - areas.indexOf(b.area));
}

export function nameOf(subject: Operation | Webhook): string {
  return subject.kind === "webhook" ? `${subject.summary} (webhook)` : subject.summary;
}

/** The derived assumption on an operation or webhook; empty if the question does not apply to it. */
const derived: Record<
  Exclude<DerivedRows, "transitions">,
  (subject: Operation | Webhook, contract: Contract) => string
> = {
  operations: (subject) => {
    if (subject.kind === "webhook") return "";
    const sent = sentFields(subject);
    return sentences([
      `\`${subject.method.toUpperCase()} ${subject.path}\``,
      sent === "" ? "" : `Sends ${sent}`,
      `Returns ${answered(subject)}`,
    ]);
  },
  required: ({ requestBody }) => {
    const schema = requestBody?.bodies[0]?.schema;
    if (schema === undefined) return "";
    const required = requiredOf(schema);
    const optional = [...propertiesOf(schema).keys()].filter((name) => !required.includes(name));
    return sentences([
      required.length === 0 ? "" : `Required: ${required.join(", ")}`,
      optional.length === 0 ? "" : `Optional: ${optional.join(", ")}`,
    ]);
  },
  codes: ({ responses }) => {
    const failures = responses.filter(({ codes, status }) => status >= 400 && codes.length > 0);
    return failures.map(({ key, codes }) => `${key} ${codes.join(", ")}`).join("; ");
  },
  statuses: ({ responses }) =>
    successesOf(responses)
      .map(({ key }) => key)
      .join(", "),
  fields: (subject) => (subject.kind === "webhook" ? sentFields(subject) : answered(subject)),
  paths: (subject) => (subject.kind === "webhook" ? `\`${subject.path}\`` : ""),
  events: (subject, contract) => (subject.kind === "webhook" ? occasionsOf(subject, contract) : ""),
};

function occasionsOf(webhook: Webhook, contract: Contract): string {
  const { event } = webhook;
  if (event === undefined) return "";
  const subject = capitalised(wordsOf(event.resource));
  if (!reportsStateChange(webhook, contract)) return `${subject}: while it is ${listWords(event.after, "or")}.`;
  const resource = contract.resources.find(({ name }) => name === event.resource);
  const values = (resource && stateOf(resource, event.state))?.values ?? [];
  const others = values.filter((value) => !event.after.includes(value));
  const leading = contract.operations.filter((operation) => triggersWebhook(operation, webhook));
  return sentences([
    `${subject}: after ${listWords(event.after, "or")}`,
    others.length === 0 ? "" : `Not after ${listWords(others, "or")}`,
    leading.length === 0
      ? "No operation leads to it"
      : `${listWords(leading.map(nameOf), "and")} ${leading.length === 1 ? "leads" : "lead"} to it`,
  ]);
}

function transitionRows(id: string, { resources }: Contract): MatrixRow[] {
  return resources.flatMap((resource) =>
    resource.states
      .filter(({ openQuestions }) => openQuestions.includes(id))
      .map(({ name, values, moves: { initial, transitions } }) => {
        const steps = Object.entries(transitions).map(([from, to]) => `${from}, then ${listWords(to, "or")}`);
        const final = values.filter((value) => (transitions[value] ?? []).length === 0);
        const first = listWords(initial, "or");
        return {
          row: capitalised(wordsOf(resource.name) + (name === "status" ? "" : ` (${wordsOf(name)})`)),
          assumption: sentences([first === "" ? "" : `First ${first}`, ...steps, `Final: ${listWords(final, "and")}`]),
        };
      }),
  );
}

function successesOf(responses: Operation["responses"]): Operation["responses"] {
  return responses.filter(({ status }) => status < 300);
}

function answered({ responses }: Operation): string {
  const parts = successesOf(responses).map(
    ({ key, bodies }) => `${key} ${bodies.map(({ schema }) => fieldsOf(schema)).join()}`,
  );
  return parts.map((part) => part.trim()).join("; ");
}

function sentFields({ parameters, requestBody }: Operation | Webhook): string {
  const inQuery = parameters.filter(({ in: where }) => where === "query").map(({ name }) => name);
  const inBody = (requestBody?.bodies ?? []).map(({ schema }) => fieldsOf(schema));
  return [...inQuery, ...inBody].filter((text) => text !== "").join(", ");
}

/** The fields of a body, with nested fields in parentheses. */
function fieldsOf(schema: SourceLocation): string {
  const named = [...propertiesOf(schema)].map(([name, inner]) => {
    const within = fieldsOf(inner);
    return within === "" ? name : `${name} (${within})`;
  });
  return named.length > 0 ? named.join(", ") : itemsOf(schema).map(fieldsOf).join();
}

function itemsOf(schema: SourceLocation): SourceLocation[] {
  return [schema, schema.target]
    .flatMap((location) =>
      ["items", "additionalProperties"]
        .map((key) => location.own(key))
        .filter(({ value }) => typeof value === "object"),
    )
    .slice(0, 1);
}

/** The fields that are always required. Fields that only an alternative requires are left out. */
function requiredOf(schema: SourceLocation): string[] {
  const parts = [...schema.own("allOf").items(), ...(schema.target.id === schema.id ? [] : [schema.target])];
  const own = schema.own("required").items();
  return [...new Set([...own.map(({ value }) => String(value)), ...parts.flatMap(requiredOf)])];
}

function sentences(parts: string[]): string {
  return parts
    .filter((part) => part !== "")
    .map((part) => `${part}.`)
    .join(" ");
}
