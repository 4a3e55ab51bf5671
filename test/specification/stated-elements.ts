/** The statements of the specification as elements: names as in elements.ts, each with the line that states the element. */
import { errorFormat } from "./stated-errors.ts";
import { failuresOf, type OperationRows, operations, webhook } from "./stated-operations.ts";
import { type FieldRow, nameOf, valueSentences } from "./stated-records.ts";

type ElementLine = [name: string, quote: string];

export function elementLinesOf(rows: OperationRows): ElementLine[] {
  const { operationId: id, heading, parameters = [], body, success, errors } = rows;
  return [
    [id, heading],
    ...parameters.flatMap((parameter): ElementLine[] => {
      const name = `${id} ${parameter.in} ${parameter.name}`;
      // The only stated query parameter is required: it identifies the record, and the operation has no other parameter.
      return [
        [name, parameter.quote],
        ...(parameter.in === "query" ? [[`${name} required`, parameter.quote] as ElementLine] : []),
      ];
    }),
    ...(body === undefined
      ? []
      : [[`${id} request`, body.quote] as ElementLine, ...fieldLines(`${id} request`, body.fields)]),
    ...success.flatMap((response): ElementLine[] => {
      const name = `${id} ${response.status}`;
      if ("code" in response)
        return [
          [name, response.quote],
          [`${name} ${response.code}`, response.quote],
        ];
      return [[name, response.quote], ...fieldLines(name, "array" in response ? response.array : response.record)];
    }),
    ...[...failuresOf(rows)].flatMap(([status, codes]): ElementLine[] => {
      const name = `${id} ${status}`;
      if (codes.length > 0) return [[name, errors], ...codes.map((code): ElementLine => [`${name} ${code}`, errors])];
      const fields = errorFormat.fields.filter((field) => field !== "errorCode").map((field) => `${name}.${field}`);
      return [
        [name, errors],
        ...fields.flatMap((field): ElementLine[] => [
          [field, errorFormat.quote],
          [`${field} required`, errorFormat.quote],
        ]),
      ];
    }),
  ];
}

export function webhookElementLines(): ElementLine[] {
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
  ...operations.flatMap(elementLinesOf),
  ...webhookElementLines(),
]);

/** The specification states for every webhook its name, a JSON body and the response 200. These names lack the key of the webhook. */
export const elementsOfEveryWebhook = ["", " request", ` ${webhook.response.status}`];

function fieldLines(holder: string, fields: FieldRow[]): ElementLine[] {
  return fields.flatMap((row): ElementLine[] => {
    const name = `${holder}.${nameOf(row)}`;
    return [
      [name, row.quote],
      ...(row.alwaysPresentQuote === undefined ? [] : [[`${name} required`, row.alwaysPresentQuote] as ElementLine]),
      ...(row.values ?? []).map((value): ElementLine => [`${name}=${value}`, sentenceWith(value) ?? row.quote]),
    ];
  });
}

function sentenceWith(value: string): string | undefined {
  return Object.values(valueSentences).find((sentence) => new RegExp(`\\b${value}\\b`).test(sentence));
}
