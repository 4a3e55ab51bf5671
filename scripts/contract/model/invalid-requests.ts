/** The assumed responses to requests that do not match their schemas. `invalidRequests` in `openapi/mock.yaml` lists the exceptions. */
import type { InvalidRequest } from "./document.ts";
import type { Requirement } from "./machine-data.ts";
import type { DocumentedResponse, InvalidRequests, OwnInvalidRequests, Parameter } from "./model.ts";
import { walkSchema } from "./schemas.ts";
import type { SourceLocation } from "./source-location.ts";

interface Documented {
  responses: DocumentedResponse[];
  requires: Requirement[];
  assumed: InvalidRequests;
  own: OwnInvalidRequests | undefined;
}

export function invalidBody({ responses, assumed, own }: Documented): InvalidRequest | undefined {
  const otherwise = documented(responses, assumed.code) ?? documented(responses, "400");
  return own?.body === undefined ? otherwise : { ...(otherwise === undefined ? {} : { otherwise }), ...own.body };
}

/**
 * The response to an invalid path value is the same as to an id that does not exist: the P-code of the parameter's condition in
 * `x-requires`, otherwise 404 if the operation documents it.
 */
export function invalidParameter(
  parameter: Parameter,
  { responses, requires, assumed, own }: Documented,
): string | undefined {
  const { name, in: location } = parameter;
  if (!canBeInvalid(parameter)) return undefined;
  const condition = requires.find(({ of }) => of.includes(`$request.${location}.${name}`));
  const unknown = condition?.code ?? documented(responses, "404");
  const invalid = documented(responses, assumed.code) ?? documented(responses, "400");
  return own?.parameters?.[name] ?? (location === "path" ? (unknown ?? invalid) : (invalid ?? unknown));
}

/** Returns `codeOrStatus` if a response lists this P-code, or if the response with this status lists no P-codes. */
export function documented(responses: DocumentedResponse[], codeOrStatus: string): string | undefined {
  const isDocumented = responses.some(({ key, codes }) => {
    return codes.includes(codeOrStatus) || (key === codeOrStatus && codes.length === 0);
  });
  return isDocumented ? codeOrStatus : undefined;
}

export function canBeInvalid({ in: location, required, schema }: Parameter): boolean {
  return (required && location !== "path") || canRefuse(schema);
}

/** Whether there is a non-empty string that the schema refuses. Parameter values are strings. */
function canRefuse(schema: SourceLocation): boolean {
  let refuses = false;
  walkSchema(
    schema,
    ({ value }) => {
      refuses ||= Object.entries(value as object).some(([keyword, limit]) => {
        if (keyword === "type") return ![limit].flat().includes("string");
        if (keyword === "minLength") return limit > 1;
        return ["pattern", "format", "enum", "const", "maxLength", "not"].includes(keyword);
      });
    },
    { conditions: false },
  );
  return refuses;
}
