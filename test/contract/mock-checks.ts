/** Short checks of the mock: each throws an AssertionError when the mock does something else. */
import assert from "node:assert/strict";
import type { OpenApiDocument } from "../../scripts/contract/index.ts";
import type * as MockModule from "../../scripts/mock/mock.ts";
import { noPlanRegisters } from "../../scripts/plan/index.ts";
import { planOf } from "../../scripts/plan/make-plan.ts";
import type { Load } from "../support/mutants.ts";

const json = (schema: object, examples: object) => ({ content: { "application/json": { schema, examples } } });
const example = (value: object) => ({ value });

const errors = json(
  { type: "object", oneOf: [{ $ref: "#/components/schemas/P101" }, { $ref: "#/components/schemas/P102" }] },
  { P101: example({ errorCode: "P101" }), P102: example({ errorCode: "P102" }) },
);
const error = (code: string) => ({
  type: "object",
  required: ["errorCode"],
  properties: { errorCode: { const: code } },
  "x-error": { status: 400, meaning: code },
  "x-advice": { retry: "never", resolution: "None." },
});
const responses = (name: string) => ({
  200: {
    description: "It.",
    ...json({ type: "object" }, { first: example({ name }), second: example({ name: "second" }) }),
  },
  400: { description: "No.", ...errors },
  401: { description: "No key.", ...json({ type: "object" }, { denied: example({ message: "Access Denied" }) }) },
});
const id = {
  name: "id",
  in: "path",
  required: true,
  schema: { type: "string", pattern: "^[a-z]+$" },
  example: "a",
};
const requestBody = {
  required: true,
  ...json({ type: "object", required: ["size"] }, { small: example({ size: 1 }) }),
};
const server = (address: string) => [
  { url: `{${address}}`, variables: { [address]: { default: "https://a.example" } } },
];

const document = {
  openapi: "3.1.1",
  info: { title: "Items", version: "1.0.0" },
  servers: server("base_url"),
  security: [{ apiKey: [] }],
  paths: {
    "/items/{id}": {
      parameters: [id],
      get: { operationId: "getItem", responses: responses("any") },
      post: { operationId: "changeItem", requestBody, responses: responses("changed") },
    },
    "/items/new": { get: { operationId: "getNewItem", responses: responses("new") } },
    "/deposit": {
      servers: server("deposit_base_url"),
      get: { operationId: "getDeposit", responses: responses("deposit") },
    },
  },
  components: {
    schemas: { P101: error("P101"), P102: error("P102") },
    securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "x-api-key" } },
  },
} as unknown as OpenApiDocument;

const parameters = { id: "P101" };
const operations = { getItem: { parameters }, changeItem: { parameters } };
const registers = { ...noPlanRegisters, invalidRequests: { code: "P102", operations } };

const key = { "x-api-key": "key" };
type Call = [path: string, init?: RequestInit];

/** Runs the mock, and uses a function that calls it: `deposit:/path` calls the deposit address. */
async function withMock(
  load: Load,
  use: (send: (...call: Call) => Promise<Response>, mock: MockModule.ReplaceableMock) => Promise<void>,
): Promise<void> {
  const { startMock } = await load<typeof MockModule>("mock.ts");
  const mock = await startMock(planOf({ document, registers }), { edition: "test", stateless: true });
  const send = (path: string, init: RequestInit = {}) => {
    const url = path.startsWith("deposit:") ? path.replace("deposit:", mock.depositUrl) : `${mock.url}${path}`;
    return fetch(url, { headers: key, ...init });
  };
  await use(send, mock).finally(() => mock.close());
}

/** Status and body of an answer; what is in the body besides names and codes is left out. */
async function told(response: Response): Promise<unknown[]> {
  const { name, errorCode, message } = (await response.json()) as Record<string, unknown>;
  return [response.status, name ?? errorCode ?? message];
}

export const checks = {
  "a concrete path wins over a template": (load: Load) =>
    withMock(load, async (send) => {
      assert.deepEqual(await told(await send("/items/new")), [200, "new"]);
      assert.deepEqual(await told(await send("/items/other")), [200, "any"]);
    }),
  "an operation is available on its own address, with its own methods": (load: Load) =>
    withMock(load, async (send) => {
      assert.deepEqual(await told(await send("deposit:/deposit")), [200, "deposit"]);
      assert.equal((await send("/deposit")).status, 404);
      assert.equal((await send("/items/new", { method: "DELETE" })).headers.get("allow"), "GET, POST, HEAD, OPTIONS");
    }),
  "a request is refused for its key first, then its parameters, then its body": (load: Load) =>
    withMock(load, async (send) => {
      const post = (path: string, headers: Record<string, string>, body: string) =>
        send(path, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
      assert.deepEqual(await told(await post("/items/1", {}, "{}")), [401, "Access Denied"]);
      assert.deepEqual(await told(await post("/items/1", key, "{}")), [400, "P101"]);
      assert.deepEqual(await told(await post("/items/a", key, "{}")), [400, "P102"]);
      assert.deepEqual(await told(await post("/items/a", key, '{"size":1}')), [200, "changed"]);
    }),
  "a body is judged by its content type": (load: Load) =>
    withMock(load, async (send) => {
      const post = (headers: Record<string, string>) =>
        send("/items/a", { method: "POST", headers: { ...key, ...headers }, body: '{"size":1}' });
      assert.deepEqual(await told(await post({ "content-type": "text/plain" })), [400, "P102"]);
      const compressed = { "content-type": "application/json", "content-encoding": "gzip" };
      assert.deepEqual(await told(await post(compressed)), [400, "P102"]);
    }),
  "Prefer chooses an answer, whatever the request contains": (load: Load) =>
    withMock(load, async (send) => {
      const prefer = (text: string) => send("/items/1", { headers: { prefer: text } });
      assert.deepEqual(await told(await prefer("code=P102")), [400, "P102"]);
      assert.deepEqual(await told(await prefer("code=200, example=second")), [200, "second"]);
      assert.deepEqual(await told(await prefer("code=401; code=200")), [401, "Access Denied"]);
      const applied = await prefer("example=second, respond-async");
      assert.equal(applied.headers.get("preference-applied"), "example=second");
      assert.match(
        (await prefer("code=418")).headers.get("x-mock-warning") ?? "",
        /code=200 with example=first\|second/,
      );
    }),
  "a refusal says when and why, without what was sent": (load: Load) =>
    withMock(load, async (send) => {
      const body = (await (await send("/items/canary7")).json()) as { errorMessage: string; timestamp: string };
      assert.match(body.errorMessage, /\bid\b/);
      assert.doesNotMatch(body.errorMessage, /canary7/);
      assert.ok(Math.abs(Date.parse(body.timestamp) - Date.now()) < 60_000);
    }),
  "another contract is used at once": (load: Load) =>
    withMock(load, async (send, mock) => {
      const changed = structuredClone(document);
      Object.assign(changed.paths["/items/new"]?.get ?? {}, { responses: responses("changed") });
      mock.use(planOf({ document: changed }));
      assert.deepEqual(await told(await send("/items/new")), [200, "changed"]);
    }),
};
