import { defaultBodySerializer } from "openapi-fetch";
import { InvalidRequest } from "./invalid-request.ts";
import { numberProblem } from "./numbers.ts";
import type { Problem } from "./problem-texts.ts";

/** Writes a JSON body. What can be checked in the text is checked later, by `check-values.ts`. */
export function writeBody(body: unknown): string {
  if (body === undefined) throw new InvalidRequest(["body-missing"]);
  let text: unknown;
  try {
    text = defaultBodySerializer(body);
  } catch {
    throw new InvalidRequest(["body-json"]);
  }
  if (typeof text !== "string") throw new InvalidRequest(["body-value"]);
  const problem = suspicious.test(text) ? findUnsendableNumber(body) : undefined;
  if (problem !== undefined) throw new InvalidRequest(problem);
  return text;
}

/** Finds `null`, which may stand for a number that is not finite, and numbers of more than 15 digits. Most bodies contain neither. */
const suspicious = /(?:^|[:,[])(?:null|-?[\d.]{16})/;

function findUnsendableNumber(body: unknown): Problem | undefined {
  const pointers = new Map<unknown, string>();
  let problem: Problem | undefined;
  // JSON.stringify traverses the body, so that toJSON, functions and undefined are treated as in the sent text.
  JSON.stringify(body, function (this: unknown, key: string, value: unknown) {
    if (problem !== undefined) return undefined;
    const parent = pointers.get(this);
    const pointer = parent === undefined ? "" : `${parent}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    pointers.set(value, pointer);
    problem = numberProblem(value, pointer || "The body");
    return value;
  });
  return problem;
}
