import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseYaml } from "@redocly/openapi-core";
import fc from "fast-check";
import { createPartnerClient, type Deviation } from "partner-wallet-api";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { readArguments } from "../../scripts/cli/kit/arguments.ts";
import { checkCommand, runCheck } from "../../scripts/cli/package/check.ts";
import { serviceCommands } from "../../scripts/cli/package/service-commands.ts";
import { type Drift, judgeResponse, type ResponseDrift } from "../../scripts/service/judge.ts";
import { Report } from "../../scripts/service/report.ts";
import { serveInTest } from "../support/http.ts";
import { plan } from "../support/plan.ts";
import { withTakenPort } from "../support/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import {
  key,
  knownValues,
  refusal,
  type Seed,
  type SeededService,
  serveSeeded,
  writeNothing,
} from "./seeded-service.ts";

const kinds = parseYaml(readFileSync(new URL("./drift.yaml", import.meta.url), "utf8")) as (Seed & {
  kind: string;
  found: string;
  question?: string;
})[];

let service: SeededService;
const folder = temporaryFolder();

beforeAll(async () => {
  service = await serveSeeded();
});
afterEach(() => {
  service.seed = undefined;
});
afterAll(() => service.close());

async function run(args: string[], env: NodeJS.ProcessEnv = {}) {
  const parsedArguments = readArguments(checkCommand("check"), args);
  return await runCheck(parsedArguments, plan, { env: { ...service.env, ...env } });
}

const setArguments = knownValues.flatMap((value) => ["--set", value]);

describe("check", () => {
  it("finds nothing in the mock with reads, and changes nothing", async () => {
    const { text, code } = await run(["--edition", "test", ...setArguments]);
    expect(code, text).toBe(0);
    expect(text).toMatch(
      /Nothing differs from the contract; calls: 20, operations: 20; response times: p50 \d+ ms, p95 \d+ ms\.$/,
    );
    expect(text).toContain("  never seen: getKycStatus /rejectionReason\n");
    expect(service.requests.filter(({ line }) => !line.startsWith("GET "))).toEqual([]);
  });

  it.each(kinds)("finds $kind", async ({ found, question, kind: _, ...seed }) => {
    service.seed = seed;
    const { text, code } = await run(["--operation", seed.operation, "--format", "json", ...setArguments]);
    const { drift, additions } = JSON.parse(text) as { drift: ResponseDrift[]; additions: ResponseDrift[] };
    const places = [...drift, ...additions].map(({ operationId, pointer, rule, expected, seen }) => [
      operationId,
      `${pointer} ${rule}: ${expected}, ${seen}`,
    ]);
    expect(places[0]).toEqual([seed.operation, found]);
    expect(places).toHaveLength(1);
    if (question !== undefined) expect(drift[0]?.question).toBe(question);
    expect(text).not.toMatch(/lena/i);
    expect(code).toBe(drift.length);
  });

  it("lists additional fields, and does not fail for them", async () => {
    service.seed = { operation: "getUserBalances", set: { "/fiatBalances/0/total": "5.00", "/created": 7 } };
    const operationArguments = ["--operation", "getUserBalances", ...setArguments];
    const { text, code } = await run(operationArguments);
    expect(text).toContain(
      "  not in the contract: getUserBalances 200 /fiatBalances/0/total: unlisted-field, expected no such field, seen string\n",
    );
    expect(text).toContain("\nNothing differs from the contract");
    expect(code).toBe(0);
    expect((await run([...operationArguments, "--format", "junit"])).text).toContain('failures="0"');
  });

  it("names the value that an operation needs by the name that --set takes", async () => {
    const operationArguments = ["--operation", "getSepaTransferDetails"];
    await expect(
      run([...operationArguments, "--set", "transferId=38443e4f-57de-414c-8bb3-6ec8030cf05d"]),
    ).rejects.toThrow(
      "No operation can be called with the known values: getSepaTransferDetails needs --set sepaTransferId=….",
    );
    const { text } = await run([...operationArguments, "--set", "sepaTransferId=38443e4f-57de-414c-8bb3-6ec8030cf05d"]);
    expect(text).toContain("Nothing differs from the contract; calls: 1");
  });

  it("sends an optional parameter only with a given value", async () => {
    for (const setArgs of [[], ["--set", "network=polygon"]]) await run(["--operation", "getNetworkFee", ...setArgs]);
    expect(service.requests.slice(-2).map(({ query }) => query)).toEqual([
      "currency=usdc",
      "currency=usdc&network=polygon",
    ]);
  });

  it("names the operations of which no success was compared", async () => {
    const { text, code } = await run(["--operation", "getUserBalances", "--set", "externalUserId=nobody"]);
    expect(text).toContain("  not compared: getUserBalances, the response was 404 P412, which is no success\n");
    expect(text).not.toContain("never seen");
    expect(code).toBe(0);
    service.seed = { operation: "getPartnerBalances", status: 404 };
    const junit = (await run(["--operation", "getPartnerBalances", "--format", "junit"])).text;
    expect(junit).toContain('tests="1" failures="1" errors="0" skipped="0"');
  });

  it("lists what no response has shown: an item of an empty list, and fields", async () => {
    service.seed = { operation: "listUserCards", set: { "": [] } };
    const emptyListRun = await run(["--operation", "listUserCards", ...setArguments]);
    expect(emptyListRun.text).toContain(
      "  not compared: listUserCards, its list was empty\n  never seen: listUserCards /*\n",
    );
    service.seed = { operation: "getPartnerBalances", set: { "/cryptoBalances": [] } };
    const { text } = await run(["--operation", "getPartnerBalances", "--format", "json"]);
    expect(JSON.parse(text).neverSeen).toEqual({ getPartnerBalances: ["/cryptoBalances/*"] });
    const report = new Report();
    for (const isPresent of [true, false]) report.add("a", [], { fields: new Map([["/once", isPresent]]) });
    expect(report.format("text")).not.toContain("/once");
    for (const [id, count] of Object.entries({ eight: 8, nine: 9 }))
      report.add(id, [], { fields: new Map(Array.from({ length: count }, (_, index) => [`/${index}`, false])) });
    expect(report.format("text")).toMatch(/never seen: eight .*, \/7\n.*never seen: nine .*, \/7 and 1 more\n/);
  });

  it("names the media type of errors, also where a success is a page", async () => {
    const response = { status: 400, headers: new Headers({ "content-type": "text/html" }), bytes: Buffer.from("<h1>") };
    const { drift } = judgeResponse("redirectToKycVerification", response, key);
    expect(drift.map(({ rule, expected }) => [rule, expected])).toEqual([["media-type", "application/json"]]);
  });

  it("finds the numbers that JSON.parse changes, at their places", async () => {
    const seenNumbers = new Map([
      ["1e400", "one beyond the range of a double"],
      ["-12345678.90123456", "one of 16 digits"],
      ["0.123456789012345", undefined],
      ["12345678901234500000", undefined],
    ]);
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(...seenNumbers.keys()),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("id", "name", "status"), tie("tree")),
      ),
    }));
    const lossesIn = (value: unknown, path: string): [string, string][] => {
      if (typeof value === "object")
        return Object.entries(value as object).flatMap(([name, inner]) => lossesIn(inner, `${path}/${name}`));
      const seen = seenNumbers.get(String(value));
      return seen === undefined ? [] : [[path, seen]];
    };
    const property = fc.asyncProperty(tree, async (value) => {
      const text = JSON.stringify({ networkFee: 1, status: value }).replace(/"(-?[\d.e]+)"/g, "$1");
      const response = { status: 200, headers: new Headers(), bytes: Buffer.from(text) };
      const { drift } = judgeResponse("getNetworkFee", response, key);
      const foundLosses = drift.filter(({ rule }) => rule === "precision").map(({ pointer, seen }) => [pointer, seen]);
      // If several items of a list have the same loss, only the first of them is reported.
      const placeOf = ([path]: [string, string]) => path.replace(/\/\d+(?=\/|$)/g, "/0");
      const losses = lossesIn(value, "/status").filter(
        (loss, index, all) => all.findIndex((other) => placeOf(other) === placeOf(loss)) === index,
      );
      expect(foundLosses).toEqual(losses.slice(0, 20));
    });
    const nested = Array.from({ length: 21 }).reduce((inner) => ({ id: "1e400", name: inner }), []);
    await fc.assert(property, { examples: [[nested]] });
  });

  it("counts a repeated difference in responses once, and lists each difference in requests", () => {
    const report = new Report();
    const place = { operationId: "a", pointer: "", rule: "b" };
    const requestDrift = (problem: string): Drift => ({ ...place, side: "request", problem });
    const responseDrift = (expected: string): Drift => ({ ...place, side: "response", expected, seen: "" });
    const repeatedDrift = responseDrift("two");
    const drift = [requestDrift("one"), requestDrift("two"), responseDrift("one")];
    expect([report.add("a", [...drift, repeatedDrift]), report.add("a", [])]).toEqual([drift, []]);
    expect(report.drift).toEqual(drift.map((entry, index) => ({ ...entry, count: index === 2 ? 2 : 1 })));
  });

  it("never writes to production, even through a tunnel", async () => {
    const message = "--write is never used with production";
    const production = { PARTNER_WALLET_PRODUCTION_API_KEY: key };
    const [env, writes] = [service.env, ["--write", "blockCard", ...setArguments]];
    await expect(run(writes, production)).rejects.toThrow(message);
    await expect(run(writes, { PARTNER_WALLET_PRODUCTION_BASE_URL: `${service.url}/` })).rejects.toThrow(message);
    for (const [name, value] of [
      ["BASE_URL", service.url.replace("127.0.0.1", "2130706433")],
      ["DEPOSIT_BASE_URL", service.depositUrl.replace("http:", "HTTP:")],
      ["BASE_URL", service.depositUrl],
    ])
      await expect(run(writes, { [`PARTNER_WALLET_PRODUCTION_${name}`]: value })).rejects.toThrow(message);
    const productionVariables = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name.replace("WALLET_", "WALLET_PRODUCTION_"), value]),
    );
    await expect(run(["--environment", "production", ...writes], productionVariables)).rejects.toThrow(message);
    expect(
      (await run(["--environment", "production", "--operation", "listUserCards", ...setArguments], productionVariables))
        .code,
    ).toBe(0);
  });

  it("reports the calls that changed data", async () => {
    const { text } = await run(["--write", "createOrderRateLock", "--operation", "getPartnerBalances"]);
    expect(text).toMatch(/^ {2}changed and not reverted: createOrderRateLock at \S+Z, 201$/m);
    service.seed = { operation: "createOrderRateLock", status: 400, set: { "": refusal("P403") } };
    const refusedRun = await run(["--write", "createOrderRateLock", "--operation", "getPartnerBalances"]);
    expect(refusedRun.text).not.toContain("not reverted");
  });

  it.each<[string, Omit<Seed, "operation">]>([
    ["502", { status: 502, headers: { "content-type": "text/html" }, text: "<h1>Bad gateway</h1>" }],
    ["504", { status: 504, text: "" }],
    ["400", { status: 400, set: { "": refusal("P500") } }],
  ])("reports a call that may have changed data, because its response %s is no refusal", async (status, seed) => {
    service.seed = { operation: "createOrderRateLock", ...seed };
    const { text } = await run(["--write", "createOrderRateLock", "--operation", "getPartnerBalances"]);
    expect(text).toMatch(new RegExp(`^  changed and not reverted: createOrderRateLock at \\S+Z, ${status}$`, "m"));
  });

  it("makes no further call with a refused key, and says so, also after a call without a response", async () => {
    const server = await serveInTest(({ method }, response) => {
      if (method === "POST") return void response.destroy();
      response.writeHead(401).end();
    });
    const operationArguments = ["--operation", "getPartnerBalances", "--operation", "getUserBalances", ...setArguments];
    const { text } = await run(["--write", "createPaymentLink", ...operationArguments, "--base-url", server.url]);
    expect(text).toContain("not compared: getUserBalances, The service refuses the API key (401).");
    expect(text).toContain("not compared: getPartnerBalances, not called, because the service refuses the API key\n");
  });

  it("reports the calls that changed data also when --max-calls is reached, or none has a response", async () => {
    const write = ["--write", "createPaymentLink"];
    const limitedRun = await run(["--edition", "test", "--max-calls", "3", ...write, ...setArguments]);
    expect(limitedRun.text).toContain("  not compared: listUserCards, not called, because --max-calls is 3\n");
    expect(limitedRun.text).toMatch(/^ {2}changed and not reverted: createPaymentLink at \S+Z, 201$/m);
    expect(limitedRun.code).toBe(3);
    const server = await serveInTest((_, response) => void response.destroy());
    const failedRun = await run([...write, "--operation", "getPartnerBalances", "--base-url", server.url]);
    expect(failedRun.text).toMatch(/^ {2}changed and not reverted: createPaymentLink at \S+Z, no response$/m);
    expect(failedRun.text).toContain("not compared: getPartnerBalances");
    expect(failedRun.code).toBe(3);
  });

  it("has in each format what was changed, added and left out", async () => {
    service.seed = { operation: "getPartnerBalances", set: { "/created": 7 } };
    const args = ["--write", "createOrderRateLock", "--operation", "getPartnerBalances"];
    const junit = (await run([...args, "--format", "junit"])).text;
    const [, output] = /<system-out>([^<]+)<\/system-out>/.exec(junit) ?? [];
    expect(output).toContain("  not in the contract: getPartnerBalances 200 /created");
    expect(output).toMatch(/^ {2}changed and not reverted: createOrderRateLock at \S+Z, 201$/m);
    expect(output).toMatch(/Nothing differs from the contract; calls: 2/);
    const { changes } = JSON.parse((await run([...args, "--format", "json"])).text);
    expect(changes).toMatchObject([{ operationId: "createOrderRateLock" }]);
  });

  it("names a content coding that it cannot decode, and judges the rest", async () => {
    const headers = { "content-type": "application/json", "content-encoding": "compress" };
    const server = await serveInTest((_, response) => void response.writeHead(206, headers).end(Buffer.of(0x1f, 0x9d)));
    const { text } = await run(["--operation", "getPartnerBalances", "--base-url", server.url]);
    expect(text.split("\n").slice(0, 2)).toEqual([
      "getPartnerBalances 206: content-encoding, expected a body that its Content-Encoding decodes: gzip, deflate or br, seen compress",
      "getPartnerBalances 206: status, expected one of 200, 400, 401, seen 206 [Q-creation-status]",
    ]);
  });

  it("sends a parameter of the path in the path only", async () => {
    service.seed = undefined;
    await run(["--write", "updateUser", "--operation", "getPartnerBalances", ...setArguments]);
    const request = service.requests.findLast(({ line }) => line === "PATCH /v1/user/user-1042");
    expect(Object.keys(JSON.parse(request?.body ?? ""))).not.toContain("externalUserId");
  });

  it("prints no personal data and no key", async () => {
    service.seed = {
      operation: "getUserBalances",
      set: { "/fiatBalances/0/iban": 17, "/fiatBalances/0/status": `of Lena ${key}`, "/cryptoBalances": `Lena ${key}` },
    };
    const { text } = await run(["--operation", "getUserBalances", "--format", "junit", ...setArguments]);
    expect(text).toContain('failures="1"');
    expect(text).toContain("/fiatBalances/0/status: unlisted-value");
    expect(text).not.toMatch(new RegExp(`Lena|${key}|user-1042`));
  });

  it("produces the same report from deviations that a client collected", async () => {
    service.seed = { operation: "listUserCards", set: { "/0/status": "FROZEN" } };
    const deviations: Deviation[] = [];
    const wallet = createPartnerClient({
      baseUrl: service.url,
      depositBaseUrl: service.depositUrl,
      apiKey: key,
      onDeviation: (deviation) => void deviations.push(deviation),
    });
    await wallet.listUserCards({ path: { externalUserId: "user-1042" } });
    const file = join(folder, "deviations.jsonl");
    writeFileSync(file, deviations.map((deviation) => `${JSON.stringify(deviation)}\n`).join(""));
    const { text, code } = await run(["--from", file]);
    expect(text).toContain(
      "listUserCards 200 /0/status: unlisted-value, expected ACTIVE, DELETED, LOCKED_BY_USER, BLOCKED, SUSPENDED [Q-card-status]",
    );
    expect(code).toBe(1);
    const inheritedNames = [
      { operationId: "getUserBalances", status: 200, pointer: "/constructor", rule: "constructor" },
      { operationId: "constructor", status: 200, pointer: "/x", rule: "type" },
    ];
    writeFileSync(file, inheritedNames.map((deviation) => JSON.stringify(deviation)).join("\n"));
    expect((await run(["--from", file])).text.split("\n").slice(0, 2)).toEqual([
      "getUserBalances 200 /constructor: constructor, expected constructor",
      "constructor 200 /x: type",
    ]);
    writeFileSync(file, "{}\n");
    await expect(run(["--from", file])).rejects.toThrow(`${file}:1 is not a deviation.`);
    truncateSync(file, 64 * 1024 * 1024);
    await expect(run(["--from", file])).rejects.toThrow(`${file}:1 is not a deviation.`);
    truncateSync(file, 64 * 1024 * 1024 + 1);
    await expect(run(["--from", file])).rejects.toThrow(`${file} has more than 64 MiB.`);
    const ignored = run(["--from", file, "--write", "createTransfer"]);
    await expect(ignored).rejects.toThrow("--write has no effect with --from.");
  });

  it.each([
    [
      ["--operation", "getPartnerBalance"],
      {},
      "There is no operation getPartnerBalance. Did you mean getPartnerBalances?",
    ],
    [
      ["--set", "externalUserID=user-1042"],
      {},
      "There is no parameter or field externalUserID. Did you mean externalUserId?",
    ],
    [["--operation", "blockCard"], {}, "blockCard changes data. Give it with --write instead."],
    [["--write", "addKycFiles"], {}, "addKycFiles takes files, which this command does not send."],
    [
      ["--write", "blockCard", "--base-url", "https://api.example"],
      {},
      "--write works with --environment staging, or on this machine.",
    ],
    [
      ["--environment", "staging"],
      {},
      "Give the address of the service: --base-url, or the variable PARTNER_WALLET_STAGING_BASE_URL.",
    ],
    [
      ["--base-url", "https://name:secret@api.example"],
      {},
      "--base-url takes an address such as https://api.example, without a name, a query or a fragment.",
    ],
    [
      [],
      { PARTNER_WALLET_API_KEY: "two\nlines" },
      "Give the API key with --key-file, or in the variable PARTNER_WALLET_API_KEY: one line of ASCII.",
    ],
    [
      [],
      { PARTNER_WALLET_API_KEY: "another-key" },
      "The service refuses the API key (401). Does the key belong to this environment?",
    ],
  ])("refuses %j %j", async (args, env, message) => {
    await expect(run([...args, ...setArguments], env)).rejects.toThrow(message);
  });

  it("lists at most 100 places of one operation, and counts the rest", async () => {
    const file = join(folder, "deviations.jsonl");
    const fields = Array.from({ length: 300 }, (_, index) => `/field${index}`);
    const drift = [
      ...fields.map((pointer) => ({ operationId: "getUserBalances", pointer, rule: "type" })),
      { operationId: "listUserCards", pointer: "/0/id", rule: "type" },
    ];
    writeFileSync(file, drift.map((deviation) => JSON.stringify(deviation)).join("\n"));
    const { places, leftOut } = JSON.parse((await run(["--from", file, "--format", "json"])).text);
    expect([places, leftOut]).toEqual([301, 200]);
    expect((await run(["--from", file, "--format", "junit"])).text).toContain('failures="2"');
  });

  it("exits with the documented code", async () => {
    const stdoutWrite = vi.spyOn(process.stdout, "write").mockImplementation(writeNothing);
    const errorSpy = vi.spyOn(console, "error").mockImplementation(() => {});
    writeFileSync(join(folder, "key"), `${key}\n`);
    const addresses = ["--base-url", service.url, "--deposit-base-url", service.depositUrl, "--key-file"];
    const exitCodeOf = (file: string, operation: string) =>
      serviceCommands.check.run([...addresses, join(folder, file), "--operation", operation], {
        usage: "check",
        loadPlan: async () => plan,
      });
    const codes = [await exitCodeOf("key", "getPartnerBalances"), await exitCodeOf("none", "getPartnerBalances")];
    service.seed = { operation: "getPartnerBalances", status: 206 };
    codes.push(await exitCodeOf("key", "getPartnerBalances"), await exitCodeOf("key", "listUserCards"));
    expect(codes).toEqual([0, 2, 1, 3]);
    writeFileSync(join(folder, "long"), "k".repeat(5000));
    expect(await exitCodeOf("long", "getPartnerBalances")).toBe(2);
    expect(errorSpy.mock.lastCall?.[0]).toBe(
      "The file of --key-file has more than 4096 characters, so it is no API key.",
    );
    addresses.unshift("--set", "externalUserId=a", "--set", "externalUserId=b");
    expect(await exitCodeOf("key", "getPartnerBalances")).toBe(2);
    expect(errorSpy.mock.lastCall?.[0]).toBe("externalUserId is given twice.");
    addresses.splice(0, 4);
    stdoutWrite.mockClear();
    addresses.unshift("--out", join(folder, "no-folder/report.txt"));
    expect(await exitCodeOf("key", "getPartnerBalances")).toBe(2);
    expect(String(stdoutWrite.mock.lastCall?.[0])).toContain("getPartnerBalances 206: status");
    expect(errorSpy.mock.lastCall?.[0]).toContain("cannot be written (ENOENT)");
    expect(JSON.stringify([stdoutWrite.mock.calls, errorSpy.mock.calls])).not.toContain(key);
    vi.restoreAllMocks();
  });

  it("reports why it could not compare a response", async () => {
    const oneOperation = ["--operation", "getPartnerBalances"];
    const closedUrl = await withTakenPort(async (port) => `http://127.0.0.1:${port}`);
    await expect(run([...oneOperation, "--base-url", closedUrl])).rejects.toThrow(
      `${closedUrl} cannot be called: connection refused. Check --base-url.`,
    );
    // `fetch` never connects to port 1.
    await expect(run([...oneOperation, "--base-url", "http://127.0.0.1:1"])).rejects.toThrow(
      "http://127.0.0.1:1 cannot be called: bad port. Check --base-url.",
    );
    const silentServer = await serveInTest(() => undefined);
    // The other runs pass while this one waits.
    const slowRun = expect(run([...oneOperation, "--base-url", silentServer.url, "--timeout", "1"])).rejects.toThrow(
      "has not answered getPartnerBalances within 1 s. Raise --timeout.",
    );
    // No server listens at the deposit address.
    const { text, code } = await run(["--deposit-base-url", closedUrl, ...setArguments]);
    expect(text).toContain(`not compared: getCryptoDepositDetails, ${closedUrl} cannot be called: connection refused.`);
    expect(code).toBe(3);
    let disconnections = 0;
    const refusingServer = await serveInTest((_, response) => {
      disconnections += 1;
      response.destroy();
    });
    await expect(run([...setArguments, "--base-url", refusingServer.url])).rejects.toThrow("the connection broke");
    expect(disconnections).toBe(3);
    const disconnectingServer = await serveInTest((incoming, response) => {
      if (incoming.url?.includes("balances")) return void response.write("{", () => response.destroy());
      response.writeHead(500).end();
    });
    const checkResult = await run([...setArguments, "--base-url", disconnectingServer.url]);
    expect(checkResult.text).toContain(
      `not compared: getUserBalances, ${disconnectingServer.url} broke off its response to getUserBalances, or sent a body that cannot be decoded (UND_ERR_SOCKET).`,
    );
    expect(checkResult.text).toContain("listUserCards 500: status");
    let bytes = 4 * 1024 * 1024;
    const largeServer = await serveInTest((_, response) => void response.end(Buffer.alloc(bytes, " ")));
    expect((await run([...oneOperation, "--base-url", largeServer.url])).text).not.toContain("size");
    bytes += 1;
    expect((await run([...oneOperation, "--base-url", largeServer.url])).text).toContain(
      "getPartnerBalances 200: size, expected at most 4 MiB",
    );
    await slowRun;
  });
});
