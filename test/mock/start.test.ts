import { once } from "node:events";
import { connect, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningMock, startMock } from "../../scripts/mock/host/mock.ts";
import type { PlanOperation } from "../../scripts/mock/plan/plan.ts";
import type { RequestEntry } from "../../scripts/mock/server/server.ts";
import { entryAsJson, exampleCurl, formatEntry } from "../../scripts/mock/server/terminal.ts";
import { plan } from "../support/plan.ts";
import { withTakenPort } from "../support/ports.ts";

const keyHeaders = { "x-api-key": "a-key" };
const entries: RequestEntry[] = [];
let mock: RunningMock;
beforeAll(async () => {
  const onRequest = (entry: RequestEntry) => entries.push(entry);
  mock = await startMock(plan, { edition: "test", stateless: true, onRequest });
});
afterAll(() => mock.close());

describe("starting", () => {
  test("names a port in use, with the option to change it, and leaves nothing listening", async () => {
    await withTakenPort(async (port) => {
      await expect(startMock(plan, { port })).rejects.toThrow(new RegExp(`Port ${port} is in use.* --port\\b`));
      const freePort = await withTakenPort(async (port) => port);
      const startResult = startMock(plan, { port: freePort, depositPort: port });
      await expect(startResult).rejects.toThrow(new RegExp(`Port ${port} is in use.* --deposit-port\\b`));
      await expect(fetch(`http://127.0.0.1:${freePort}`)).rejects.toThrow();
    });
  });

  test("refuses an option that contradicts the contract, and leaves nothing listening", async () => {
    const freePort = await withTakenPort(async (port) => port);
    const webhooks = { url: "http://127.0.0.1:9", token: "a-token", paths: { nonsense: "/path" } };
    await expect(startMock(plan, { port: freePort, webhooks })).rejects.toThrow("There is no webhook nonsense.");
    await expect(fetch(`http://127.0.0.1:${freePort}`)).rejects.toThrow();
  });

  test("names a host that cannot be listened on, with the option to change it", async () => {
    await expect(startMock(plan, { host: "192.0.2.1" })).rejects.toThrow(/192\.0\.2\.1 .*--host/);
  });

  test("prints a curl of the main address, for the first operation that needs no data and changes nothing", () => {
    const curlOf = (examplePlan: typeof plan) =>
      exampleCurl(examplePlan, "http://127.0.0.1:4010", { edition: "latest" });
    const expectedCurl =
      "curl -i 'http://127.0.0.1:4010/v1/partner/balances' -H 'x-api-key: any-key-will-do-for-the-mock'";
    expect(curlOf(plan)).toBe(expectedCurl);
    const exampleOperation = plan.operations.find(
      ({ operationId }) => operationId === "getPartnerBalances",
    ) as PlanOperation;
    const otherPlans = [
      ...[{ method: "POST" }, { address: "deposit_base_url" }, { deprecated: true }, { editions: ["test"] }],
      ...[{ parameters: [{}] }, { requires: [{}] }],
    ].map((changes) => ({ ...exampleOperation, path: "/v1/wrong", ...changes }) as PlanOperation);
    expect(curlOf({ ...plan, operations: [...otherPlans, exampleOperation] })).toBe(expectedCurl);
  });
});

test("close() ends idle and unfinished connections and frees both ports", async () => {
  const { url, depositUrl, close } = await startMock(plan);
  const ports = [url, depositUrl].map((address) => Number(new URL(address).port));
  const idleSocket = connect(ports[0] as number, "127.0.0.1");
  idleSocket.write("GET /v1/card/all/u HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n");
  const unfinishedSocket = connect(ports[1] as number, "127.0.0.1");
  unfinishedSocket.write("GET /v1/crypto-deposit/details HTTP/1.1\r\nHo");
  const [response] = await once(idleSocket, "data");
  expect(String(response)).toContain("Connection: keep-alive");
  const closings = [idleSocket, unfinishedSocket].map((socket) => once(socket.on("error", () => {}).resume(), "close"));
  await Promise.all([close(), ...closings]);
  const servers = ports.map((port) => createServer().listen(port, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  for (const server of servers) server.close();
});

describe("request entries", () => {
  test("contain method, path template, status, P-code and time", async () => {
    const firstIndex = entries.length;
    await fetch(`${mock.url}/v1/card/all/user-1042`, { headers: { ...keyHeaders, prefer: "code=P461" } });
    await fetch(`${mock.url}/nothing/here`, { method: "DELETE" });
    await expect.poll(() => entries.length).toBe(firstIndex + 2);
    const lines = entries.slice(firstIndex).map(formatEntry);
    expect(lines[0]).toMatch(/^[\d:.]{12} GET \/v1\/card\/all\/\{externalUserId\} → 400 P461 [\d.]+ ms$/);
    expect(lines[1]).toMatch(/^[\d:.]{12} DELETE \(no such path\) → 404 [\d.]+ ms$/);
    const lineWithDuration = (milliseconds: number) =>
      formatEntry({ ...(entries[firstIndex] as RequestEntry), milliseconds });
    expect(
      [lineWithDuration(9.94), lineWithDuration(10), lineWithDuration(10.4)].map((line) => line.split(" ").at(-2)),
    ).toEqual(["9.9", "10", "10"]);
    const [knownEntry, unknownEntry] = entries.slice(firstIndex).map((entry) => JSON.parse(entryAsJson(entry)));
    expect(knownEntry).toMatchObject({ path: "/v1/card/all/{externalUserId}", status: 400, code: "P461" });
    expect(unknownEntry).toMatchObject({ path: null, status: 404, code: null });
  });

  test("contain nothing that was sent: no header, body, value or unknown path", async () => {
    const firstIndex = entries.length;
    const canary = "canary7";
    const send = (path: string, init: RequestInit = {}) =>
      fetch(`${mock.url}${path}`, {
        ...init,
        headers: {
          "x-api-key": canary,
          "content-type": "application/json",
          prefer: `code=${canary}, ${canary}=1`,
          [canary]: canary,
          ...(init.headers as Record<string, string>),
        },
      });
    const responses = [
      await send(`/v1/card/all/${canary}?${canary}=${canary}`),
      await send(`/v1/card/all/${canary}/${canary}`),
      await send(`/v1/user/transaction-history/${canary}/${canary}/${canary}`),
      await send(`/v1/crypto-deposit/details?externalId=${canary}`),
      await send(`/${canary}`, { method: "POST", body: canary }),
      await send(`/v1/user/${canary}`, { method: "DELETE" }),
      await send("/v1/user/verification", { method: "POST", body: JSON.stringify({ [canary]: canary }) }),
      await send("/v1/user/verification", { method: "POST", body: JSON.stringify({ documentType: canary }) }),
      await send("/v1/user/verification", { method: "POST", body: `{"${canary}` }),
      await send(`/v1/user/kyc-files/${canary}`, {
        method: "POST",
        headers: { "content-type": `multipart/form-data; boundary=${canary}` },
        body: `--${canary}\r\nContent-Disposition: form-data; name="${canary}"\r\n\r\n${canary}`,
      }),
    ];
    await expect.poll(() => entries.length).toBe(firstIndex + responses.length);
    const printedLines = entries.slice(firstIndex).map(formatEntry).join("\n");
    expect(printedLines).not.toContain(canary);
    expect(JSON.stringify(entries.slice(firstIndex))).not.toContain(canary);
    for (const response of responses) {
      expect(`${await response.text()} ${JSON.stringify([...response.headers])}`).not.toContain(canary);
    }
  });
});
