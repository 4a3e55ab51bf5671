/** The statements of the specification as elements: names as in elements.ts, each with the line that states the element. */
import { errorFormat } from "./stated-errors.ts";
import { failuresOf, type OperationRows, operations, webhook } from "./stated-operations.ts";
import { type FieldRow, nameOf, valueSentences } from "./stated-records.ts";

type Line = [name: string, quote: string];

export function statedOf(rows: OperationRows): Line[] {
  const { operationId: id, heading, parameters = [], body, success, errors } = rows;
  return [
    [id, heading],
    ...parameters.flatMap((parameter): Line[] => {
      const name = `${id} ${parameter.in} ${parameter.name}`;
      // A stated query parameter is required: it is an identifier, and the operation has no other parameter.
      return [
        [name, parameter.quote],
        ...(parameter.in === "query" ? [[`${name} required`, parameter.quote] as Line] : []),
      ];
    }),
    ...(body === undefined ? [] : [[`${id} request`, body.quote] as Line, ...fieldLines(`${id} request`, body.fields)]),
    ...success.flatMap((response): Line[] => {
      const name = `${id} ${response.status}`;
      if ("code" in response)
        return [
          [name, response.quote],
          [`${name} ${response.code}`, response.quote],
        ];
      return [[name, response.quote], ...fieldLines(name, "array" in response ? response.array : response.record)];
    }),
    ...[...failuresOf(rows)].flatMap(([status, codes]): Line[] => {
      const name = `${id} ${status}`;
      if (codes.length > 0) return [[name, errors], ...codes.map((code): Line => [`${name} ${code}`, errors])];
      const fields = errorFormat.fields.filter((field) => field !== "errorCode").map((field) => `${name}.${field}`);
      return [
        [name, errors],
        ...fields.flatMap((field): Line[] => [
          [field, errorFormat.quote],
          [`${field} required`, errorFormat.quote],
        ]),
      ];
    }),
  ];
}

export function statedOfWebhook(): Line[] {
  const { key, heading, call, body, response } = webhook;
  return [
    [key, heading],
    [`${key} path`, call],
    [`${key} request`, body.quote],
    ...fieldLines(`${key} request`, body.fields),
    [`${key} ${response.status}`, response.quote],
  ];
}

export const statedElements: ReadonlyMap<string, string> = new Map([
  ...operations.flatMap(statedOf),
  ...statedOfWebhook(),
]);

/** The elements that the specification states for every named webhook: the webhook, its JSON body, and the response 200. */
export const statedOfEveryWebhook = ["", " request", ` ${webhook.response.status}`];

function fieldLines(holder: string, fields: FieldRow[]): Line[] {
  return fields.flatMap((row): Line[] => {
    const name = `${holder}.${nameOf(row)}`;
    return [
      [name, row.quote],
      ...(row.always === undefined ? [] : [[`${name} required`, row.always] as Line]),
      ...(row.values ?? []).map((value): Line => [`${name}=${value}`, sentenceWith(value) ?? row.quote]),
    ];
  });
}

function sentenceWith(value: string): string | undefined {
  return Object.values(valueSentences).find((sentence) => new RegExp(`\\b${value}\\b`).test(sentence));
}
