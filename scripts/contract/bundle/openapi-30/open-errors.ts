/** An open response lists its errors in an `anyOf` without a discriminator. The OpenAPI 3.0 form replaces the `anyOf` with one schema. */
import { isDeepStrictEqual } from "node:util";
import { omit } from "../../../base/index.ts";
import {
  codeProperty,
  generalError,
  isAnnotation,
  isCode,
  isRef,
  type JsonSchema,
  keysOf,
  type OpenApiDocument,
  type Ref,
  type ResponseObject,
  SourceLocation,
  visitObjects,
} from "../../model/index.ts";
import { withMarksOf } from "../combine-keywords.ts";

const errorWithOrWithoutCode = "ErrorWithOrWithoutCode";

/** The references of an `anyOf` that lists the errors of an open response; empty for any other `anyOf`. */
export function openErrorsOf(anyOf: readonly JsonSchema[] = [], document: OpenApiDocument): Ref[] {
  const errors = anyOf.filter((alternative) => isRef(alternative));
  const hasKnownError = errors.some(({ $ref }) => $ref === refTo(generalError) || isCode(componentName($ref)));
  const areErrors =
    errors.length === anyOf.length && hasKnownError && errors.every((error) => isError(error, document));
  return areErrors ? errors : [];
}

/** Whether the general error describes the target of the reference. The code, annotations and `required` may differ. */
function isError(reference: Ref, document: OpenApiDocument): boolean {
  const general = targetOf({ $ref: refTo(generalError) }, document);
  const { properties = {}, ...keywords } = targetOf(reference, document);
  const hasFields = Object.entries(properties).every(
    ([name, field]) => name === codeProperty || isDeepStrictEqual(field, general.properties?.[name]),
  );
  const hasOnlyAnnotations = Object.keys(reference).every((keyword) => keyword === "$ref" || isAnnotation(keyword));
  return hasFields && hasOnlyAnnotations && isDeepStrictEqual(constraintsOf(keywords), constraintsOf(general));
}

function constraintsOf(schema: JsonSchema): object {
  return omit(schema, "properties", "required", ...Object.keys(schema).filter(isAnnotation));
}

/** A reference to one schema that describes all of the errors. */
export function schemaOfErrors(errors: readonly Ref[], document: OpenApiDocument): Ref {
  const generalFields = requiredFields({ $ref: refTo(generalError) }, document);
  const hasGeneralFields = errors.every((error) => {
    const fields = requiredFields(error, document);
    return generalFields.every((field) => fields.includes(field));
  });
  return { $ref: refTo(hasGeneralFields ? generalError : errorWithOrWithoutCode) };
}

/** The schema for open responses with errors that do not require each field of the general error, the simplified `general`. */
export function schemasOfUncodedErrors(
  general: JsonSchema | undefined,
  document: OpenApiDocument,
): Record<string, JsonSchema> {
  if (general === undefined) return {};
  const errors: JsonSchema[] = [];
  visitObjects(document, (object) => {
    const { anyOf } = object as JsonSchema;
    errors.push(...openErrorsOf(anyOf as JsonSchema[], document).map((error) => targetOf(error, document)));
  });
  const required = general.required?.filter((field) => errors.every((error) => error.required?.includes(field)));
  const uncodedErrors = errors.filter((error) => general.required?.some((field) => !error.required?.includes(field)));
  const [title, description] = ["Error with or without a code", "The error format with any P-code, or without one."];
  const schema = { ...omit(general, "x-origin", "x-since"), title, description, required } as JsonSchema;
  return { [errorWithOrWithoutCode]: withMarksOf(schema, ...uncodedErrors) };
}

/** A description that lists the P-codes of an open response, because its simplified schema does not. Empty for other responses. */
export function descriptionWithCodes(
  { content = {}, description }: ResponseObject,
  document: OpenApiDocument,
): Partial<ResponseObject> {
  const errors = Object.values(content).flatMap(({ schema }) => openErrorsOf(schema?.anyOf as JsonSchema[], document));
  const codes = errors.map(({ $ref }) => componentName($ref)).filter(isCode);
  return codes.length === 0
    ? {}
    : { description: `${description} Known codes: ${codes.join(", ")}. Others are possible.` };
}

function requiredFields(reference: Ref, document: OpenApiDocument): string[] {
  return targetOf(reference, document).required ?? [];
}

function targetOf({ $ref }: Ref, document: OpenApiDocument): JsonSchema {
  return (SourceLocation.ofDocument(document).child(...keysOf($ref)).target.value ?? {}) as JsonSchema;
}

function componentName($ref: string): string {
  return keysOf($ref).at(-1) ?? "";
}

function refTo(name: string): string {
  return `#/components/schemas/${name}`;
}
