/** What the answers of an operation rest on: the mark `proposed`, and questions that nobody has answered. */
import type { Answer, Contract, Operation, Place } from "../contract/index.ts";

/** A section of `openapi/mock.yaml`. */
interface Section {
  readonly questions: readonly string[];
  /** The operations whose answers rest on it. */
  readonly answers?: readonly string[];
}

/** What it rests on, by status and by P-code; what the operation itself rests on is part of each. */
export function assumesOf(
  operation: Operation,
  { errorCodes }: Contract,
  assumptions: Readonly<Record<string, Section>>,
): Record<string, string[]> {
  const { operationId, place, parameters, requestBody } = operation;
  const sections = Object.values(assumptions).filter(({ answers }) => answers?.includes(operationId));
  const ofAssumptions = sections.flatMap(({ questions }) => questions);
  const bodies = (requestBody?.bodies ?? []).flatMap(({ schema }) => marksIn(schema));
  const own = [...marksAt(place), ...ofAssumptions, ...bodies, ...parameters.flatMap((one) => marksIn(one.place))];
  const refusals = [requestBody, ...parameters].flatMap((part) => {
    const answer = part?.invalidRequest ?? [];
    return typeof answer === "string" ? answer : Object.values(answer);
  });
  const ofRefusals = (key: string) => (refusals.includes(key) ? (assumptions.invalidRequests?.questions ?? []) : []);
  const entries = operation.answers.flatMap((answer): [string, string[]][] => {
    const ofAnswer = [...own, ...marksOf(answer)];
    const ofCodes = answer.codeRefs.map(({ code, place }): [string, string[]] => {
      const error = errorCodes.find((candidate) => candidate.code === code);
      const ofCode = [...marksAt(place), ...(error === undefined ? [] : marksAt(error.place))];
      return [code, [...ofAnswer, ...ofCode, ...ofRefusals(code)]];
    });
    return [[answer.key, [...ofAnswer, ...ofRefusals(answer.key)]], ...ofCodes];
  });
  const marked = entries.filter(([, marks]) => marks.length > 0);
  return Object.fromEntries(marked.map(([key, marks]) => [key, [...new Set(marks)].sort()]));
}

/** Those of the answer and of the schema of its body. */
function marksOf({ place, bodies }: Answer): string[] {
  return [...marksAt(place), ...marksAt(place.target), ...bodies.flatMap(({ schema }) => marksIn(schema))];
}

/** Those of a schema and of its parts, which say what is required; not those of single fields. */
function marksIn(schema: Place): string[] {
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => schema.target.own(keyword).items());
  return [...marksAt(schema), ...marksAt(schema.target), ...parts.flatMap(marksIn)];
}

function marksAt(place: Place): string[] {
  const isProposed = place.own("x-provenance").value === "proposed";
  const questions = place
    .own("x-open-questions")
    .items()
    .map(({ value }) => String(value));
  return [...(isProposed ? ["proposed"] : []), ...questions];
}
