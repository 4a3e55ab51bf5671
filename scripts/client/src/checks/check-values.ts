/** This module is loaded for the first call of an operation that has a JSON body or amounts. */

import { childPointer } from "../base/json-pointer.ts";
import type { Operation } from "../base/operation.ts";
import type { Problem } from "../errors/problem-texts.ts";
import { type FoundViolation, findViolations, maskName, type Schema } from "./conformance.ts";
import type { Violation } from "./deviations.ts";

export interface RequestSchemas {
  /**
   * The schema of each JSON body of a request, by operationId. `isStated` is whether the specification or the public reference states the
   * schema. If neither does, no value is refused because of the schema.
   */
  readonly [operationId: string]: { readonly schema: Schema; readonly isStated: boolean };
}

export interface CheckedValues {
  readonly problem: Problem | undefined;
  /** Members that the contract does not list. They are sent, because the service may accept members that the contract does not know. */
  readonly unlistedMembers: readonly Violation[];
}

/**
 * @param givenNames the members of the body, with or without a value, that would change the meaning of the call if they were missing.
 * @param text the JSON text of the body.
 */
export function checkValues(
  { id, amounts = [], explicit = [] }: Operation,
  requests: RequestSchemas,
  { query, givenNames, text }: { query: Members; givenNames: readonly string[]; text: string | undefined },
): CheckedValues {
  const body: unknown = text === undefined ? undefined : JSON.parse(text);
  const members = Object(body) as Members;
  const request = requests[id];
  const violations = body === undefined || request === undefined ? [] : findViolations(request.schema, body);
  const unlistedFields = violations.filter(({ rule }) => rule === "unlisted-field");
  const problem =
    findRefusedAmount(amounts, { ...query, ...members }) ??
    findMisspeltMember(explicit, members, unlistedFields) ??
    findEmptyMember(givenNames, members) ??
    (request?.isStated ? findRefusedMember(violations) : undefined);
  return { problem, unlistedMembers: unlistedFields.map(({ pointer }) => ({ pointer, rule: "unlisted-member" })) };
}

type Members = Readonly<Record<string, unknown>>;

const decimalForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * The amount is malformed, zero or negative. Refusing zero and negative amounts is a safety rule of this client: the specification does not
 * state how the service treats such amounts.
 */
function findRefusedAmount(names: readonly string[], values: Members): Problem | undefined {
  for (const name of names) {
    const amount = values[name];
    if (amount === undefined) continue;
    const isStringOrNumber = typeof amount === "string" || typeof amount === "number";
    if (!isStringOrNumber || !decimalForm.test(String(amount))) return ["amount-form", name];
    if (!(Number(amount) > 0)) return ["amount-zero", name];
  }
  return undefined;
}

/**
 * A call has another meaning if a member of `explicit` is missing. A misspelling has another case, other separators, or a typing error in
 * one place, and is not itself the name of a member that the contract lists.
 */
function findMisspeltMember(
  explicit: readonly string[],
  members: Members,
  unlistedFields: readonly Violation[],
): Problem | undefined {
  const unlistedNames = Object.keys(members).filter((key) =>
    unlistedFields.some(({ pointer }) => pointer === childPointer("", maskName(key))),
  );
  for (const name of explicit) {
    const misspeltName = unlistedNames.find((key) => isMisspelling(normalizeName(key), normalizeName(name)));
    if (misspeltName !== undefined) return ["member-misspelt", name];
  }
  return undefined;
}

const normalizeName = (name: string): string => name.replace(/[^\p{L}\d]/gu, "").toLowerCase();

/** True for equal texts, and for texts that differ by one added, removed or changed character, or by two swapped adjacent characters. */
function isMisspelling(text: string, otherText: string): boolean {
  const [shorter, longer] = [text, otherText].sort((a, b) => a.length - b.length) as [string, string];
  const index = longer.split("").findIndex((character, position) => character !== shorter[position]);
  if (longer.length > shorter.length) return shorter.slice(index) === longer.slice(index + 1);
  const isSwapped =
    shorter[index] === longer[index + 1] &&
    shorter[index + 1] === longer[index] &&
    shorter.slice(index + 2) === longer.slice(index + 2);
  return isSwapped || shorter.slice(index + 1) === longer.slice(index + 1);
}

/**
 * The caller gave the member without a value: undefined, null or blank. JSON omits an undefined member, which would change the meaning of
 * the call.
 */
function findEmptyMember(givenNames: readonly string[], members: Members): Problem | undefined {
  const isEmpty = (value: unknown) => (typeof value === "string" ? !value.trim() : (value ?? undefined) === undefined);
  const emptyName = givenNames.find((name) => [members[name]].flat(Infinity).every(isEmpty));
  return emptyName === undefined ? undefined : ["member-missing", emptyName];
}

/**
 * A call is refused if a value of its body violates one of these keywords of a stated schema, unless an open question covers the value.
 * `required` is not one of them: the service refuses such a call itself, and may have made the member optional.
 */
const refusingKeywords = ["pattern", "format", "enum", "const", "minLength", "maxLength"] as const;

function findRefusedMember(violations: readonly FoundViolation[]): Problem | undefined {
  for (const { pointer, rule, question, schema } of violations) {
    const keyword = refusingKeywords.find((candidate) => candidate === rule);
    if (keyword === undefined || question !== undefined) continue;
    const limit = schema?.[keyword];
    return ["member-form", pointer, rule, limit instanceof RegExp ? limit.source : limit];
  }
  return undefined;
}
