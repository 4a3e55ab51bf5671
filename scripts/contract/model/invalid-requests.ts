/**
 * The documented response to a request that does not match its schema. This is an assumption: it is derived from the documented responses,
 * and `invalidRequests` in `openapi/mock.yaml` lists the exceptions.
 */
import type { InvalidRequest } from "./document.ts";
import type { Requirement } from "./machine-data.ts";
import type { DocumentedResponse, InvalidRequests, OwnInvalidRequests, Parameter } from "./model.ts";
import { walkSchema } from "./schemas.ts";
import type { SourceLocation } from "./source-location.ts";

/** The data of an operation from which the responses are derived. */
interface Documented {
  responses: DocumentedResponse[];
  requires: Requirement[];
  assumed: InvalidRequests;
  own: OwnInvalidRequests | undefined;
}

/** The response to an invalid body; undefined where none is documented. */
export function invalidBody({ responses, assumed, own }: Documented): InvalidRequest | undefined {
  const otherwise = documented(responses, assumed.code) ?? documented(responses, "400");
  return own?.body === undefined ? otherwise : { ...(otherwise === undefined ? {} : { otherwise }), ...own.body };
}

/**
 * The response to an invalid parameter; undefined where the parameter cannot be invalid, or the contract documents no such response. An
 * invalid path value is treated as an unknown one: the response is the code of its condition, or 404.
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

/** A P-code, or the status of a response without one, if the responses document it. */
export function documented(responses: DocumentedResponse[], codeOrStatus: string): string | undefined {
  const isDocumented = responses.some(({ key, codes }) => {
    return codes.includes(codeOrStatus) || (key === codeOrStatus && codes.length === 0);
  });
  return isDocumented ? codeOrStatus : undefined;
}

/** Whether a request can lack the parameter although it is required (never in the path), or give it a value that its schema refuses. */
export function canBeInvalid({ in: location, required, schema }: Parameter): boolean {
  return (required && location !== "path") || canRefuse(schema);
}

/** Whether a schema refuses some non-empty text, since parameter values are texts. */
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
