/** Short checks of the client's runtime: each throws an AssertionError when the runtime does something else. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type * as CallModule from "../../scripts/client/runtime/call.ts";
import type * as ClientModule from "../../scripts/client/runtime/client.ts";
import type { ClientOptions } from "../../scripts/client/runtime/client-options.ts";
import type * as ConformanceModule from "../../scripts/client/runtime/conformance.ts";
import type * as ExportsModule from "../../scripts/client/runtime/exports.ts";
import type * as JsonBodyModule from "../../scripts/client/runtime/json-body.ts";
import type * as MultipartModule from "../../scripts/client/runtime/multipart.ts";
import type {
  ClientContract,
  ErrorCatalogue,
  ErrorCodeEntry,
  Operation,
} from "../../scripts/client/runtime/operation.ts";
import type * as QueryModule from "../../scripts/client/runtime/query.ts";
import type * as RetryModule from "../../scripts/client/runtime/retry.ts";
import type { Schema } from "../../scripts/client/runtime/schema.ts";
import type * as KeyModule from "../../scripts/client/runtime/webhooks/dedupe/key.ts";
import type * as MemoryModule from "../../scripts/client/runtime/webhooks/dedupe/memory.ts";
import type { DedupeStore } from "../../scripts/client/runtime/webhooks/dedupe/store.ts";
import type * as DeliveryModule from "../../scripts/client/runtime/webhooks/delivery.ts";
import type * as HandlerModule from "../../scripts/client/runtime/webhooks/handler.ts";
import type * as TokenModule from "../../scripts/client/runtime/webhooks/token.ts";
import type { AnyResult } from "../support/clients.ts";
import type { Load } from "../support/mutants.ts";

const codes: ErrorCatalogue = {
  P403: { meaning: "Validation error", retry: "after-change", resolution: "Correct it." },
  P412: { meaning: "User not exist", retry: "never", resolution: "Create it." },
  P501: { meaning: "Not now", retry: "later", resolution: "Repeat it." },
};
const { P403, P501 } = codes as Record<string, ErrorCodeEntry>;
const contract: ClientContract = {
  catalogue: async () => codes,
  sensitiveNames: ["phone"],
  docs: "#/errors/",
  answers: async () => ({ checkAnswer: ({ found }) => found }),
};

const failure = (errorCode: string) => Response.json({ errorCode }, { status: 400 });
const path = { externalUserId: "user-1" };

/** The operations of the checks; their functions are those of the runtime that is checked. */
async function operations(load: Load): Promise<Record<string, Operation>> {
  const { toJsonBody } = await load<typeof JsonBodyModule>("json-body.ts");
  const { prepareUpload } = await load<typeof MultipartModule>("multipart.ts");
  const { toQuery } = await load<typeof QueryModule>("query.ts");
  const answers = { 200: {}, 400: { P403, P501 }, 401: {} } as Operation["answers"];
  const limits = { files: { maxFiles: 1, maxBytes: 4 } };
  const upload = { prepare: prepareUpload, parts: ["files"], limits };
  return {
    getUser: { id: "getUser", method: "GET", path: "/v1/user/{externalUserId}", query: toQuery, answers, safe: true },
    getDeposit: { id: "getDeposit", method: "GET", path: "/v1/deposit", deposit: true, answers, safe: true },
    addFiles: { id: "addFiles", method: "POST", path: "/v1/files", upload, answers },
    pay: { id: "pay", method: "POST", path: "/v1/pay", body: toJsonBody, amounts: ["amount"], answers },
  };
}

/**
 * Calls an operation; the service gives the answers one after the other, the last one again and again. `afterwards` runs as
 * soon as the function of the operation has returned.
 */
async function call(
  load: Load,
  operationId: string,
  options: object,
  answers: (() => Response | Promise<Response>)[] = [() => Response.json({})],
  afterwards: () => unknown = () => undefined,
): Promise<AnyResult & { requests: Request[] }> {
  const { makeClient } = await load<typeof ClientModule>("client.ts");
  const { call: callOperation } = await load<typeof CallModule>("call.ts");
  const requests: Request[] = [];
  const fetch: ClientOptions["fetch"] = async (request) => {
    requests.push(request);
    const answer = answers[Math.min(requests.length, answers.length) - 1] as () => Response;
    return answer();
  };
  const addresses = { baseUrl: "https://main.example", depositBaseUrl: "https://deposit.example" };
  const client = makeClient({ ...addresses, apiKey: "the-secret-key", fetch }, contract);
  const operation = (await operations(load))[operationId] as Operation;
  const calling = callOperation<AnyResult>(client, operation, options);
  afterwards();
  return { ...(await calling), requests };
}

export const checks = {
  async "failures that may pass are repeated, and no others"(load: Load) {
    const { mayHelp } = await load<typeof RetryModule>("retry.ts");
    const { PartnerApiError } = await load<typeof ExportsModule>("exports.ts");
    const error = (details: object) =>
      new PartnerApiError({ kind: "code", operationId: "getUser", message: "", ...details });
    assert.equal(mayHelp(error({ kind: "network" }), false), true);
    assert.equal(mayHelp(error({ kind: "unexpected-answer", status: 429 }), false), true);
    assert.equal(mayHelp(error({ advice: P501 }), false), true);
    assert.equal(mayHelp(error({ advice: P403 }), true), false);
    assert.equal(mayHelp(error({ kind: "unexpected-answer", status: 503 }), true), true);
    assert.equal(mayHelp(error({ kind: "unexpected-answer", status: 503 }), false), false);
    assert.equal(mayHelp(error({ kind: "aborted" }), true), false);
  },
  async "a call is repeated as often as allowed"(load: Load) {
    const retryNow = { headers: { "retry-after": "0" }, status: 400 };
    const busy = () => Response.json({ errorCode: "P501" }, retryNow);
    assert.equal((await call(load, "getUser", { path, retries: 2 }, [busy])).requests.length, 3);
    assert.equal(
      (await call(load, "addFiles", { body: { files: new File(["a"], "a.png") } }, [busy])).requests.length,
      1,
    );
  },
  async "Retry-After counts seconds"(load: Load) {
    const { delayBefore } = await load<typeof RetryModule>("retry.ts");
    assert.equal(delayBefore(1, "2"), 2000);
    assert.ok(delayBefore(1, "-1") > 100 && delayBefore(1, "2;") > 100);
  },
  async "a call ends with its timeout, also when fetch ignores the signal"(load: Load) {
    const never = () => new Promise<Response>(() => {});
    const ending = call(load, "getUser", { path, timeoutMs: 20 }, [never]);
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, 300));
    assert.equal((await Promise.race([ending, late]))?.error?.kind, "timeout");
  },
  async "what is sent is fixed when the function is called, and nothing that a number cannot say"(load: Load) {
    const body = { amount: 10 };
    const change = () => Object.assign(body, { amount: 20 });
    const [request] = (await call(load, "pay", { body }, [() => Response.json({})], change)).requests;
    assert.equal(await request?.text(), '{"amount":10}');
    for (const wrong of [{ fee: Number.NaN }, { fee: 0.1 + 0.2 }, { amount: "1e5" }]) {
      const { error, requests } = await call(load, "pay", { body: wrong });
      assert.deepEqual([wrong, error?.kind, requests.length], [wrong, "invalid-request", 0]);
    }
  },
  async "an outcome is only as good as all attempts"(load: Load) {
    const outcome = async (options: object, answers: (() => Response | Promise<Response>)[]) =>
      (await call(load, "pay", { body: {}, ...options }, answers)).error?.outcome;
    const broken = () => Promise.reject(new Error("cut"));
    const refused = () => failure("P403");
    assert.equal(await outcome({}, [refused]), "refused");
    assert.equal(await outcome({}, [() => failure("P501")]), "unknown");
    assert.equal(await outcome({}, [broken]), "unknown");
    assert.equal(await outcome({ retries: 1 }, [broken, refused]), "unknown");
    assert.equal(await outcome({ signal: AbortSignal.abort() }, [refused]), "not-sent");
  },
  async "an error shows neither the key nor a sensitive value"(load: Load) {
    const text = 'the-secret-key "phone": "447700900123" Anna-1 {"phone":"4477009';
    const { error } = await call(load, "getUser", { path, query: { phone: "Anna-1" } }, [() => new Response(text)]);
    assert.match(error?.body ?? "", /redacted/);
    assert.doesNotMatch(`${error?.message} ${error?.body}`, /the-secret|4477|Anna/);
    assert.doesNotMatch(JSON.stringify(error), /redacted/);
  },
  async "a path parameter cannot lead to another path"(load: Load) {
    for (const externalUserId of ["..", ".", "", "a/b"]) {
      const { error, requests } = await call(load, "getUser", { path: { externalUserId } });
      assert.deepEqual([externalUserId, error?.kind, requests.length], [externalUserId, "invalid-request", 0]);
    }
  },
  async "the key is sent to the address of the operation, and no redirect is followed"(load: Load) {
    const { requests } = await call(load, "getDeposit", {});
    const [request] = requests;
    assert.equal(request?.url, "https://deposit.example/v1/deposit");
    assert.equal(request?.headers.get("x-api-key"), "the-secret-key");
    assert.equal(request?.redirect, "manual");
  },
  async "a P-code is documented, of the catalogue, or unknown"(load: Load) {
    const read = async (code: string, operationId: string) => {
      const { error } = await call(load, operationId, { path, query: {}, retries: 0 }, [() => failure(code)]);
      return [error?.kind, error?.documented, error?.meaning];
    };
    assert.deepEqual(await read("P403", "getUser"), ["code", true, "Validation error"]);
    assert.deepEqual(await read("P412", "getUser"), ["code", false, "User not exist"]);
    assert.deepEqual(await read("P999", "getUser"), ["unknown-code", false, undefined]);
  },
  async "any 2xx with a readable body is a success, and no other"(load: Load) {
    const read = async (text: string, status: number) => {
      const { data, error } = await call(load, "getUser", { path, retries: 0 }, [() => new Response(text, { status })]);
      return error === undefined ? data : error.kind;
    };
    assert.deepEqual(await read('{"a":1}', 299), { a: 1 });
    assert.deepEqual(
      [await read("", 200), await read("<p>", 200), await read('{"a":1}', 300)],
      ["unexpected-answer", "unexpected-answer", "unexpected-answer"],
    );
  },
  async "a body is broken only by its type"(load: Load) {
    const { inspect } = await load<typeof ConformanceModule>("conformance.ts");
    const schema: Schema = {
      required: ["a"],
      properties: {
        a: { type: "string", pattern: /^x$/, known: ["x"] },
        b: { oneOf: [{ const: 1 }, { type: "null" }] },
      },
    };
    const rules = (body: unknown) => {
      const { breaks, violations } = inspect(schema, body);
      return [breaks.map(({ rule }) => rule), violations.map(({ rule }) => rule)];
    };
    assert.deepEqual(rules({ a: "x", b: null }), [[], []]);
    assert.deepEqual(rules({ a: "y", c: 1 }), [[], ["unlisted-value", "pattern", "unlisted-field"]]);
    assert.deepEqual(rules({}), [["required"], ["required"]]);
    assert.deepEqual(rules({ a: null }), [["type"], ["type"]]);
  },
  async "too many and too large files are refused"(load: Load) {
    const { prepareUpload } = await load<typeof MultipartModule>("multipart.ts");
    const rules = { parts: ["files"], limits: { files: { maxFiles: 1, maxBytes: 4 } } };
    const file = (text: string) => new File([text], "a.png");
    for (const files of [[file("a"), file("b")], file("large")]) assert.throws(() => prepareUpload({ files }, rules));
    const read = async (...chunks: string[]) => {
      const data = new Blob(chunks).stream();
      const form = await prepareUpload({ files: { data, name: "a.png", type: "image/png" } }, rules).read(undefined);
      return (form().get("files") as File).text();
    };
    assert.equal(await read("ok"), "ok");
    await assert.rejects(read("lar", "ge"));
  },
  async "decimals are exact"(load: Load) {
    const { addDecimals, compareDecimals, subtractDecimals, toDecimal } =
      await load<typeof ExportsModule>("exports.ts");
    assert.equal(addDecimals(toDecimal("0.1"), toDecimal("0.25")), "0.35");
    assert.equal(subtractDecimals(toDecimal("0.10"), toDecimal("1")), "-0.90");
    assert.equal(compareDecimals(toDecimal("10"), toDecimal("9.99")), 1);
    assert.throws(() => toDecimal("1e3"), TypeError);
  },
  async "numbers keep the digits that were sent"(load: Load) {
    const { exactNumbers } = await load<typeof ExportsModule>("exports.ts");
    const text = '{"amount":1.10,"note":"2.50"}';
    const answer = () => new Response(text, { headers: { "content-type": "application/json" } });
    const { data } = await call(load, "getUser", { path }, [answer]);
    assert.deepEqual(exactNumbers(data as object), { amount: "1.10", note: "2.50" });
  },
  async "match takes only the branches that were given"(load: Load) {
    const { match } = await load<typeof ExportsModule>("exports.ts");
    const branches = { DONE: () => "done", otherwise: (value: string) => `other ${value}` };
    const values = ["DONE", "toString", "otherwise", "LATER"];
    assert.deepEqual(
      values.map((value) => match(value, branches)),
      ["done", "other toString", "other otherwise", "other LATER"],
    );
  },
  async "the whole token is compared"(load: Load) {
    const { createTokenCheck } = await load<typeof TokenModule>("webhooks/token.ts");
    const isAuthorized = createTokenCheck(["first", "second"]);
    const lastByte = (text: string) => createHash("sha256").update(text).digest().at(-1);
    const similar = Array.from({ length: 5000 }, (_, i) => `no-${i}`).find(
      (text) => lastByte(text) === lastByte("first"),
    );
    const given = ["first", "second", "third", null, similar as string];
    assert.deepEqual(await Promise.all(given.map(isAuthorized)), [true, true, false, false, false]);
    assert.throws(() => createTokenCheck(""), TypeError);
  },
  async "an event is handled once"(load: Load) {
    const { createMemoryStore } = await load<typeof MemoryModule>("webhooks/dedupe/memory.ts");
    const { dedupeKeyOf } = await load<typeof KeyModule>("webhooks/dedupe/key.ts");
    const store = createMemoryStore();
    const states: string[] = [];
    const claim = async (key: string) => {
      const claimed = await store.claim(key);
      states.push(claimed.state);
      return claimed.state === "new" ? claimed.token : "of nobody";
    };
    const token = await claim("a");
    await claim("a");
    assert.equal(await store.release("a", "of nobody"), false);
    await claim("a");
    await store.complete("a", token);
    await claim("a");
    await store.release("b", await claim("b"));
    await claim("b");
    assert.deepEqual(states, ["new", "busy", "busy", "done", "new", "new"]);
    assert.notEqual(dedupeKeyOf("w", ["a", "b"], { a: "1", b: "2" }), dedupeKeyOf("w", ["a", "b"], { a: "1", b: "3" }));
    assert.equal(dedupeKeyOf("w", ["a", "b"], { a: "1" }), undefined);
  },
  async "an event stays claimed while it is handled, and is not released afterwards"(load: Load) {
    const { createMemoryStore } = await load<typeof MemoryModule>("webhooks/dedupe/memory.ts");
    const { deliver } = await load<typeof DeliveryModule>("webhooks/delivery.ts");
    const memory = createMemoryStore({ claimMs: 200 });
    const calls: string[] = [];
    const store: DedupeStore = {
      ...memory,
      extend: (key, token) => {
        calls.push("extend");
        return memory.extend(key, token);
      },
      complete: async () => {
        calls.push("complete");
        throw new Error("no connection");
      },
      release: async () => {
        calls.push("release");
        return true;
      },
    };
    const action = () => new Promise<void>((resolve) => setTimeout(resolve, 300));
    const rest = { name: "moved", onError: undefined, acknowledge: undefined, waitUntil: undefined };
    const { status } = await deliver({ ...rest, action, claim: { store, key: "a" } });
    assert.deepEqual([status, new Set(calls)], [200, new Set(["extend", "complete"])]);
  },
  async "a webhook call is checked before it is handled"(load: Load) {
    const { createHandler } = await load<typeof HandlerModule>("webhooks/handler.ts");
    const handled: unknown[] = [];
    const table = { moved: { path: "/moved", schema: { type: "object" }, dedupeKey: [] } } as const;
    const on = { moved: (event: unknown) => void handled.push(event) };
    const options = { authorization: "token", on, otherwise: "reject", nonconforming: "reject", maxBytes: 10 } as const;
    const handle = createHandler<Record<string, unknown>>(table, undefined, options);
    const post = async (body: string, authorization: string) =>
      (await handle(new Request("https://partner.example/moved", { method: "POST", body, headers: { authorization } })))
        .status;
    const statuses = [await post("{}", "wrong"), await post('"too much text"', "token"), await post("{", "token")];
    assert.deepEqual([...statuses, handled], [401, 413, 400, []]);
    assert.deepEqual([await post("{}", "token"), handled], [200, [{}]]);
    assert.deepEqual([await post("[]", "token"), handled], [400, [{}]]);
  },
};
