/** `invalidRequests` in `openapi/mock.yaml` has a default and exceptions. */
import type { Requirement } from "./extensions.ts";
import type {
  DocumentedResponse,
  InvalidBodyResponses,
  InvalidRequestExceptions,
  InvalidRequests,
  Parameter,
} from "./model.ts";
import { walkSchema } from "./schemas.ts";
import type { SourceLocation } from "./source-location.ts";

/** @param register the section `invalidRequests`. */
export function readInvalidRequests(register: SourceLocation): InvalidRequests {
  const operations = register.child("operations").entries();
  const readExceptions = (location: SourceLocation): InvalidRequestExceptions => {
    const [body, parameters] = [location.child("body"), location.child("parameters")];
    return {
      ...(body.exists && { body: body.textMembers() }),
      ...(parameters.exists && { parameters: parameters.textMembers() }),
    };
  };
  return {
    code: register.text("code") ?? "",
    operations: Object.fromEntries(
      operations.map(([operationId, location]) => [operationId, readExceptions(location)]),
    ),
  };
}

type CheckedParameter = Pick<Parameter, "name" | "in" | "required" | "schema">;

export interface OperationRules {
  responses: DocumentedResponse[];
  requirements: Requirement[];
  defaults: InvalidRequests;
  exceptions: InvalidRequestExceptions | undefined;
}

export function invalidBodyResponses(rules: OperationRules): InvalidBodyResponses | undefined {
  const otherwise = defaultResponse(rules);
  const exceptions = rules.exceptions?.body;
  return exceptions === undefined ? otherwise : { ...(otherwise !== undefined && { otherwise }), ...exceptions };
}

function defaultResponse({ responses, defaults }: OperationRules): string | undefined {
  return findDocumented(responses, defaults.code) ?? findDocumented(responses, "400");
}

/**
 * The P-code or status of the response to an invalid parameter; undefined if the parameter cannot be invalid or no such response is
 * documented.
 *
 * Without an exception, an invalid path value is refused like an unknown id: with the P-code of the parameter's condition in `x-requires`,
 * or 404. Any other parameter is refused with the default P-code or 400. Of two responses, the one that is documented is used.
 */
export function invalidParameterResponse(parameter: CheckedParameter, rules: OperationRules): string | undefined {
  const { name, in: location } = parameter;
  if (!canBeInvalid(parameter)) return undefined;
  const { responses, requirements, exceptions } = rules;
  const requirement = requirements.find(({ expressions }) => expressions.includes(`$request.${location}.${name}`));
  const unknownIdResponse = requirement?.code ?? findDocumented(responses, "404");
  const invalidValueResponse = defaultResponse(rules);
  return (
    exceptions?.parameters?.[name] ??
    (location === "path" ? (unknownIdResponse ?? invalidValueResponse) : (invalidValueResponse ?? unknownIdResponse))
  );
}

/** Returns `codeOrStatus` if a response lists this P-code, or if the response with this status lists no P-codes; otherwise undefined. */
export function findDocumented(responses: DocumentedResponse[], codeOrStatus: string): string | undefined {
  const isDocumented = responses.some(({ key, codes }) => {
    return codes.includes(codeOrStatus) || (key === codeOrStatus && codes.length === 0);
  });
  return isDocumented ? codeOrStatus : undefined;
}

export function canBeInvalid({ in: location, required, schema }: CheckedParameter): boolean {
  return (required && location !== "path") || canRefuse(schema);
}

/** Whether the schema can refuse a value of a parameter, which is always a non-empty string. */
function canRefuse(schema: SourceLocation): boolean {
  let refusesStrings = false;
  walkSchema(
    schema,
    ({ value }) => {
      refusesStrings ||= Object.entries(value as object).some(([keyword, limit]) => {
        if (keyword === "type") return ![limit].flat().includes("string");
        if (keyword === "minLength") return limit > 1;
        return ["pattern", "format", "enum", "const", "maxLength", "not"].includes(keyword);
      });
    },
    { includesConditions: false },
  );
  return refusesStrings;
}
