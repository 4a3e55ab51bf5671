/**
 * Adding a P-code touches two files, its own and the operation that returns it: lint, types, client, mock and docs follow.
 */
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { bundleContract } from "../../scripts/bundle/index.ts";
import { generateClient } from "../../scripts/client/generate.ts";
import { contractFile, type OpenApiDocument, projectRoot, readContract } from "../../scripts/contract/index.ts";
import { errorPages } from "../../scripts/docs/pages/error.tsx";
import { errorsPage } from "../../scripts/docs/pages/errors.tsx";
import { operationPages } from "../../scripts/docs/pages/operation.tsx";
import { createSite } from "../../scripts/docs/site/site.ts";
import { lintContract } from "../../scripts/lint/index.ts";
import { startMock } from "../../scripts/mock/mock.ts";
import { planOf } from "../../scripts/plan/make-plan.ts";
import { diskFiles, Sources } from "../../scripts/sources/index.ts";
import { parsePages, textOf } from "../docs/parsed-page.ts";

const code = "P498";

/** The code itself, like a neighbour. */
const errorFile = `${projectRoot}/openapi/errors/${code}.yaml`;
const neighbour = readFileSync(`${projectRoot}/openapi/errors/P411.yaml`, "utf8");
const error = neighbour.replaceAll("P411", code).replaceAll("User exists", "Moon is full");

/** One line more in the operation that returns it. */
const operationFile = `${projectRoot}/openapi/paths/order/createOrderRateLock.yaml`;
const reference = "              - $ref: ../../errors/P500.yaml\n";
const operation = readFileSync(operationFile, "utf8").replace(reference, reference.replace("P500", code) + reference);

const texts = new Map([
  [errorFile, error],
  [operationFile, operation],
]);
const sources = new Sources(contractFile, {
  list: (folder) => [...new Set([...diskFiles.list(folder), errorFile])].sort(),
  read: (file) => texts.get(file) ?? diskFiles.read(file),
});

let document: OpenApiDocument;
beforeAll(async () => {
  document = await bundleContract("test", sources);
});

it("lint finds nothing wrong with it", async () => {
  const { findings, files } = await lintContract({ sources });
  expect(files).toContain(errorFile);
  expect(findings).toEqual([]);
});

it("the operation, the types and the client's error know it", async () => {
  const contract = readContract(document);
  const lockRate = contract.operations.find(({ operationId }) => operationId === "createOrderRateLock");
  expect(lockRate?.answers.flatMap(({ codes }) => codes)).toContain(code);
  const client = await generateClient(document, sources.registers());
  expect(client["types.ts"]).toContain(`P403 | ${code}`);
  expect(client["catalogue.ts"]).toContain(`${code}: ErrorCodeEntry = { meaning: "Moon is full"`);
  expect(client["operations.ts"]).toContain(`- 400 \`${code}\`: Moon is full.`);
  expect(client["index.ts"]).toContain(`400 ${code}: Moon is full`);
});

it("the mock answers with the example of its file", async () => {
  const mock = await startMock(planOf({ document }), { edition: "test", stateless: true });
  const response = await fetch(`${mock.url}/v1/order/lock-rate`, {
    method: "POST",
    headers: { "x-api-key": "key", "content-type": "application/json", prefer: `code=400, example=${code}` },
    body: JSON.stringify({ currency: "btc", amount: "1", network: "btc" }),
  });
  await mock.close();
  expect([response.status, await response.json()]).toEqual([
    400,
    expect.objectContaining({ errorCode: code, errorMessage: "Moon is full" }),
  ]);
});

it("the docs name it, at the operation and among the errors, and it has a page", () => {
  const registers = sources.registers();
  const site = createSite(document, { registers, guides: [], journeys: [], changelog: "" });
  const names = ["createOrderRateLock", code];
  const shown = [...operationPages(site), ...errorPages(site)].filter(
    ({ ref }) => "name" in ref && names.includes(ref.name),
  );
  const [operationPage, errorPage, list] = parsePages([...shown, errorsPage(site)], site);
  expect(operationPage?.hrefs).toContain(`../errors/${code}.html`);
  expect(textOf(errorPage?.main)).toMatch(new RegExp(`${code} Moon is full.*Create a lock`, "i"));
  expect(list?.hrefs).toContain(`${code}.html`);
});
