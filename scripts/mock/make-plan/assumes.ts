/** What the answers of an operation rest on: the mark `proposed`, and questions that nobody has answered. */
import type { Contract, DocumentedResponse, Operation, Place } from "../../contract/model/index.ts";

/** A section of `openapi/mock.yaml`. */
interface Section {
  readonly questions: readonly string[];
  /** The operations whose responses rest on it. */
  readonly responses?: readonly string[];
  /** The operations whose refusals rest on what was assumed in an earlier call. */
  readonly refusals?: readonly string[];
}

/**
 * What it rests on, by status and by P-code. A success rests on what the operation, its request and its sections of the assumptions rest
 * on. A refusal rests on what is said of itself; which sections decided it is known when it happens.
 */
export function assumesOf(
  operation: Operation,
  { errorCodes }: Contract,
  assumptions: Readonly<Record<string, Section>>,
): Record<string, string[]> {
  const { operationId, place, parameters, requestBody } = operation;
  const sections = Object.values(assumptions).filter(({ responses }) => responses?.includes(operationId));
  const ofAssumptions = sections.flatMap(({ questions }) => questions);
  const bodies = (requestBody?.bodies ?? []).flatMap(({ schema }) => marksIn(schema));
  const ofOperation = marksAt(place);
  const early = Object.values(assumptions).filter(({ refusals }) => refusals?.includes(operationId));
  const ofRefusal = early.flatMap(({ questions }) => questions);
  const ofSuccess = [...ofAssumptions, ...bodies, ...parameters.flatMap((one) => marksIn(one.place))];
  const refusals = [requestBody, ...parameters].flatMap((part) => {
    const response = part?.invalidRequest ?? [];
    return typeof response === "string" ? response : Object.values(response);
  });
  const ofRefusals = (key: string) => (refusals.includes(key) ? (assumptions.invalidRequests?.questions ?? []) : []);
  const entries = operation.responses.flatMap((response): [string, string[]][] => {
    const isRefusal = response.status >= 400;
    const ofResponse = [...ofOperation, ...(isRefusal ? ofRefusal : ofSuccess), ...marksOf(response)];
    const ofCodes = response.codeRefs.map(({ code, place }): [string, string[]] => {
      const error = errorCodes.find((candidate) => candidate.code === code);
      const ofCode = [...marksAt(place), ...(error === undefined ? [] : marksAt(error.place))];
      return [code, [...ofResponse, ...ofCode, ...ofRefusals(code)]];
    });
    return [[response.key, [...ofResponse, ...ofRefusals(response.key)]], ...ofCodes];
  });
  const marked = entries.filter(([, marks]) => marks.length > 0);
  return Object.fromEntries(marked.map(([key, marks]) => [key, [...new Set(marks)].sort()]));
}

/** Those of the response and of the schema of its body. */
function marksOf({ place, bodies }: DocumentedResponse): string[] {
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
