/** Replacing the contract of a running mock. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { OpenApiDocument } from "../../scripts/contract/index.ts";
import { type Mock, startMock } from "../../scripts/mock/index.ts";
import { prismSource } from "../../scripts/plan/index.ts";

/** A contract with one operation on each address. */
function documentOf({ path = "/old", deposit = "/deposit", parameters = [] as object[] }): OpenApiDocument {
  const operation = { parameters, responses: { 200: { description: "OK" } } };
  return {
    openapi: "3.1.0",
    info: { title: "Small", version: "1" },
    servers: [{ url: "{base_url}" }],
    paths: {
      [path]: { get: operation },
      [deposit]: { get: { ...operation, servers: [{ url: "{deposit_base_url}" }] } },
    },
  } as OpenApiDocument;
}

const sourceOf = (change: Parameters<typeof documentOf>[0]) => prismSource({ document: documentOf(change) });
const withReference = ($ref: string) => documentOf({ path: "/referring", parameters: [{ $ref }] });

let mock: Mock;
beforeAll(async () => {
  mock = await startMock({ source: sourceOf({}), port: 0, depositPort: 0 });
});
afterEach(() => mock.use(sourceOf({})));
afterAll(() => mock.close());

const statusOf = async (path: string, url = mock.url) => (await fetch(`${url}${path}`)).status;

test("from then on the new contract answers, on the same connection", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const call = (path: string) =>
    new Promise<[number | undefined, number | undefined]>((resolve, reject) => {
      get(`${mock.url}${path}`, { agent }, (response) => {
        const { localPort } = response.socket;
        response.resume().on("end", () => resolve([response.statusCode, localPort]));
      }).on("error", reject);
    });
  const [before, port] = await call("/old");
  expect(before).toBe(200);
  await mock.use(sourceOf({ path: "/new" }));
  expect(await call("/old")).toEqual([404, port]);
  expect(await call("/new")).toEqual([200, port]);
  agent.destroy();
});

test("the deposit address has the new contract as well", async () => {
  await mock.use(sourceOf({ deposit: "/new" }));
  expect(await statusOf("/deposit", mock.depositUrl)).toBe(404);
  expect(await statusOf("/new", mock.depositUrl)).toBe(200);
  expect(await (await fetch(`${mock.url}/new`)).text()).toContain(mock.depositUrl);
});

test.each([
  ["not an OpenAPI document", {} as OpenApiDocument],
  ["a reference that does not resolve", withReference("#/components/parameters/NoSuchParameter")],
  ["a reference to a file that does not exist", withReference("./no-such-file.yaml")],
])(
  "with a document that cannot be loaded it rejects, and the old contract keeps answering: %s",
  async (_, document) => {
    await expect(mock.use(prismSource({ document }))).rejects.toThrow();
    expect(await statusOf("/old")).toBe(200);
    await mock.use(sourceOf({ path: "/new" }));
    expect(await statusOf("/new")).toBe(200);
  },
);

test("requests during the replacement are answered, by the old or the new contract", async () => {
  let done = false;
  const use = mock.use(sourceOf({ path: "/new" })).finally(() => {
    done = true;
  });
  while (!done) {
    expect([200, 404]).toContain(await statusOf("/old"));
    expect(await statusOf("/deposit", mock.depositUrl)).toBe(200);
  }
  await use;
  expect(await statusOf("/new")).toBe(200);
});

test("several replacements at once take effect in their order", async () => {
  // Prism reads a referenced file asynchronously: by itself the last document would be ready before the first one.
  const folder = mkdtempSync(join(tmpdir(), "mock-"));
  const parameter = join(folder, "parameter.json");
  writeFileSync(parameter, JSON.stringify({ name: "limit", in: "query", schema: {} }));
  const uses = [
    mock.use(prismSource({ document: withReference(parameter) })),
    mock.use(prismSource({ document: {} as OpenApiDocument })),
    mock.use(sourceOf({ path: "/new" })),
  ];
  const results = await Promise.allSettled(uses);
  rmSync(folder, { recursive: true });
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await statusOf("/referring")).toBe(404);
  expect(await statusOf("/new")).toBe(200);
});

test("the new document is not changed", async () => {
  const document = documentOf({ path: "/new", parameters: [{ $ref: "#/components/parameters/Limit" }] });
  document.components = { parameters: { Limit: { name: "limit", in: "query", schema: {} } } };
  const copy = structuredClone(document);
  await mock.use(prismSource({ document }));
  expect(await statusOf("/new?limit=1")).toBe(200);
  expect(document).toEqual(copy);
});
