/** The errors of an open response, an `anyOf` without a discriminator, which the OpenAPI 3.0 form replaces with one schema. */
import {
  generalError,
  isCode,
  isRef,
  type JsonSchema,
  keysOf,
  type OpenApiDocument,
  type Ref,
  type ResponseObject,
  SourceLocation,
  schemasOfValue,
  visitObjects,
} from "../model/index.ts";

const errorWithOrWithoutCode = "ErrorWithOrWithoutCode";

/** The references of an `anyOf` that lists the errors of an open response; empty for any other `anyOf`. */
export function openErrorsOf(anyOf: readonly JsonSchema[] = []): Ref[] {
  const references = anyOf.filter((alternative) => isRef(alternative));
  const isError = ({ $ref }: Ref) => $ref === refTo(generalError) || isCode(componentName($ref));
  return references.length === anyOf.length && references.some(isError) ? references : [];
}

/** The reference to the schema that describes each of the errors. */
export function schemaOfErrors(errors: readonly Ref[], document: OpenApiDocument): Ref {
  const generalFields = requiredFields({ $ref: refTo(generalError) }, document);
  const hasGeneralFields = errors.every((error) => {
    const fields = requiredFields(error, document);
    return generalFields.every((field) => fields.includes(field));
  });
  return { $ref: refTo(hasGeneralFields ? generalError : errorWithOrWithoutCode) };
}

/** The schema of the errors that lack a field of the general error. @param general the schema of the general error. */
export function schemasOfUncodedErrors(
  general: JsonSchema | undefined,
  document: OpenApiDocument,
): Record<string, JsonSchema> {
  if (general === undefined) return {};
  const fieldLists: string[][] = [];
  visitObjects(document, (object) => {
    for (const error of openErrorsOf((object as JsonSchema).anyOf as JsonSchema[])) {
      fieldLists.push(requiredFields(error, document));
    }
  });
  const required = general.required?.filter((field) => fieldLists.every((fields) => fields.includes(field)));
  const [title, description] = ["Error with or without a code", "The error format with any P-code, or without one."];
  return { [errorWithOrWithoutCode]: { ...general, title, description, required } as JsonSchema };
}

/** Lists the P-codes of an open response in its description, because its simplified schema does not list them. */
export function withKnownCodes(response: ResponseObject): ResponseObject {
  const errors = Object.values(response.content ?? {}).flatMap(({ schema }) =>
    openErrorsOf(schema?.anyOf as JsonSchema[]),
  );
  const codes = errors.map(({ $ref }) => componentName($ref)).filter(isCode);
  if (codes.length === 0) return response;
  return { ...response, description: `${response.description} Known codes: ${codes.join(", ")}. Others are possible.` };
}

function requiredFields({ $ref }: Ref, document: OpenApiDocument): string[] {
  const schema = SourceLocation.ofDocument(document).child(...keysOf($ref));
  return schemasOfValue(schema, "allOf").flatMap((location) => location.texts("required"));
}

function componentName($ref: string): string {
  return keysOf($ref).at(-1) ?? "";
}

function refTo(name: string): string {
  return `#/components/schemas/${name}`;
}
