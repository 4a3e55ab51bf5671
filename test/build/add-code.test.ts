/**
 * Adding a P-code touches its own file and the operations that return it, and nothing else: lint, types, client, mock and
 * docs follow.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundleContract } from "../../scripts/build/bundle.ts";
import { generateClient } from "../../scripts/client/generate.ts";
import { readContract } from "../../scripts/contract/contract.ts";
import type { OpenApiDocument } from "../../scripts/contract/document.ts";
import { readOpenQuestions } from "../../scripts/contract/open-questions.ts";
import { projectRoot } from "../../scripts/contract/project.ts";
import { annotateDocument } from "../../scripts/docs/annotate.ts";
import { readRequiredStates } from "../../scripts/docs/required-states.ts";
import { lintSources } from "../../scripts/lint/lint-sources.ts";
import { startMock } from "../../scripts/mock/mock.ts";

const code = "P498";
let folder: string;
let root: string;
let document: OpenApiDocument;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "add-code-"));
  cpSync(`${projectRoot}/openapi`, join(folder, "openapi"), { recursive: true });
  root = join(folder, "openapi", "openapi.yaml");

  // The first file: the code itself, like a neighbour.
  const errors = join(folder, "openapi", "errors");
  const neighbour = readFileSync(join(errors, "P411.yaml"), "utf8");
  writeFileSync(
    join(errors, `${code}.yaml`),
    neighbour.replaceAll("P411", code).replaceAll("User exists", "Moon is full"),
  );

  // The second file: an operation that returns it.
  const operation = join(folder, "openapi", "paths", "order", "createOrderRateLock.yaml");
  const reference = "../../errors/P500.yaml";
  const example = `            ${code}:
              summary: The moon is full
              value:
                errorCode: ${code}
                errorMessage: The moon is full
                timestamp: "2026-03-09T12:00:00.000Z"
`;
  const text = readFileSync(operation, "utf8")
    .replace(
      `              - $ref: ${reference}`,
      `              - $ref: ../../errors/${code}.yaml\n              - $ref: ${reference}`,
    )
    .replace(
      `                P500: ${reference}`,
      `                ${code}: ../../errors/${code}.yaml\n                P500: ${reference}`,
    )
    .replace("            P500:\n              summary", `${example}            P500:\n              summary`);
  writeFileSync(operation, text);
  document = await bundleContract("latest", root);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("lint has nothing against it", async () => {
  expect((await lintSources(root)).findings).toEqual([]);
});

it("the operation, the types and the client's error know it", async () => {
  const contract = readContract(document);
  const operation = contract.operations.find(({ operationId }) => operationId === "createOrderRateLock");
  expect(operation?.answers.flatMap(({ codes }) => codes)).toContain(code);
  const client = await generateClient(document, "latest", readOpenQuestions());
  expect(client["types.d.ts"]).toContain(`components["schemas"]["P403"] | components["schemas"]["${code}"]`);
  expect(client["catalogue.js"]).toContain(`${code}: { meaning: "Moon is full"`);
  expect(client["index.d.ts"]).toContain(`400 ${code}: Moon is full`);
});

it("the mock answers with it", async () => {
  const mock = await startMock({ document, port: 0, depositPort: 0 });
  const response = await fetch(`${mock.url}/v1/order/lock-rate`, {
    method: "POST",
    headers: { "x-api-key": "key", "content-type": "application/json", prefer: `code=400, example=${code}` },
    body: JSON.stringify({ currency: "btc", amount: "1", network: "btc" }),
  });
  await mock.close();
  expect([response.status, await response.json()]).toMatchObject([400, { errorCode: code }]);
});

it("the docs tell of it, at the operation and among the errors", () => {
  const sources = { questions: readOpenQuestions(), states: readRequiredStates(), guides: "" };
  const annotated = annotateDocument(document, sources);
  expect(annotated.paths["/v1/order/lock-rate"]?.post?.description).toContain(`[${code}](#/errors/p498)`);
  expect(JSON.stringify(annotated.tags)).toContain(`${code} Moon is full`);
});
