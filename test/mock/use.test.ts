import { Agent, get } from "node:http";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { OpenApiDocument } from "../../scripts/contract/model/index.ts";
import { type ReplaceableMock, startMock } from "../../scripts/mock/host/mock.ts";
import { planOf } from "../../scripts/mock/make-plan/index.ts";
import type { Plan } from "../../scripts/mock/plan/plan.ts";
import { plan } from "../support/plan.ts";

function documentOf({ path = "/old", deposit = "/deposit", parameters = [] as object[] }): OpenApiDocument {
  const operation = { "x-provenance": "specification", parameters, responses: { 200: { description: "OK" } } };
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

const smallPlan = (change: Parameters<typeof documentOf>[0]): Promise<Plan> => planOf({ document: documentOf(change) });

let mock: ReplaceableMock;
beforeAll(async () => {
  mock = await startMock(await smallPlan({}), { stateless: true });
});
afterEach(async () => mock.use(await smallPlan({})));
afterAll(() => mock.close());

const readStatus = async (path: string, url = mock.url) => (await fetch(`${url}${path}`)).status;

test("a new contract applies to the next request on an open connection", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const call = (path: string) =>
    new Promise<[number | undefined, number | undefined]>((resolve, reject) => {
      get(`${mock.url}${path}`, { agent }, (response) => {
        const { localPort } = response.socket;
        response.resume().on("end", () => resolve([response.statusCode, localPort]));
      }).on("error", reject);
    });
  const [statusBefore, port] = await call("/old");
  expect(statusBefore).toBe(200);
  mock.use(await smallPlan({ path: "/new" }));
  expect(await call("/old")).toEqual([404, port]);
  expect(await call("/new")).toEqual([200, port]);
  agent.destroy();
});

test("a new contract applies to the deposit address", async () => {
  mock.use(await smallPlan({ deposit: "/new" }));
  expect(await readStatus("/deposit", mock.depositUrl)).toBe(404);
  expect(await readStatus("/new", mock.depositUrl)).toBe(200);
  expect(await (await fetch(`${mock.url}/new`)).text()).toContain(mock.depositUrl);
});

test("a new contract applies to the mock's functions, with new worlds", async () => {
  const runningMock = await startMock(plan);
  runningMock.users.create("user-1");
  expect(runningMock.state().entities.length).toBeGreaterThan(0);
  const [resource] = Object.keys(plan.resources);
  const removedEvent = runningMock.possibleEvents.find((event) => event.resource !== resource);
  runningMock.use({ ...plan, resources: { [resource ?? ""]: plan.resources[resource ?? ""] as never } });
  expect(runningMock.state().entities).toEqual([]);
  expect(new Set(runningMock.possibleEvents.map((event) => event.resource))).toEqual(new Set([resource]));
  expect(() => runningMock.triggerEvent(removedEvent?.resource as never, removedEvent?.event as never)).toThrow(
    "cannot be triggered",
  );
  await runningMock.close();
});

test("something that is no OpenAPI document is refused", async () => {
  await expect(planOf({ document: {} as OpenApiDocument })).rejects.toThrow();
});

test("the given document is not modified", async () => {
  const document = documentOf({ path: "/new", parameters: [{ $ref: "#/components/parameters/Limit" }] });
  document.components = { parameters: { Limit: { name: "limit", in: "query", schema: {} } } };
  const copy = structuredClone(document);
  mock.use(await planOf({ document }));
  expect(await readStatus("/new?limit=1")).toBe(200);
  expect(document).toEqual(copy);
});
