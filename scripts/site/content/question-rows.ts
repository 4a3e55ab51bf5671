/** Rows come from `open-questions.yaml`, or are derived from the contract. */
import {
  type Contract,
  finalValues,
  listedRows,
  type MatrixRow,
  type OpenQuestion,
  type Operation,
  propertiesOf,
  type RowSource,
  type SourceLocation,
  type Webhook,
} from "../../contract/model/index.ts";
import { capitalise, listWords, wordsOf } from "../text/words.ts";
import { questionLocations } from "./question-locations.ts";
import { bodiesOf, failuresOf, successesOf } from "./subjects.ts";
import { reportOf, reportsStateChange, triggersWebhook } from "./webhook-triggers.ts";

export function rowsOf(id: string, entry: OpenQuestion, contract: Contract): MatrixRow[] {
  const { matrix, notes = {} } = entry;
  if (typeof matrix !== "string") return listedRows(entry);
  if (matrix === "transitions") return transitionRows(id, contract).map((row) => ({ ...row, ...notes[row.row] }));
  const rows = (questionLocations(contract).get(id) ?? []).flatMap(({ subject, parts }) => {
    const isSent =
      subject.kind === "operation" && parts.length > 0 && parts.every((part) => part.startsWith("request"));
    const assumption = matrix === "fields" && isSent ? "" : assumptionsBySubject[matrix](subject, contract);
    const row = matrix === "events" ? subject.summary : nameOf(subject);
    return assumption === "" ? [] : [{ row, area: subject.tag, assumption, ...notes[row] }];
  });
  // Sorted by area, so that one person can answer the rows of an area together.
  const areas = (contract.document.tags ?? []).map(({ name }) => name);
  return rows.sort((a, b) => areas.indexOf(a.area) - areas.indexOf(b.area));
}

export function nameOf(subject: Operation | Webhook): string {
  return subject.kind === "webhook" ? `${subject.summary} (webhook)` : subject.summary;
}

/**
 * By `matrix` of a question. Each function returns what is assumed about an operation or webhook; empty if the question does not apply to
 * it.
 */
const assumptionsBySubject: Record<
  Exclude<RowSource, "transitions">,
  (subject: Operation | Webhook, contract: Contract) => string
> = {
  operations: (subject) => {
    if (subject.kind === "webhook") return "";
    return joinSentences([
      `\`${subject.method.toUpperCase()} ${subject.path}\``,
      addLabel("Sends ", sentFieldsText(subject)),
      `Returns ${successBodies(subject)}`,
    ]);
  },
  required: (subject) => {
    const schemas = bodiesOf(subject).map(({ schema }) => schema);
    const requiredNames = schemas.flatMap(requiredOf);
    const fields = schemas.flatMap((schema) => [...propertiesOf(schema).keys()]);
    return joinSentences([
      addLabel("Required: ", requiredNames.join(", ")),
      addLabel("Optional: ", fields.filter((name) => !requiredNames.includes(name)).join(", ")),
    ]);
  },
  codes: (subject) => {
    const failures = failuresOf(subject).filter(({ codes }) => codes.length > 0);
    return failures.map(({ key, codes }) => `${key} ${codes.join(", ")}`).join("; ");
  },
  statuses: (subject) =>
    successesOf(subject)
      .map(({ key }) => key)
      .join(", "),
  fields: (subject) => (subject.kind === "webhook" ? sentFieldsText(subject) : successBodies(subject)),
  paths: (subject) => (subject.kind === "webhook" ? `\`${subject.path}\`` : ""),
  events: (subject, contract) => (subject.kind === "webhook" ? occasionsOf(subject, contract) : ""),
};

function occasionsOf(webhook: Webhook, contract: Contract): string {
  const { event, state } = reportOf(webhook, contract);
  const subject = capitalise(wordsOf(event.resource));
  if (!reportsStateChange(webhook, contract)) return `${subject}: while it is ${listWords(event.after, "or")}.`;
  const otherValues = state.values.filter((value) => !event.after.includes(value));
  const triggeringOperations = contract.operations.filter((operation) => triggersWebhook(operation, webhook));
  return joinSentences([
    `${subject}: after ${listWords(event.after, "or")}`,
    addLabel("Not after ", listWords(otherValues, "or")),
    triggeringOperations.length === 0
      ? "No operation leads to it"
      : `${listWords(triggeringOperations.map(nameOf), "and")} ${triggeringOperations.length === 1 ? "leads" : "lead"} to it`,
  ]);
}

function transitionRows(id: string, { resources }: Contract): MatrixRow[] {
  return resources.flatMap((resource) =>
    resource.states
      .filter(({ openQuestions }) => openQuestions.includes(id))
      .map((state) => {
        const { initial, transitions } = state.lifecycle;
        const steps = Object.entries(transitions).map(([from, to]) => `${from}, then ${listWords(to, "or")}`);
        const finalStates = finalValues(state);
        return {
          row: capitalise(wordsOf(resource.name) + (state.name === "status" ? "" : ` (${wordsOf(state.name)})`)),
          assumption: joinSentences([
            addLabel("First ", listWords(initial, "or")),
            ...steps,
            `Final: ${listWords(finalStates, "and")}`,
          ]),
        };
      }),
  );
}

function successBodies(operation: Operation): string {
  const parts = successesOf(operation).map(
    ({ key, bodies }) => `${key} ${bodies.map(({ schema }) => fieldsOf(schema)).join()}`,
  );
  return parts.map((part) => part.trim()).join("; ");
}

function sentFieldsText(subject: Operation | Webhook): string {
  const queryFields = subject.parameters.filter(({ in: location }) => location === "query").map(({ name }) => name);
  const bodyFields = bodiesOf(subject).map(({ schema }) => fieldsOf(schema));
  return [...queryFields, ...bodyFields].filter((text) => text !== "").join(", ");
}

function fieldsOf(schema: SourceLocation): string {
  const fieldNames = [...propertiesOf(schema)].map(([name, property]) => {
    const innerText = fieldsOf(property);
    return innerText === "" ? name : `${name} (${innerText})`;
  });
  return fieldNames.length > 0 ? fieldNames.join(", ") : itemsOf(schema).map(fieldsOf).join();
}

function itemsOf(schema: SourceLocation): SourceLocation[] {
  return [schema, schema.target]
    .flatMap((location) =>
      ["items", "additionalProperties"]
        .map((key) => location.child(key))
        .filter(({ value }) => typeof value === "object"),
    )
    .slice(0, 1);
}

/** Fields that only an alternative requires are left out. */
function requiredOf(schema: SourceLocation): string[] {
  const parts = [...schema.child("allOf").items(), ...(schema.target.id === schema.id ? [] : [schema.target])];
  return [...new Set([...schema.texts("required"), ...parts.flatMap(requiredOf)])];
}

function addLabel(label: string, text: string): string {
  return text === "" ? "" : label + text;
}

function joinSentences(parts: string[]): string {
  return parts
    .filter((part) => part !== "")
    .map((part) => `${part}.`)
    .join(" ");
}
