/** The rule about the fields that an event has in common with the record that a lookup returns. */
import {
  branchesOf,
  isJsonType,
  type Operation,
  propertiesOf,
  type SourceLocation,
  subschemasOf,
  type Webhook,
} from "../../contract/model/index.ts";
import type { Judge } from "../rule.ts";

type Facet = "type" | "text" | "sensitivity" | "questions";

export const eventFieldRules: Record<string, Judge> = {
  "event-fields"({ operations, webhooks, resources }, check) {
    for (const { name, details, location } of resources) {
      const allowedDifferences = location.child("differs");
      const facetsByField = new Map<string, Facet[]>();
      const readOperations = operations.filter(({ operationId }) => details.includes(operationId));
      for (const webhook of webhooks.filter(({ event }) => event?.resource === name)) {
        for (const [field, eventField, recordField, operation] of readOperations.flatMap((readOperation) =>
          sharedFields(webhook, readOperation),
        )) {
          const facets = differencesOf(eventField, recordField);
          facetsByField.set(field, [...(facetsByField.get(field) ?? []), ...facets]);
          const unexpectedFacets = facets.filter(
            (facet) => !allowedDifferences.child(field).texts("in").includes(facet),
          );
          const problem = `${field} of ${webhook.label} has another ${unexpectedFacets.join(" and ")} than in ${operation.label}`;
          check(unexpectedFacets.length === 0, eventField.schema, problem);
        }
      }
      for (const [field, difference] of allowedDifferences.entries()) {
        for (const facet of difference.child("in").items()) {
          const problem = `The events and the record of the ${name} do not differ in the ${facet.value} of ${field}`;
          const isDifferent = facetsByField.get(field)?.includes(facet.value as Facet) === true;
          check(isDifferent, facet, problem, "Remove the entry");
        }
      }
    }
  },
};

interface Field {
  schema: SourceLocation;
  body: SourceLocation;
}

function sharedFields(webhook: Webhook, operation: Operation): [string, Field, Field, Operation][] {
  const events = webhook.requestBody?.bodies ?? [];
  const records = operation.responses.filter(({ key }) => key.startsWith("2")).flatMap(({ bodies }) => bodies);
  return events.flatMap(({ schema: event }) =>
    records.flatMap(({ schema, mediaType }) => {
      const items = schema.at("items");
      const record = items.exists ? items : schema;
      const fields = isJsonType(mediaType) ? propertiesOf(record) : new Map<string, SourceLocation>();
      return [...propertiesOf(event)].flatMap(([name, eventSchema]): [string, Field, Field, Operation][] => {
        const recordSchema = fields.get(name);
        if (recordSchema === undefined) return [];
        return [[name, { schema: eventSchema, body: event }, { schema: recordSchema, body: record }, operation]];
      });
    }),
  );
}

function differencesOf(event: Field, record: Field): Facet[] {
  if (event.schema.id === record.schema.id) return [];
  const values = valuesOf(event.schema);
  const isSuperset = valuesOf(record.schema).every(({ name, types }) =>
    types.every((type) =>
      values.some((value) => (value.name === "" ? value.types.includes(type) : value.name === name)),
    ),
  );
  const sharesQuestions = (field: Field, other: Field) => {
    const otherQuestions = [...questionsOn(other.schema), ...questionsOn(other.body)];
    return questionsOn(field.schema).every((question) => otherQuestions.includes(question));
  };
  const differsIn: Record<Facet, boolean> = {
    type: !isSuperset,
    text: textOf(event.schema) !== textOf(record.schema),
    sensitivity: isSensitive(event.schema) !== isSensitive(record.schema),
    questions: !sharesQuestions(event, record) || !sharesQuestions(record, event),
  };
  return (Object.keys(differsIn) as Facet[]).filter((facet) => differsIn[facet]);
}

/** The alternatives of a value except null. The field of an event may have more alternatives than the field of the record. */
function valuesOf(schema: SourceLocation): { name: string; types: string[] }[] {
  const { target } = schema;
  const alternatives = [...target.child("oneOf").items(), ...target.child("anyOf").items()];
  const types = target.texts("type").filter((type) => type !== "null");
  if (target.id !== schema.id) return [{ name: target.name, types: types.length > 0 ? types : [target.name] }];
  if (alternatives.length > 0) return alternatives.flatMap(valuesOf);
  return [{ name: "", types }];
}

function textOf(schema: SourceLocation): string {
  const description = schema.text("description") ?? schema.target.text("description");
  return description ?? branchesOf(schema).map(textOf).join("");
}

function isSensitive(schema: SourceLocation): boolean {
  const isMarked = [schema, schema.target].some((location) => location.child("x-sensitive").exists);
  return isMarked || branchesOf(schema).some(isSensitive);
}

function questionsOn(schema: SourceLocation): string[] {
  const ownSchemas = [...new Set([schema, schema.target])];
  const branches = ownSchemas.flatMap((location) => subschemasOf(location)).filter(({ role }) => role === "in-place");
  return [
    ...ownSchemas.flatMap((location) => location.texts("x-open-questions")),
    ...branches.flatMap(({ schema: branch }) => questionsOn(branch)),
  ];
}
