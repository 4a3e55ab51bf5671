/** The checks of the mock can fail: each defect, seeded into a copy of the mock, is noticed. */
import { afterAll, describe } from "vitest";
import { type Defect, expectNoticed, Mutants } from "../support/mutants.ts";
import { checks } from "./mock-checks.ts";

const mutants = new Mutants("scripts/mock");
afterAll(() => mutants.remove());

const defects: Record<keyof typeof checks, Defect[]> = {
  "a concrete path wins over a template": [
    ["templates come first", "router.ts", "sortKey(a.path) < sortKey(b.path)", "sortKey(a.path) > sortKey(b.path)"],
  ],
  "an operation is available on its own address, with its own methods": [
    ["every operation is on both addresses", "router.ts", "operation.address === address", "true"],
    ["the methods are left out", "answer.ts", "{ ...reply.headers, allow: allowed }", "reply.headers"],
  ],
  "a request is refused for its key first, then its parameters, then its body": [
    ["parameters come first", "choices.ts", '["security", "parameter", ', '["parameter", "security", '],
    [
      "the body comes before the parameters",
      "choices.ts",
      '"parameter", "mediaType", "alternative", "missing", "otherwise"',
      '"mediaType", "alternative", "missing", "otherwise", "parameter"',
    ],
    [
      "a missing key is accepted",
      "choices.ts",
      'if (violation.kind === "security") return "401";',
      'if (violation.kind === "security") return undefined;',
    ],
  ],
  "a body is judged by its content type": [
    ["a compressed body is read", "body.ts", '["", "identity"]', '["", "identity", "gzip"]'],
    ["the first content type is assumed", "body.ts", "mediaType === type?.essence", "mediaType !== undefined"],
  ],
  "Prefer chooses an answer, whatever the request contains": [
    ["a P-code is not known", "choices.ts", " || errorCodeOf(choice.example?.value) === codeOrStatus", ""],
    ["the example is not looked at", "choices.ts", "{ code: hasCode, example: hasExample }", "{ code: hasCode }"],
    ["the last preference counts", "choices.ts", "if (!preferences.has(name.toLowerCase())) ", ""],
    ["nothing is said of what was ignored", "choices.ts", "ignored = true;", ""],
    [
      "the request is checked first",
      "answer.ts",
      "if (preferred.choice !== undefined) {",
      "if (preferred.choice !== undefined && request.headers['x-api-key']) {",
    ],
  ],
  "a refusal says when and why, without what was sent": [
    ["the time is that of the example", "answer.ts", ", timestamp: new Date().toISOString()", ""],
    [
      "the reason is that of the example",
      "answer.ts",
      "...body, ...specific",
      "...specific, errorMessage: 'no', ...body",
    ],
  ],
  "another contract is used at once": [
    ["the old contract stays", "index.ts", "answer = await load(next);", "await load(next);"],
  ],
};

describe.each(Object.entries(checks))("%s", (name, check) => {
  expectNoticed(mutants, check, defects[name as keyof typeof checks]);
});
