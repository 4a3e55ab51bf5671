/** Checks the values of a call against the contract. This module is loaded for the first call with a body or an amount. */
import { inspect, type Schema } from "./conformance.ts";
import type { Violation } from "./deviations.ts";
import type { Operation } from "./operation.ts";
import type { Problem } from "./problem-texts.ts";

export interface RequestSchemas {
  /**
   * The schema of each request body, by operationId. `isStated` is whether the specification or the public reference states the schema. If
   * neither does, no value is refused because of the schema.
   */
  readonly [operationId: string]: { readonly schema: Schema; readonly isStated: boolean };
}

export interface CheckedValues {
  readonly problem: Problem | undefined;
  /** Members that the contract does not list. They are sent, because the service may accept members that the contract does not know. */
  readonly unlisted: readonly Violation[];
}

/**
 * @param given the members of `operation.explicit` that the body has, even without a value.
 * @param text the JSON text of the body.
 */
export function checkValues(
  { id, amounts = [], explicit = [] }: Operation,
  requests: RequestSchemas,
  { query, given, text }: { query: Members; given: readonly string[]; text: string | undefined },
): CheckedValues {
  const body: unknown = text === undefined ? undefined : JSON.parse(text);
  const members = (typeof body === "object" && body !== null ? body : {}) as Members;
  const { schema, isStated } = requests[id] ?? { schema: {}, isStated: false };
  const violations = body === undefined ? [] : inspect(schema, body).violations;
  const unlisted = violations.filter(({ rule }) => rule === "unlisted-field");
  const problem =
    (amounts.length > 0 ? findMalformedAmount(amounts, { ...query, ...members }) : undefined) ??
    findMisspelt(explicit, members) ??
    findEmpty(given, members) ??
    (isStated ? findRefused(schema, violations) : undefined);
  return { problem, unlisted: unlisted.map(({ pointer }) => ({ pointer, rule: "unlisted-member" })) };
}

type Members = Readonly<Record<string, unknown>>;

const decimalForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Refusing zero and negative amounts is a safety rule of this client: the specification does not state how the service treats such amounts.
 */
function findMalformedAmount(names: readonly string[], values: Members): Problem | undefined {
  for (const name of names) {
    const amount = values[name];
    if (amount === undefined) continue;
    const isPlain = typeof amount === "string" || typeof amount === "number";
    if (!isPlain || !decimalForm.test(String(amount))) return ["amount-form", name];
    if (!(Number(amount) > 0)) return ["amount-zero", name];
  }
  return undefined;
}

/**
 * Finds a misspelt name of a member that changes the meaning of the call if it is missing: other case, other separators, or one wrong
 * letter.
 */
function findMisspelt(explicit: readonly string[], members: Members): Problem | undefined {
  for (const name of explicit) {
    const near = Object.keys(members).find((key) => !explicit.includes(key) && isNear(plain(key), plain(name)));
    if (near !== undefined) return ["member-misspelt", name];
  }
  return undefined;
}

const plain = (name: string): string => name.replace(/[^\p{L}\d]/gu, "").toLowerCase();

/** Whether the texts are equal, or become equal by adding, removing or changing one letter, or by swapping two neighbours. */
function isNear(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (long.length > short.length) return short.slice(at) === long.slice(at + 1);
  const isSwapped =
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
  return isSwapped || short.slice(at + 1) === long.slice(at + 1);
}

/** Finds a member that the caller named without a value. JSON omits an undefined member, which would change the meaning of the call. */
function findEmpty(given: readonly string[], members: Members): Problem | undefined {
  const missing = given.find((name) => !`${members[name] ?? ""}`.trim());
  return missing === undefined ? undefined : ["member-missing", missing];
}

/** The keywords that are checked before a call is sent. A value is not refused if an open question covers it. */
const refusing = ["pattern", "format", "enum", "const", "minLength", "maxLength"] as const;

function findRefused(schema: Schema, violations: readonly Violation[]): Problem | undefined {
  for (const { pointer, rule, question } of violations) {
    const keyword = refusing.find((each) => each === rule);
    if (keyword === undefined || question !== undefined) continue;
    const stated = schemasAt(schema, pointer.split("/").slice(1)).find((each) => each[keyword] !== undefined)?.[
      keyword
    ];
    return [
      "member-form",
      pointer.slice(1).replaceAll("/", "."),
      rule,
      stated instanceof RegExp ? stated.source : stated,
    ];
  }
  return undefined;
}

/** All schemas that apply to the value at a path, including the branches of `allOf`, `anyOf` and `oneOf`. */
function schemasAt(schema: Schema, path: readonly string[]): Schema[] {
  const [name, ...rest] = path;
  const parts = (["allOf", "anyOf", "oneOf"] as const).flatMap((keyword) => schema[keyword] ?? []);
  const ofParts = parts.flatMap((part) => schemasAt(part, path));
  if (name === undefined) return [schema, ...ofParts];
  const inner = /^\d+$/.test(name) ? schema.items : schema.properties?.[name];
  return inner === undefined ? ofParts : [...schemasAt(inner, rest), ...ofParts];
}
