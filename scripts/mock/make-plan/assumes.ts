import type { Contract, DocumentedResponse, Operation, SourceLocation } from "../../contract/model/index.ts";

interface Section {
  readonly questions: readonly string[];
  readonly responses?: readonly string[];
  readonly refusals?: readonly string[];
}

/**
 * Returns the `proposed` marks and open questions behind each response, by status or P-code. A section of mock.yaml lists under `responses`
 * the operations whose successes depend on it, and under `refusals` the operations that it can make refuse.
 */
export function assumesOf(
  operation: Operation,
  { errorCodes }: Contract,
  assumptions: Readonly<Record<string, Section>>,
): Record<string, string[]> {
  const { operationId, location, parameters, requestBody } = operation;
  const sections = Object.values(assumptions).filter(({ responses }) => responses?.includes(operationId));
  const ofAssumptions = sections.flatMap(({ questions }) => questions);
  const bodies = (requestBody?.bodies ?? []).flatMap(({ schema }) => marksIn(schema));
  const ofOperation = marksAt(location);
  const early = Object.values(assumptions).filter(({ refusals }) => refusals?.includes(operationId));
  const ofRefusal = early.flatMap(({ questions }) => questions);
  const ofSuccess = [...ofAssumptions, ...bodies, ...parameters.flatMap((one) => marksIn(one.location))];
  const refusals = [requestBody, ...parameters].flatMap((part) => {
    const response = part?.invalidRequest ?? [];
    return typeof response === "string" ? response : Object.values(response);
  });
  const ofRefusals = (key: string) => (refusals.includes(key) ? (assumptions.invalidRequests?.questions ?? []) : []);
  const entries = operation.responses.flatMap((response): [string, string[]][] => {
    const isRefusal = response.status >= 400;
    const ofResponse = [...ofOperation, ...(isRefusal ? ofRefusal : ofSuccess), ...marksOf(response)];
    const ofCodes = response.codeRefs.map(({ code, location }): [string, string[]] => {
      const error = errorCodes.find((candidate) => candidate.code === code);
      const ofCode = [...marksAt(location), ...(error === undefined ? [] : marksAt(error.location))];
      return [code, [...ofResponse, ...ofCode, ...ofRefusals(code)]];
    });
    return [[response.key, [...ofResponse, ...ofRefusals(response.key)]], ...ofCodes];
  });
  const marked = entries.filter(([, marks]) => marks.length > 0);
  return Object.fromEntries(marked.map(([key, marks]) => [key, [...new Set(marks)].sort()]));
}

function marksOf({ location, bodies }: DocumentedResponse): string[] {
  return [...marksAt(location), ...marksAt(location.target), ...bodies.flatMap(({ schema }) => marksIn(schema))];
}

/** The marks of a schema and of its `allOf`, `anyOf` and `oneOf` branches, but not of its properties. */
function marksIn(schema: SourceLocation): string[] {
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => schema.target.own(keyword).items());
  return [...marksAt(schema), ...marksAt(schema.target), ...parts.flatMap(marksIn)];
}

function marksAt(location: SourceLocation): string[] {
  const isProposed = location.own("x-provenance").value === "proposed";
  const questions = location
    .own("x-open-questions")
    .items()
    .map(({ value }) => String(value));
  return [...(isProposed ? ["proposed"] : []), ...questions];
}
