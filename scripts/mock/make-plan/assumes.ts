import {
  type Contract,
  compositions,
  type DocumentedResponse,
  type Operation,
  type SourceLocation,
} from "../../contract/model/index.ts";

interface Section {
  readonly questions: readonly string[];
  readonly responses?: readonly string[];
  readonly refusals?: readonly string[];
}

/**
 * By status or P-code: `proposed`, and ids of open questions on which the response depends. A section of mock.yaml lists under `responses`
 * the operations whose successes depend on the section, and under `refusals` the operations whose errors depend on it.
 */
export function assumesOf(
  operation: Operation,
  { errorCodes }: Contract,
  assumptions: Readonly<Record<string, Section>>,
): Record<string, string[]> {
  const { operationId, location, parameters, requestBody } = operation;
  const sections = Object.values(assumptions).filter(({ responses }) => responses?.includes(operationId));
  const assumptionMarks = sections.flatMap(({ questions }) => questions);
  const bodyMarks = (requestBody?.bodies ?? []).flatMap(({ schema }) => marksIn(schema));
  const operationMarks = marksAt(location);
  const refusalSections = Object.values(assumptions).filter(({ refusals }) => refusals?.includes(operationId));
  const refusalMarks = refusalSections.flatMap(({ questions }) => questions);
  const successMarks = [
    ...assumptionMarks,
    ...bodyMarks,
    ...parameters.flatMap((parameter) => marksIn(parameter.location)),
  ];
  const invalidRequestKeys = [requestBody, ...parameters].flatMap((part) => {
    const response = part?.invalidRequest ?? [];
    return typeof response === "string" ? response : Object.values(response);
  });
  const invalidRequestMarks = (key: string) =>
    invalidRequestKeys.includes(key) ? (assumptions.invalidRequests?.questions ?? []) : [];
  const entries = operation.responses.flatMap((response): [string, string[]][] => {
    const isRefusal = response.status >= 400;
    const responseMarks = [...operationMarks, ...(isRefusal ? refusalMarks : successMarks), ...marksOf(response)];
    const codeEntries = response.codeRefs.map(({ code, location }): [string, string[]] => {
      const error = errorCodes.find((candidate) => candidate.code === code);
      const codeMarks = [...marksAt(location), ...(error === undefined ? [] : marksAt(error.location))];
      return [code, [...responseMarks, ...codeMarks, ...invalidRequestMarks(code)]];
    });
    return [[response.key, [...responseMarks, ...invalidRequestMarks(response.key)]], ...codeEntries];
  });
  const entriesWithMarks = entries.filter(([, marks]) => marks.length > 0);
  return Object.fromEntries(entriesWithMarks.map(([key, marks]) => [key, [...new Set(marks)].sort()]));
}

function marksOf({ location, bodies }: DocumentedResponse): string[] {
  return [...marksAt(location), ...marksAt(location.target), ...bodies.flatMap(({ schema }) => marksIn(schema))];
}

/** Includes the `allOf`, `anyOf` and `oneOf` branches of the schema, but not its properties. */
function marksIn(schema: SourceLocation): string[] {
  const parts = compositions.flatMap((keyword) => schema.target.child(keyword).items());
  return [...marksAt(schema), ...marksAt(schema.target), ...parts.flatMap(marksIn)];
}

function marksAt(location: SourceLocation): string[] {
  const isProposed = location.child("x-provenance").value === "proposed";
  const questions = location
    .child("x-open-questions")
    .items()
    .map(({ value }) => String(value));
  return [...(isProposed ? ["proposed"] : []), ...questions];
}
