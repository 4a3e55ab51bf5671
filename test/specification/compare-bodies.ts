import fc from "fast-check";
import type { JsonSchema } from "../../scripts/contract/model/index.ts";
import { violations } from "../support/schema.ts";
import type { Elements } from "./elements.ts";
import { type Kind, kinds, valuesOf } from "./kinds.ts";
import { type FieldRow, nameOf } from "./stated-records.ts";

export interface StatedBody {
  name: string;
  schema: JsonSchema;
  fields: FieldRow[];
  elements: Elements;
}

export function differenceUnless(isEqual: boolean, difference: string, quote: string): string[] {
  return isEqual ? [] : [`${difference} <- ${quote}`];
}

export function bodyDifferences(body: StatedBody): string[] {
  const fields = body.fields.flatMap((row) => fieldDifferences(body, row));
  return fields.length > 0 ? fields : combinationDifferences(body);
}

export function valueDifferences(place: string, schema: JsonSchema, kind: Kind, quote: string): string[] {
  return probeKind(place, kind, quote, (value) => violations(schema, value), false);
}

function fieldDifferences({ name, schema, fields, elements }: StatedBody, row: FieldRow): string[] {
  const field = nameOf(row);
  const element = elements.get(`${name}.${field}`);
  if (element === undefined) return [`${name} has no field ${field} <- ${row.quote}`];
  const descriptions = descriptionsOf(schema, field);
  const { descriptionPattern } = row;
  return [
    ...(row.types ?? [undefined]).flatMap((type) => {
      const otherFields = sampleOf(fields, type);
      const violationsOf = (value: unknown) => violations(schema, { ...otherFields, [field]: value });
      return probeKind(`${name}.${field}`, row.kind, row.quote, violationsOf, element.questions.length > 0);
    }),
    ...(row.presentIf?.values ?? []).flatMap((value) => {
      const { [field]: _, ...bodyWithoutField } = {
        ...sampleOf(fields, undefined),
        [row.presentIf?.field ?? ""]: value,
      };
      return differenceUnless(
        violations(schema, bodyWithoutField).length > 0,
        `${name}.${field} may be absent for ${value}`,
        row.quote,
      );
    }),
    ...differenceUnless(
      row.mayBeAbsentQuote === undefined || !elements.has(`${name}.${field} required`),
      `${name}.${field} is required`,
      row.quote,
    ),
    ...(descriptions.length === 0 ? [`${name}.${field} has no description <- ${row.quote}`] : []),
    ...(descriptions.length > 0 &&
    descriptionPattern !== undefined &&
    !descriptions.some((text) => descriptionPattern.test(text))
      ? [`${name}.${field} is described as "${descriptions.join(" / ")}" <- ${row.quote}`]
      : []),
  ];
}

/** @param isAsked whether an open question covers the field; null is then permitted. */
function probeKind(
  place: string,
  kind: Kind,
  quote: string,
  violationsOf: (value: unknown) => string[],
  isAsked: boolean,
): string[] {
  const { validValues, invalidValues } = kinds[kind];
  const refusedValues = validValues.filter((value) => violationsOf(value).length > 0);
  const acceptedValues = (invalidValues as unknown[]).filter(
    (value) => violationsOf(value).length === 0 && !(isAsked && value === null),
  );
  return [
    ...refusedValues.map((value) => `${place} refuses ${JSON.stringify(value)}: ${violationsOf(value)[0]} <- ${quote}`),
    ...acceptedValues.map((value) => `${place} accepts ${JSON.stringify(value)} <- ${quote}`),
  ];
}

function combinationDifferences({ name, schema, fields, elements }: StatedBody): string[] {
  const requiredNames = fields.map(nameOf).filter((field) => elements.has(`${name}.${field} required`));
  const type = fields.find((row) => nameOf(row) === "type");
  const bodies: fc.Arbitrary<Record<string, unknown>> = fc
    .constantFrom(...(type?.values ?? [undefined]))
    .chain((value) => {
      const ownFields = fields.filter(({ types }) => types === undefined || types.includes(String(value)));
      const arbitraries = ownFields.map((row) => [nameOf(row), row === type ? fc.constant(value) : arbitraryOf(row)]);
      const model: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries([
        ...arbitraries,
        ["aFieldOfTomorrow", fc.anything()],
      ]);
      return fc.record(model, {
        requiredKeys: requiredNames.filter((field) => ownFields.some((row) => nameOf(row) === field)),
      });
    });
  const smallestBodies = [undefined, ...(type?.values ?? [])].map((value) => {
    const sample = Object.entries(sampleOf(fields, value)).filter(([field]) => requiredNames.includes(field));
    return [{ ...Object.fromEntries(sample), ...(value === undefined ? {} : { type: value }) }] as [
      Record<string, unknown>,
    ];
  });
  const { counterexample } = fc.check(
    fc.property(
      bodies,
      (body: Record<string, unknown>) => isStatedFieldMissing(fields, body) || violations(schema, body).length === 0,
    ),
    { numRuns: 200, examples: smallestBodies },
  );
  return counterexample === null
    ? []
    : [`${name} refuses ${JSON.stringify(counterexample[0])}: ${violations(schema, counterexample[0])[0]}`];
}

function isStatedFieldMissing(fields: FieldRow[], body: Record<string, unknown>): boolean {
  return fields.some((row) => {
    return row.presentIf?.values.includes(String(body[row.presentIf.field])) === true && !(nameOf(row) in body);
  });
}

function arbitraryOf({ kind, values = [] }: FieldRow): fc.Arbitrary<unknown> {
  return values.length === 0 ? valuesOf(kind) : fc.oneof(fc.constantFrom(...values), valuesOf(kind));
}

/** @param type the transaction type whose fields are included; undefined to include only the fields that all types have. */
function sampleOf(fields: FieldRow[], type: string | undefined): Record<string, unknown> {
  const ownFields = fields.filter(({ types }) => types === undefined || (type !== undefined && types.includes(type)));
  const values = ownFields.map((row) => [
    nameOf(row),
    nameOf(row) === "type" ? (type ?? "payment") : kinds[row.kind].validValues[0],
  ]);
  return Object.fromEntries(values);
}

function descriptionsOf(schema: unknown, property: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((branch) => descriptionsOf(branch, property));
  if (typeof schema !== "object" || schema === null) return [];
  const { properties, allOf, anyOf, oneOf } = schema as JsonSchema;
  const { description } = (properties as Record<string, JsonSchema> | undefined)?.[property] ?? {};
  const ownDescriptions = typeof description === "string" ? [description.replaceAll(/\s+/g, " ")] : [];
  return [...ownDescriptions, ...[allOf, anyOf, oneOf].flatMap((branches) => descriptionsOf(branches ?? [], property))];
}
