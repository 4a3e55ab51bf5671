/** The form of `openapi/mock.yaml`. `Assume` in mock-control.yaml describes the settings that the control interface can change. */
import { isMap, SourceLocation } from "../model/index.ts";
import { compileErrorOf } from "./validation.ts";
import { mapOf, mapWith, refuse, text, textList, valueOfForm } from "./value-of-form.ts";

const bodyMistakes = { mediaType: text, tooLarge: text, alternative: text, missing: text, otherwise: text };

/** Members that the control interface cannot change. */
const fixedMembers: Readonly<Record<string, object>> = {
  questions: textList,
  responses: textList,
  refusals: textList,
  outcomes: mapOf(text),
  kind: { enum: ["fiat", "crypto"] },
  decimals: { type: "integer", minimum: 0 },
  invalidRequests: mapWith(
    { code: text },
    {
      questions: textList,
      operations: mapOf(mapWith({}, { body: mapWith({}, bodyMistakes), parameters: mapOf(text) })),
    },
  ),
};

/** @throws {RefusedValue} if a part of the file is malformed. */
export function refuseMalformedMock(mock: SourceLocation, mockControl: SourceLocation | undefined): void {
  for (const { value, form } of partsOfMock(mock, mockControl)) valueOfForm(value, form);
}

/** The parts of mock.yaml with their forms. If there is no schema `Assume`, only the fixed members. */
export function partsOfMock(
  mock: SourceLocation,
  mockControl: SourceLocation | undefined,
): { value: SourceLocation; form: object }[] {
  const form = mockControl && assumeForms(mockControl)?.file;
  return [
    ...(form === undefined ? [] : [{ value: withoutFixedMembers(mock), form }]),
    ...fixedMembersIn(mock).map((value) => ({ value, form: fixedMembers[value.key] as object })),
  ];
}

interface AssumeForms {
  /** The settings that the control interface can change. */
  settings: object;
  /** The file without its fixed members, but with the name of the fixed section: it is suggested if misspelt. */
  file: object;
}

const formsByDocument = new WeakMap<object, AssumeForms>();

/**
 * Returns the same objects for the same document, because compiled schemas are cached by identity.
 *
 * @throws {RefusedValue} if `Assume` is no valid schema.
 */
export function assumeForms(mockControl: SourceLocation): AssumeForms | undefined {
  const schemas = mockControl.child("components", "schemas");
  const assume = schemas.child("Assume");
  if (!assume.exists) return undefined;
  if (!isMap(assume.value)) refuse(assume, "is no object", "Write a schema");
  const cachedForms = formsByDocument.get(schemas.value as object);
  if (cachedForms !== undefined) return cachedForms;
  const json = JSON.stringify(schemas.value).replaceAll("#/components/schemas/", "#/$defs/");
  const $defs = JSON.parse(json) as { Assume: { properties?: object } };
  const { Assume } = $defs;
  const file = { ...Assume, properties: { ...Assume.properties, invalidRequests: true }, $defs };
  const forms = { settings: { $ref: "#/$defs/Assume", $defs }, file };
  const compileError = compileErrorOf(forms.settings);
  if (compileError !== undefined) refuse(assume, `is no valid schema: ${compileError}`, "Correct it");
  formsByDocument.set(schemas.value as object, forms);
  return forms;
}

function withoutFixedMembers(location: SourceLocation): SourceLocation {
  const { source, pointer } = location;
  const json = JSON.stringify(location.value, (key, value) => (Object.hasOwn(fixedMembers, key) ? undefined : value));
  return new SourceLocation(JSON.parse(json), { source, pointer, resolve: () => undefined });
}

export function fixedMembersIn(location: SourceLocation): SourceLocation[] {
  return location
    .children()
    .flatMap(([key, part]) => (Object.hasOwn(fixedMembers, key) ? [part] : fixedMembersIn(part)));
}
