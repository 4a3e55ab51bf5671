import type { Problem, ProblemKind } from "./problem-texts.ts";

export class InvalidRequest extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, cause?: unknown) {
    super(problem.join(": "), { cause });
    this.problem = problem;
  }
}

// Servers and proxies may treat separators and control characters as path syntax, even when they are percent-encoded.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
const unsafeCharacter = /[/\\\u0000-\u001f\u007f]/;

const unpairedSurrogate = /\p{Surrogate}/u;

/**
 * Percent-encodes each parameter (RFC 6570, section 3.2.2). Refuses an empty value, which would address the collection, and `.` and `..`,
 * which would lead to another path (RFC 3986, section 5.2.4).
 */
export function expandPath(
  template: string,
  values: Readonly<Record<string, unknown>>,
  forms: Readonly<Record<string, RegExp>> = {},
): string {
  // After the split, every second part is a parameter name.
  const parts = template.split(/[{}]/);
  for (let index = 1; index < parts.length; index += 2) {
    const name = parts[index] as string;
    const text = String(values[name]);
    const problem = pathProblem(values[name], text, forms[name]);
    if (problem !== undefined) throw new InvalidRequest([problem, name, forms[name]?.source]);
    parts[index] = encodeURIComponent(text);
  }
  return parts.join("");
}

function pathProblem(value: unknown, text: string, form: RegExp | undefined): ProblemKind | undefined {
  if (value === undefined || value === null) return "path-missing";
  if (typeof value !== "string" && typeof value !== "number") return "path-type";
  if (text === "") return "path-empty";
  if (text === "." || text === "..") return "path-relative";
  if (unsafeCharacter.test(text)) return "path-unsafe";
  if (unpairedSurrogate.test(text)) return "path-surrogate";
  return form === undefined || form.test(text) ? undefined : "path-form";
}

/** Serializes a query in the default style of OpenAPI (`form`, exploded). */
export function toQuery(query: Record<string, unknown>, amounts: readonly string[]): string {
  const problem = findMalformedAmount(amounts, query);
  if (problem !== undefined) throw new InvalidRequest(problem);
  const parts = Object.entries(query).flatMap(([name, value]) => {
    const given = [value].flat().filter((item) => item !== undefined && item !== null);
    if (given.some((item) => typeof item === "object" || unpairedSurrogate.test(String(item)))) {
      throw new InvalidRequest(["query", name]);
    }
    return given.map((item) => `${name}=${encodeURIComponent(String(item))}`);
  });
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

export function toJsonBody(body: unknown, amounts: readonly string[], explicit: readonly string[] = []): string {
  if (body === undefined) throw new InvalidRequest(["body-missing"]);
  let text: unknown;
  try {
    text = body instanceof FormData ? undefined : JSON.stringify(body);
  } catch {
    throw new InvalidRequest(["body-json"]);
  }
  if (typeof text !== "string") throw new InvalidRequest(["body-value"]);
  const sent = (amounts[0] ?? explicit[0]) ? JSON.parse(text) : {};
  const problem = findUnsendableNumber(body, text) ?? findMalformedAmount(amounts, sent);
  if (problem !== undefined) throw new InvalidRequest(problem);
  // JSON leaves out an explicit member that is undefined, and the call would mean something else.
  const missing = explicit.find((name) => name in Object(body) && !`${sent?.[name] ?? ""}`.trim());
  if (missing !== undefined) throw new InvalidRequest(["member-missing", missing]);
  return text;
}

const decimalForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Finds `null`, which may stand for a number that is not finite, and numbers of more than 15 digits. Most bodies contain neither. */
const suspicious = /(?:^|[:,[])(?:null|-?[\d.]{16})/;

/**
 * `NaN` and `Infinity` would be sent as `null`. A number of more than 15 significant digits is often a rounding error: 0.1 + 0.2 is
 * 0.30000000000000004.
 */
function findUnsendableNumber(body: unknown, text: string): Problem | undefined {
  if (!suspicious.test(text)) return undefined;
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

/**
 * The refusal of zero and negative amounts is a safety rule of this client: the specification does not state what the service does with
 * them.
 */
function findMalformedAmount(names: readonly string[], values: unknown): Problem | undefined {
  for (const name of names) {
    const amount = (values as Readonly<Record<string, unknown>> | null | undefined)?.[name];
    if (amount === undefined) continue;
    const problem = numberProblem(amount, name);
    if (problem !== undefined) return problem;
    const isPlain = typeof amount === "string" || typeof amount === "number";
    if (!isPlain || !decimalForm.test(String(amount))) return ["amount-form", name];
    if (!(Number(amount) > 0)) return ["amount-zero", name];
  }
  return undefined;
}

function numberProblem(value: unknown, place: string): Problem | undefined {
  const number = value instanceof Number ? Number(value) : value;
  if (typeof number !== "number" || Number.isSafeInteger(number)) return undefined;
  if (!Number.isFinite(number)) return ["number", place, number];
  return Number(number.toPrecision(15)) === number ? undefined : ["digits", place, number];
}
