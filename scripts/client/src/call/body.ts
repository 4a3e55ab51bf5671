import { defaultBodySerializer } from "openapi-fetch";
import { InvalidRequest } from "../errors/invalid-request.ts";
import type { Problem } from "../errors/problem-texts.ts";
import { numberProblem } from "./number-problem.ts";

/**
 * Refuses a body that is missing or not JSON, and numbers that JSON or a double would change. `check-values.ts` later checks the serialized
 * text.
 */
export function writeBody(body: unknown): string {
  if (body === undefined) throw new InvalidRequest(["body-missing"]);
  let text: unknown;
  try {
    text = defaultBodySerializer(body);
  } catch {
    throw new InvalidRequest(["body-json"]);
  }
  if (typeof text !== "string") throw new InvalidRequest(["body-value"]);
  const problem = suspiciousNumber.test(text) ? findUnsendableNumber(body) : undefined;
  if (problem !== undefined) throw new InvalidRequest(problem);
  return text;
}

/**
 * Matches `null`, which JSON.stringify also writes for NaN and Infinity, and every number of more than 15 digits. Only bodies whose text
 * matches are searched in detail.
 */
const suspiciousNumber = /(?:^|[:,[])(?:null|-?[\d.]{16})/;

function findUnsendableNumber(body: unknown): Problem | undefined {
  const keysByValue = new Map<unknown, readonly string[]>();
  let problem: Problem | undefined;
  // JSON.stringify traverses the body, so that toJSON, functions and undefined are treated as in the sent text.
  JSON.stringify(body, function (this: unknown, key: string, value: unknown) {
    if (problem !== undefined) return undefined;
    const parentKeys = keysByValue.get(this);
    const keys = parentKeys ? [...parentKeys, key] : [];
    keysByValue.set(value, keys);
    problem = numberProblem(value, keys);
    return value;
  });
  return problem;
}
