/** Chooses the documented answer for a request that breaks the contract. */
import type { Operation } from "../contract/contract.ts";
import { type Choice, errorCodeOf, findChoice } from "./choices.ts";
import type { ProducedAnswer, Violation } from "./prism.ts";

export interface Refusal {
  choice: Choice;
  /** The violations that this answer is for; empty when the answer says nothing about them. */
  messages: string[];
}

/**
 * The answer that the contract names for the violations: 401 for the key, otherwise what `x-invalid-request` says. Where
 * several are possible, the key comes first, then the parameters, then the body: its media type, what is missing in it,
 * anything else.
 *
 * @returns undefined when the contract names no answer for any of them; the mock cannot refuse then.
 */
export function chooseRefusal(operation: Operation, violations: Violation[]): Refusal | undefined {
  const possible = violations.flatMap((violation) => {
    const choice = findChoice(operation, answerNamedFor(operation, violation) ?? "");
    return choice === undefined ? [] : [{ violation, choice }];
  });
  const first = possible.sort((a, b) => rank(a.violation) - rank(b.violation))[0];
  if (first === undefined) return undefined;
  const same = possible.filter(({ choice }) => sameAnswer(choice, first.choice)).map(({ violation }) => violation);
  return {
    choice: first.choice,
    messages: same.flatMap((violation) => ("message" in violation ? violation.message : [])),
  };
}

function answerNamedFor(operation: Operation, violation: Violation): string | undefined {
  if (violation.place === "security") return "401";
  if (violation.place === "parameter") return violation.parameter["x-invalid-request"];
  const named = operation.requestBody?.invalidRequest;
  return typeof named === "object" ? (named[violation.fault] ?? named.otherwise) : named;
}

const order = ["security", "parameter", "mediaType", "missing", "otherwise"];

function rank(violation: Violation): number {
  return order.indexOf(violation.place === "body" ? violation.fault : violation.place);
}

function sameAnswer(a: Choice, b: Choice): boolean {
  return a.answer === b.answer && a.example?.name === b.example?.name;
}

const mostMessages = 5;
const longestMessage = 300;

/**
 * The documented body of a refusal, made specific: it says what is wrong, and when. An answer without a P-code can only be
 * told by its message, which therefore stays as documented.
 */
export function makeSpecific(answer: ProducedAnswer, messages: string[]): ProducedAnswer {
  const body = answer.body as Record<string, unknown>;
  const specific =
    errorCodeOf(body) === undefined || messages.length === 0 ? {} : { errorMessage: joinMessages(messages) };
  return { ...answer, body: { ...body, ...specific, timestamp: new Date().toISOString() } };
}

function joinMessages(messages: string[]): string {
  const shown = messages.slice(0, mostMessages).map((message) => message.slice(0, longestMessage));
  const more = messages.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}
