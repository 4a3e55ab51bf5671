/** The checks of the mock can fail: each defect, seeded into a copy of the mock, is noticed. */
import { afterAll, describe } from "vitest";
import { type Defect, expectNoticed, Mutants } from "../support/mutants.ts";
import { checks } from "./mock-checks.ts";

const mutants = new Mutants("scripts/mock");
afterAll(() => mutants.remove());

const defects: Record<keyof typeof checks, Defect[]> = {
  "a concrete path wins over a template": [
    [
      "templates come first",
      "answer/router.ts",
      "= node.fixed.get(segment);",
      "= node.templated ? undefined : node.fixed.get(segment);",
    ],
  ],
  "an operation is available on its own address, with its own methods": [
    [
      "every operation is on both addresses",
      "answer/router.ts",
      "one.address === address && isHere(one)",
      "isHere(one)",
    ],
    ["the methods are left out", "answer/unknown.ts", "{ ...reply.headers, allow: allowed }", "reply.headers"],
  ],
  "a request is refused for its key first, then its parameters, then its body": [
    ["parameters come first", "answer/choices.ts", '"security",\n  "parameter",', '"parameter",\n  "security",'],
    [
      "the body comes before the parameters",
      "answer/choices.ts",
      '\n  "parameter",\n  "mediaType",',
      '\n  "mediaType",',
    ],
    [
      "a missing key is accepted",
      "answer/choices.ts",
      'if (violation.kind === "security") return "401";',
      'if (violation.kind === "security") return undefined;',
    ],
  ],
  "a body is judged by its content type": [
    ["a compressed body is read", "request/body.ts", '["", "identity"]', '["", "identity", "gzip"]'],
    ["the first content type is assumed", "request/body.ts", "mediaType === type?.essence", "mediaType !== undefined"],
  ],
  "Prefer chooses an answer, whatever the request contains": [
    ["a P-code is not known", "answer/choices.ts", " || answer.code === codeOrStatus", ""],
    [
      "the example is not looked at",
      "answer/choices.ts",
      "{ code: hasCode, example: hasExample }",
      "{ code: hasCode }",
    ],
    ["the last preference counts", "answer/choices.ts", "if (!preferences.has(name.toLowerCase())) ", ""],
    ["nothing is said of what was ignored", "answer/choices.ts", "ignored = true;", ""],
    [
      "the request is checked first",
      "answer/answer.ts",
      "if (preferred.answer !== undefined) {",
      "if (preferred.answer !== undefined && request.headers['x-api-key']) {",
    ],
  ],
  "a refusal says when and why, without what was sent": [
    ["the time is that of the example", "answer/replies.ts", "timestamp: new Date(at).toISOString(),", ""],
    ["the reason is that of the example", "answer/replies.ts", "{ errorMessage: joinMessages(messages) }", "{}"],
  ],
  "another contract is used at once": [
    ["the old contract stays", "mock.ts", "service = serviceFor(next);", "serviceFor(next);"],
  ],
};

describe.each(Object.entries(checks))("%s", (name, check) => {
  expectNoticed(mutants, check, defects[name as keyof typeof checks]);
});
