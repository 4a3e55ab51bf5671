import {
  alternativesOf,
  canBeInvalid,
  type DocumentedResponse,
  findDocumented,
  generalError,
  isJsonType,
  type Operation,
  type SourceLocation,
} from "../../contract/model/index.ts";
import type { Check, Judge } from "../rule.ts";
import { errorWithoutCode, type SourceContract } from "../source-contract.ts";

export const responseRules: Record<string, Judge> = {
  "response-status"({ subjects }, check) {
    for (const { label, responses } of subjects) {
      for (const { key, location } of responses) {
        const isExactStatus = /^[1-5]\d{2}$/.test(key);
        check(isExactStatus, location, `${label} documents a response "${key}", which is not an exact status`);
      }
    }
  },

  // The rule `coded-response` reports the media types of errors.
  "one-media-type"(contract, check) {
    for (const { label, requestBody, responses } of contract.operations) {
      const otherResponses = responses.filter((response) => !isErrorOrCoded(response, contract));
      for (const { location, bodies } of requestBody === undefined
        ? otherResponses
        : [requestBody, ...otherResponses]) {
        const mediaTypes = bodies.map(({ mediaType }) => mediaType).join(", ");
        check(bodies.length <= 1, location, `A request or response of ${label} has several media types: ${mediaTypes}`);
      }
    }
  },

  "coded-response"(contract, check) {
    for (const operation of contract.operations) {
      for (const response of operation.responses) {
        if (isErrorOrCoded(response, contract)) judgeCodedResponse(operation, response, contract, check);
      }
    }
  },

  "invalid-request"({ operations, files }, check) {
    for (const { label, requestBody, parameters } of operations) {
      const judge = (response: string | undefined, location: SourceLocation, subject: string) =>
        check(
          response !== undefined,
          location,
          `The response to an invalid ${subject} of ${label} is not defined`,
          "Add the operation to invalidRequests in openapi/mock.yaml, with a P-code or a status that it documents",
        );
      const response = requestBody?.invalidRequest;
      if (requestBody !== undefined) {
        judge(typeof response === "object" ? response.otherwise : response, requestBody.location, "body");
      }
      for (const parameter of parameters.filter(canBeInvalid)) {
        judge(parameter.invalidRequest, parameter.location, `parameter ${parameter.name}`);
      }
    }
    for (const [operationId, entry] of files.mock.child("invalidRequests", "operations").entries()) {
      const operation = operations.find((candidate) => candidate.operationId === operationId);
      const remedy = "Correct the operationId, or remove the entry";
      check(operation !== undefined, entry, `There is no operation ${operationId}`, remedy);
      if (operation !== undefined) judgeInvalidRequests(operation, entry, check);
    }
  },

  "unauthorized-response"({ operations }, check) {
    for (const { label, location, responses } of operations) {
      const isDocumented = responses.some(({ status }) => status === 401);
      check(isDocumented, location.child("responses"), `${label} does not document 401`);
    }
  },
};

function judgeCodedResponse(
  { label, provenance }: Operation,
  response: DocumentedResponse,
  contract: SourceContract,
  check: Check,
) {
  const { key, location, bodies, codes } = response;
  check(
    bodies.length > 0 && bodies.every(({ mediaType }) => isJsonType(mediaType)),
    location,
    `The ${key} response of ${label} is not JSON only`,
    "Describe the error in application/json, and in no other media type",
  );
  check(
    key !== "401" || codes.length === 0,
    location,
    `The 401 response of ${label} has a P-code, but the service sends none for a missing or wrong key`,
    "Refer to Unauthorized in responses.yaml",
  );
  // Without a provenance, which the rule `provenance` reports, it is unknown whether the response is open.
  if (provenance === undefined) return;
  const isOpen = provenance !== "specification" && (key === "400" || key === "404");
  const keyword = isOpen ? "anyOf" : "oneOf";
  for (const body of bodies) {
    const branches = body.schema.at(keyword).items();
    const knownBranches = branches.filter(({ target }) => target.name !== generalError);
    const isListOfCodes = isOpen
      ? knownBranches.length < branches.length &&
        knownBranches.every((branch) => isWithoutCode(branch) || isCatalogued(branch, contract))
      : knownBranches.length > 0 && branches.every((branch) => isCatalogued(branch, contract));
    check(
      isListOfCodes || (!isOpen && isWithoutCode(body.schema)),
      body.location.child("schema"),
      `The ${key} response of ${label} is not ${keyword === "oneOf" ? "a oneOf" : "an anyOf"} of P-codes${isOpen ? ` and ${generalError}` : ""}`,
      isOpen
        ? `List its known codes under anyOf, and ${generalError} as the last one`
        : `List its codes of errors.yaml under oneOf, or refer to ${errorWithoutCode} if it has none`,
    );
  }
}

function isErrorOrCoded({ key, bodies }: DocumentedResponse, contract: SourceContract): boolean {
  const schemas = bodies.flatMap(({ schema }) => [schema, ...alternativesOf(schema)]);
  return /^[45]/.test(key) || schemas.some((schema) => isCatalogued(schema, contract));
}

function isCatalogued({ target }: SourceLocation, { catalogue }: SourceContract): boolean {
  return catalogue.some(({ id }) => id === target.id);
}

function isWithoutCode({ target }: SourceLocation): boolean {
  return target.name === errorWithoutCode;
}

function judgeInvalidRequests(operation: Operation, entry: SourceLocation, check: Check): void {
  const { label, requestBody, parameters, responses } = operation;
  const body = entry.child("body");
  check(!body.exists || requestBody !== undefined, body, `${label} has no request body`, "Remove the entry");
  const parameterEntries = entry.child("parameters").entries();
  for (const [name, location] of parameterEntries) {
    const parameter = parameters.find((candidate) => candidate.name === name);
    const canBeRefused = parameter !== undefined && canBeInvalid(parameter);
    check(canBeRefused, location, `${label} has no parameter ${name} that can be invalid`, "Remove the entry");
  }
  for (const [, location] of [...body.entries(), ...parameterEntries]) {
    const response = String(location.value);
    const remedy = "Name one of its codes, or the status of a response without a code";
    check(
      findDocumented(responses, response) !== undefined,
      location,
      `${label} does not document ${response}`,
      remedy,
    );
  }
}
