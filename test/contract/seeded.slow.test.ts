/** The tests of the client, the mock and the docs can fail: each file notices the defects that are seeded into the code. */

import { x } from "tinyexec";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/index.ts";

type Defect = [name: string, file: string, find: string, put: string];

const defects: Record<string, Defect[]> = {
  "packed/outcomes": [
    ["a lost connection is given up", "call.ts", 'kind === "network" || ', ""],
    ["what may have paid is repeated", "call.ts", 'outcome !== "unknown"', "true"],
    ["503 is repeated where money moves", "call.ts", "if (safe && status", "if (status"],
    ["milliseconds are read", "call.ts", "Number(value) * 1000", "Number(value)"],
    ["the last attempt decides", "call.ts", "error.outcome > context.outcome", "true"],
    ["an internal failure is a refusal", "response.ts", '"after-change"]', '"after-change", "later"]'],
    ["a broken connection counts as not sent", "call.ts", 'isSent ? "unknown" : "not-sent"', '"not-sent"'],
  ],
  "packed/calls": [
    ["the body is written later", "call.ts", "  let prepared: Pre", "  await undefined;\n  let prepared: Pre"],
    ["only fetch listens to the signal", "deadline.ts", "      reject(ended);\n", ""],
  ],
  "packed/answers": [
    ["every code counts as documented", "response.ts", "?.includes(code) ?? false", "!== undefined"],
    ["a success may be empty", "response.ts", "operation.message === true && !codes?.length", "true"],
  ],
  "packed/requests": [
    ["the main address gets the call", "request.ts", "deposit ? depositBaseUrl : baseUrl", "baseUrl"],
    ["the parent folder is sent", "serialize.ts", ' || text === ".."', ""],
    ["a slash is sent", "serialize.ts", "[/\\\\", "[\\\\"],
  ],
  "packed/settings": [
    ["the timer does nothing", "deadline.ts", 'end(new Ended("timeout"))', "undefined"],
    ["redirects are followed", "transport.ts", 'redirect: "manual"', 'redirect: "follow"'],
  ],
  "packed/redaction": [
    [
      "the body is printed with the error",
      "errors.ts",
      '"timestamp"] as const).map',
      '"timestamp", "body"] as const).map',
    ],
    ["the body is not redacted", "error-texts.ts", "shown = redact?.(start) ?? start", "shown = start"],
  ],
  "packed/uploads": [
    ["the number is not checked", "files.ts", "count > maxFiles", "false"],
    ["the size is not checked", "files.ts", "size > maxBytes", "false"],
  ],
  "packed/numbers": [
    ["any text is an amount", "serialize.ts", "!decimalForm.test(String(amount))", "false"],
    ["digits are filled in on the wrong side", "decimal.ts", "fraction.padEnd(places", "fraction.padStart(places"],
    ["the text is made anew", "exact-numbers.ts", "{ text, index }", "{ text: JSON.stringify(data), index }"],
  ],
  "packed/dedupe": [["a claim is not extended", "webhooks/dedupe/lease.ts", "await store.extend(key, token)", "true"]],
  "packed/webhooks": [
    ["events without all fields are the same", "webhooks/dedupe/keys.ts", "identifies(id) && rest.every", "rest.every"],
    ["the token check is not awaited", "webhooks/handler.ts", "!(await isAuthorized(", "!(isAuthorized("],
    ["a body that breaks its type is handled", "webhooks/handler.ts", "if (breaks.length > 0)", "if (false)"],
  ],
  "client/on-demand": [
    [
      "an error is lost with its texts",
      "call.ts",
      "  } catch {\n    // The next error tries",
      "  } finally {\n    // The next",
    ],
    [
      "a code is known by its texts only",
      "response.ts",
      "isKnown = retry !== undefined",
      "isKnown = texts !== undefined",
    ],
  ],
  "client/conformance": [
    ["a missing field does not break it", "conformance.ts", '"required", "type"', '"required", "form"'],
    ["the first branch is the closest", "conformance.ts", "distance(next.problems) < distance(best.problems)", "false"],
  ],
  "mock/routing": [
    [
      "templates come first",
      "request/router.ts",
      "= node.fixed.get(segment);",
      "= node.templated ? undefined : node.fixed.get(segment);",
    ],
    [
      "every operation is on both addresses",
      "request/router.ts",
      "one.address === address && one.method === wanted",
      "one.method === wanted",
    ],
    ["the methods are left out", "answer/replies.ts", "{ ...reply.headers, allow }", "reply.headers"],
  ],
  "mock/refused-requests": [
    ["parameters come first", "answer/choices.ts", '"security",\n  "parameter",', '"parameter",\n  "security",'],
    ["the body comes before them", "answer/choices.ts", '\n  "parameter",\n  "mediaType",', '\n  "mediaType",'],
    ["a missing key is accepted", "answer/choices.ts", '"security") return "401";', '"security") return undefined;'],
    ["the reason is that of the example", "answer/replies.ts", "{ errorMessage: message }", "{}"],
  ],
  "mock/validation.slow": [
    ["a compressed body is read", "request/body.ts", '["", "identity"]', '["", "identity", "gzip"]'],
    ["the first content type is assumed", "request/body.ts", "mediaType === type?.essence", "mediaType !== undefined"],
    ["the time is that of the example", "answer/replies.ts", "{ timestamp: new Date(at).toISOString() }", "{}"],
  ],
  "mock/preferred-answers": [
    ["a P-code is not known", "answer/choices.ts", " || answer.code === codeOrStatus", ""],
    ["the example is not looked at", "answer/choices.ts", "example: ({ example }, value) => example === value,", ""],
    ["the last preference counts", "answer/choices.ts", "if (!preferences.has(name.toLowerCase())) ", ""],
    ["nothing is said of what was ignored", "answer/choices.ts", "else if (warnings.length === 0)", "else if (false)"],
    [
      "the request is checked first",
      "service.ts",
      "if (preferred?.answer !== undefined) {",
      "if (preferred?.answer !== undefined && request.headers['x-api-key']) {",
    ],
  ],
  "mock/use": [["the old contract stays", "mock.ts", "service = serviceFor(next);", "serviceFor(next);"]],
  "docs/site-server": [
    ["a page has no policy", "server/site-listener.ts", '"Content-Security-Policy": `', '"X-Policy": `'],
    ["what a page holds may run", "server/policy.ts", "style-src 'self'", "style-src 'self' 'unsafe-inline'"],
    ["other sites may show the page in a frame", "server/site-listener.ts", "; frame-ancestors 'none'", ""],
    ["every method is answered", "server/site-listener.ts", 'app.get("*",', 'app.all("*",'],
  ],
  "docs/small-site": [
    ["two kinds of provenance are mixed up", "components/marks.tsx", 'short: "Proposed"', 'short: "Stated"'],
    ["everything has a mark", "components/marks.tsx", "if (effective === weakest(", "if (!weakest("],
    ["sensitive values have no mark", "components/marks.tsx", "      Sensitive\n", "      Value\n"],
    ["effects have no mark", "components/operation-parts.tsx", "<WeakMark provenance={own} than={provenance} />", ""],
    ["values have no mark", "components/guide-block.tsx", "<WeakMark provenance={provenance} />", ""],
    [
      "a code has the mark of its answer",
      "components/codes.tsx",
      "provenance: effective",
      "provenance: answer.effective",
    ],
    ["a link to nothing", "site/site.ts", "find(({ code }) => code === name)?.code", "at(0)?.code"],
    ["a link within code", "text/links.ts", "index % 2 === 1", "false"],
    ["a guide links nothing", "text/links.ts", ".map((part, index) => {", ".map((part, index) => {\nreturn part;"],
    ["a question is on a page without anchor", "site/site.ts", ", anchor: name.toLowerCase() }", " }"],
    ["HTML of the contract is used", "text/markdown.tsx", '.replaceAll("<", "&lt;"),', ","],
    ["code is used as HTML", "text/highlight.ts", '.replaceAll("<", "&lt;")', ""],
    ["the assumption is left out", "components/questions.tsx", 'rank === "money" &&', "false &&"],
    [
      "the entry has no assumption",
      "pages/questions.tsx",
      "<InlineProse text={assumption} />\n          <Rows",
      "<Rows",
    ],
    ["questions without a mark are listed", "site/question-places.ts", "marked.has(id)", "true"],
    ["the places are left out", "site/question-places.ts", "parts: [...new Set(concerned)]", "parts: []"],
    ["an entry has no anchor", "pages/questions.tsx", "id={id.toLowerCase()}", ""],
  ],
};

/** The folder of the code that the tests of a folder are about. */
const folders: Record<string, string> = {
  packed: "client/runtime",
  client: "client/runtime",
  mock: "mock",
  docs: "docs",
};

const rows = Object.entries(defects).flatMap(([test, each]) => each.map((defect) => [test, ...defect] as const));

it.each(rows)("%s fails where %s", { timeout: 120_000 }, async (test, _name, file, find, put) => {
  const folder = `scripts/${folders[test.replace(/\/.*/, "")]}`;
  const config = "test/contract/seeded.config.ts";
  const { stderr, exitCode } = await x(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", "--config", config, `test/${test}.test.ts`],
    {
      nodeOptions: {
        cwd: projectRoot,
        env: { DEFECT: JSON.stringify({ file: `${folder}/${file}`, find, put }), NO_COLOR: "1" },
      },
    },
  );
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/Failed Tests \d/);
  expect(stderr).not.toContain("times in");
});
