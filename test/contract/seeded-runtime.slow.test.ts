/**
 * The checks of the client's runtime can fail: each defect, seeded into a copy of the runtime, is noticed by a check that
 * the runtime itself passes.
 */
import { afterAll, describe } from "vitest";
import { type Defect, expectNoticed, Mutants } from "../support/mutants.ts";
import { checks } from "./runtime-checks.ts";

const mutants = new Mutants("scripts/client/runtime");
afterAll(() => mutants.remove());

const defects: Record<keyof typeof checks, Defect[]> = {
  "failures that may pass are repeated, and no others": [
    ["a lost connection is given up", "retry.ts", 'kind === "network" || ', ""],
    ["every P-code is repeated", "retry.ts", 'retry === "later"', "retry !== undefined"],
    ["503 is repeated where money moves", "retry.ts", "return safe && status", "return status"],
  ],
  "a call is repeated as often as allowed": [
    ["one retry too few", "call.ts", "attempt > retries ||", "attempt >= retries ||"],
    ["an unsafe call is repeated", "request.ts", "safe ? options.retries : 0", "options.retries"],
  ],
  "Retry-After counts seconds": [
    ["milliseconds are read", "retry.ts", "Number(value) * 1000", "Number(value)"],
    ["anything is a date", "retry.ts", "dateForm.test(value) ?", "value !== '' ?"],
  ],
  "a call ends with its timeout, also when fetch ignores the signal": [
    ["the timer does nothing", "deadline.ts", 'end(new Ended("timeout"))', "undefined"],
    ["the timeout looks like an abort", "deadline.ts", 'end(new Ended("timeout"))', 'end(new Ended("aborted"))'],
    ["only fetch listens to the signal", "deadline.ts", "      reject(ended);\n", ""],
  ],
  "what is sent is fixed when the function is called, and nothing that a number cannot say": [
    [
      "the body is written later",
      "call.ts",
      "  let prepared: PreparedCall;",
      "  await undefined;\n  let prepared: PreparedCall;",
    ],
    ["NaN is sent as null", "json-body.ts", "findUnsendableNumber(body, text) ??", ""],
    ["any text is an amount", "amounts.ts", "!decimalForm.test(amount)", "false"],
  ],
  "an outcome is only as good as all attempts": [
    ["the last attempt decides", "call.ts", "order.indexOf(context.outcome), ", ""],
    [
      "an internal failure counts as a refusal",
      "reading.ts",
      '["never", "after-change"]',
      '["never", "after-change", "later"]',
    ],
    ["a broken connection counts as not sent", "call.ts", "const isUnsent = !isSent ||", "const isUnsent = true ||"],
    [
      "an aborted call counts as sent",
      "call.ts",
      "context.isSent = false;\n  let result",
      "context.isSent = true;\n  let result",
    ],
  ],
  "an error shows neither the key nor a sensitive value": [
    ["the body is printed with the error", "errors.ts", 'textReader("body", false)', 'textReader("body", true)'],
    ["the body is not redacted", "errors.ts", "redact?.(start) ?? start", "start"],
  ],
  "a path parameter cannot lead to another path": [
    ["the parent folder is sent", "path-parameters.ts", ' || text === ".."', ""],
    ["a slash is sent", "path-parameters.ts", "[/\\\\", "[\\\\"],
    ["an empty value is sent", "path-parameters.ts", 'if (text === "") return "is empty";', ""],
  ],
  "the key is sent to the address of the operation, and no redirect is followed": [
    ["the main address gets the call", "request.ts", "deposit ? depositBaseUrl : baseUrl", "baseUrl"],
    ["redirects are followed", "transport.ts", 'redirect: "manual"', 'redirect: "follow"'],
  ],
  "a P-code is documented, of the catalogue, or unknown": [
    [
      "every code counts as documented",
      "failure.ts",
      "if (has(codes, errorCode)) return",
      "if (codes !== undefined) return",
    ],
    [
      "a code of the catalogue is unknown",
      "failure.ts",
      'advice === undefined ? "unknown-code"',
      '!documented ? "unknown-code"',
    ],
  ],
  "any 2xx with a readable body is a success, and no other": [
    [
      "only 200 and 201 are",
      "response.ts",
      "status >= 200 && status < 300) return readSuccess",
      "status < 202) return readSuccess",
    ],
    ["redirects are as well", "response.ts", "status < 300) return readSuccess", "status < 400) return readSuccess"],
    ["without a body as well", "response.ts", "operation.message === true && !hasCodes(codes)", "true"],
  ],
  "a body is broken only by its type": [
    ["a pattern breaks it", "conformance.ts", 'problem(here, rule, "form")', 'problem(here, rule, "type")'],
    ["a missing field does not", "conformance.ts", '"required", "type"', '"required", "form"'],
    [
      "null passes for a text",
      "conformance.ts",
      "if (types.includes(actual))",
      "if (value === null || types.includes(actual))",
    ],
    ["the first branch is the closest", "conformance.ts", "distance(next.problems) < distance(best.problems)", "false"],
    ["fields that are not listed are not told", "conformance.ts", "!listed.has(name)", "false"],
  ],
  "too many and too large files are refused": [
    ["the number is not checked", "multipart.ts", "count > maxFiles", "false"],
    ["the size is not checked", "file-content.ts", "size > maxBytes", "false"],
  ],
  "decimals are exact": [
    ["digits are filled in on the wrong side", "decimal.ts", "fraction.padEnd(places", "fraction.padStart(places"],
    ["the sign is lost", "decimal.ts", 'units < 0n ? "-" : ""', '""'],
    ["text after the number is accepted", "decimal.ts", "(\\d+))?$/", "(\\d+))?/"],
  ],
  "numbers keep the digits that were sent": [
    ["the text is made anew", "exact-numbers.ts", "texts.set(data, text)", "texts.set(data, JSON.stringify(data))"],
  ],
  "match takes only the branches that were given": [
    ["inherited properties are branches", "match.ts", "Object.hasOwn(named, value)", "value in named"],
  ],
  "the whole token is compared": [
    ["only the last byte counts", "webhooks/token.ts", "difference |=", "difference ="],
    ["only the first token counts", "webhooks/token.ts", ".includes(true)", "[0] === true"],
    ["an empty token is accepted", "webhooks/token.ts", ' || token.trim() === ""', ""],
  ],
  "an event is handled once": [
    [
      "a handled event is taken for a pending one",
      "webhooks/dedupe/memory.ts",
      'return { state: "done" };',
      'return { state: "busy" };',
    ],
    [
      "a claim does not hold",
      "webhooks/dedupe/memory.ts",
      "entry.until > performance.now()",
      "entry.until < performance.now()",
    ],
    ["a claim is released by anyone", "webhooks/dedupe/memory.ts", "isHeld(key, token) && claims", "claims"],
    [
      "events without all fields are the same",
      "webhooks/dedupe/key.ts",
      "identifies(value) || (conforms",
      "true || (conforms",
    ],
  ],
  "an event stays claimed while it is handled, and is not released afterwards": [
    ["a claim is not extended", "webhooks/dedupe/lease.ts", "await store.extend(key, token)", "true"],
    [
      "a failed mark is a failure of the function",
      "webhooks/delivery.ts",
      "await action({ webhook: name, key: claim?.key, token, signal });",
      'await action({ webhook: name, key: claim?.key, token, signal });\n    await claim?.store.complete(claim.key, token ?? "");',
    ],
  ],
  "a webhook call is checked before it is handled": [
    ["the token check is not awaited", "webhooks/handler.ts", "!(await isAuthorized(", "!(isAuthorized("],
    ["a long body is read", "webhooks/body.ts", "if (size > maxBytes) {", "if (false) {"],
    ["a body that breaks its type is handled", "webhooks/handler.ts", "if (breaks.length > 0)", "if (false)"],
    [
      "the policy is not asked",
      "webhooks/handler.ts",
      'nonconforming === "reject" ? "not conforming"',
      'nonconforming === "reject" ? () => undefined',
    ],
  ],
};

describe.each(Object.entries(checks))("%s", (name, check) => {
  expectNoticed(mutants, check, defects[name as keyof typeof checks]);
});
