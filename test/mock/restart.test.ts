import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type RunningMock, type StartMockOptions, startMock } from "../../scripts/mock/host/mock.ts";
import { serveInTest } from "../support/http.ts";
import { plan } from "../support/plan.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { exampleCall, operationNamed } from "./codes/calls.ts";
import { call as callAt } from "./raw-http.ts";

const folder = temporaryFolder();
const runningMocks: RunningMock[] = [];
let fileCount = 0;

afterEach(async () => {
  for (const mock of runningMocks.splice(0)) await mock.close();
});

const clock = Date.parse("2026-03-10T09:00:00Z");
const newFile = () => join(folder, `state-${fileCount++}`);

async function start(state: string, extraOptions: StartMockOptions = {}): Promise<RunningMock> {
  const mock = await startMock(plan, { edition: "test", state, ...extraOptions });
  runningMocks.push(mock);
  return mock;
}

async function stop(mock: RunningMock): Promise<void> {
  runningMocks.splice(runningMocks.indexOf(mock), 1);
  await mock.close();
}

const call = ({ url }: RunningMock, method: string, path: string, body?: unknown, key = "key-1") =>
  callAt(url, method, path, body, key);

async function readState(mock: RunningMock, key = "key-1") {
  const { clock: _clock, ...state } = JSON.parse((await call(mock, "GET", "/__mock/state", undefined, key)).text);
  return state;
}

const userBody = (externalUserId: string) => {
  const contactValues = {
    email: `${externalUserId}@users.example`,
    phone: `49${externalUserId.at(-1)?.charCodeAt(0)}`,
  };
  return exampleCall(operationNamed(plan, "createUserAccount"), "", { externalUserId, ...contactValues }).body;
};

async function makeCalls(mock: RunningMock): Promise<void> {
  expect((await call(mock, "POST", "/v1/user/balances/crypto-and-fiat", userBody("user-a"))).status).toBe(201);
  expect((await call(mock, "POST", "/v1/user/balances/crypto-and-fiat", userBody("user-a"))).status).toBe(400);
  expect((await call(mock, "POST", "/v1/user/balances/crypto-and-fiat", userBody("user-b"), "key-2")).status).toBe(201);
  const options = { verified: true, funds: { eur: "100.00" } };
  expect((await call(mock, "POST", "/__mock/users/user-a", options)).status).toBe(200);
  const files = new FormData();
  files.append("front_id", new File(["front"], "front.png", { type: "image/png" }));
  const upload = { method: "POST", headers: { "x-api-key": "key-2" }, body: files };
  expect((await fetch(`${mock.url}/v1/user/kyc-files/user-b`, upload)).status).toBe(201);
  const transfer = { sourceExternalUserId: "user-a", amount: "12.345", currency: "eur" };
  expect((await call(mock, "POST", "/v1/transfer", transfer)).status).toBe(400);
  expect((await call(mock, "POST", "/v1/transfer", { ...transfer, amount: 12.34 })).status).toBe(201);
  expect((await call(mock, "GET", "/v1/partner/balances")).status).toBe(200);
  expect((await call(mock, "POST", "/__mock/clock", { advance: "1 hour" })).status).toBe(200);
  expect((await call(mock, "POST", "/v1/transfer", { ...transfer, amount: "1" })).status).toBe(201);
}

async function makeCallsAndStop(file: string, extraOptions: StartMockOptions = {}) {
  const mock = await start(file, { clock, ...extraOptions });
  await makeCalls(mock);
  const statesBefore = [await readState(mock), await readState(mock, "key-2")];
  await stop(mock);
  return statesBefore;
}

describe("a mock with --state", () => {
  it("continues where it was stopped, for each tenant", async () => {
    const file = newFile();
    const statesBefore = await makeCallsAndStop(file);
    const secondMock = await start(file, { clock });
    expect([await readState(secondMock), await readState(secondMock, "key-2")]).toEqual(statesBefore);
    const { now } = JSON.parse((await call(secondMock, "GET", "/__mock/clock")).text);
    expect(Date.parse(now)).toBe(clock + 3_600_000);
    expect((await call(secondMock, "POST", "/v1/user/balances/crypto-and-fiat", userBody("user-a"))).text).toContain(
      "P411",
    );
  });

  it("keeps what is secret out of its file, which only its owner can read", async () => {
    const file = newFile();
    await makeCallsAndStop(file);
    const text = readFileSync(file, "utf8");
    expect(text).toContain("user-a");
    for (const secret of ["key-1", '"front"']) expect(text).not.toContain(secret);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it.each([
    ["cut off", (text: string) => text.slice(0, -9)],
    ["of another version", (text: string) => text.replace('"format":4', '"format":3')],
    ["some other text", () => "# My shopping list\n"],
    ["some other JSON", () => '{"worlds":[]}'],
  ])("refuses a file that is %s, and leaves it as it is", async (_, change) => {
    const file = newFile();
    await stop(await start(file));
    writeFileSync(file, change(readFileSync(file, "utf8")));
    const fileBefore = readFileSync(file);
    await expect(startMock(plan, { state: file })).rejects.toThrow(`${file} cannot be continued`);
    expect(readFileSync(file)).toEqual(fileBefore);
  });

  it("refuses a file that another mock of this process uses, by any name, until that is closed", async () => {
    const file = newFile();
    const firstMock = await start(file);
    symlinkSync(file, `${file}-link`);
    for (const name of [file, `${file}-link`]) {
      await expect(startMock(plan, { state: name })).rejects.toThrow(
        `${file} is in use by another mock of this process.`,
      );
    }
    await stop(firstMock);
    expect(existsSync(`${file}.lock`)).toBe(false);
    await start(file);
  });

  it("does not hold a file after a start that failed", async () => {
    const file = newFile();
    await expect(startMock(plan, { state: file, assume: { countries: { forbidden: 5 } } as never })).rejects.toThrow();
    await expect(startMock(plan, { state: file, allowOrigin: ["no origin"] })).rejects.toThrow();
    await start(file);
  });

  it.each([
    ["a running process", `${process.ppid} ${hostname()}\n`, `process ${process.ppid}`],
    ["a process of another machine", "1 another.example\n", "process 1 on another.example"],
  ])("refuses a file that %s uses, and names the lock to remove", async (_, content, holder) => {
    const file = newFile();
    writeFileSync(`${file}.lock`, content);
    await expect(startMock(plan, { state: file })).rejects.toThrow(
      `${file} is in use by ${holder}. Stop it, or give another file. If no mock runs there, remove ${file}.lock.`,
    );
    expect(readFileSync(`${file}.lock`, "utf8")).toBe(content);
  });

  it.each([
    ["of a process that has ended", () => `${spawnSync(process.execPath, ["--version"]).pid} ${hostname()}\n`],
    ["of the process with this number in an earlier run of the container", () => `${process.pid} ${hostname()}\n`],
    ["that was cut off", () => ""],
  ])("takes over a lock %s", async (_, content) => {
    const file = newFile();
    writeFileSync(`${file}.lock`, content());
    await start(file);
    expect(readFileSync(`${file}.lock`, "utf8")).toBe(`${process.pid} ${hostname()}\n`);
    expect(existsSync(`${file}.lock.taken`)).toBe(false);
  });

  it("is written shortly after a change, and says where it cannot be", async () => {
    const file = newFile();
    const notes: string[] = [];
    const mock = await start(file, { onNote: (note) => notes.push(note) });
    await call(mock, "POST", "/__mock/users/user-a", { verified: true });
    await expect.poll(() => readFileSync(file, "utf8")).toContain("user-a");
    mkdirSync(`${file}.new`);
    await call(mock, "POST", "/__mock/users/user-b", { verified: true });
    await expect.poll(() => notes.join()).toContain(`${file} cannot be written`);
    rmdirSync(`${file}.new`);
  });

  it("keeps existing worlds when restarted with other options, which apply to new ones", async () => {
    const file = newFile();
    const [stateBefore] = await makeCallsAndStop(file, { seed: "one" });
    const secondMock = await start(file, { seed: "two", scenario: true, edition: "latest" });
    expect(await readState(secondMock)).toEqual({ ...stateBefore, edition: "latest" });
    expect(await readState(secondMock, "key-3")).not.toEqual(expect.objectContaining({ entities: [] }));
    const transfer = { sourceExternalUserId: "user-a", amount: "1.00", currency: "eur" };
    expect((await call(secondMock, "POST", "/v1/transfer", transfer)).status).toBe(201);
  });

  it("continues after the contract has changed", async () => {
    const file = newFile();
    const [stateBefore] = await makeCallsAndStop(file);
    const changedPlan = { ...plan, version: "9.9.9", operations: plan.operations.slice(0, 1) };
    const secondMock = await startMock(changedPlan, { edition: "test", state: file });
    runningMocks.push(secondMock);
    expect(await readState(secondMock)).toEqual(stateBefore);
  });

  it("refuses to start when the contract has no resource of a stored entity", async () => {
    const file = newFile();
    const firstMock = await start(file);
    await call(firstMock, "POST", "/__mock/users/user-a", { verified: true });
    await stop(firstMock);
    const bytes = readFileSync(file);
    const { user: _, ...resources } = plan.resources;
    const startResult = startMock({ ...plan, resources }, { state: file });
    await expect(startResult).rejects.toThrow(/cannot be continued: The contract has no resource user/);
    expect(readFileSync(file)).toEqual(bytes);
  });

  it("keeps a call that was acknowledged during an advance of the clock", async () => {
    const file = newFile();
    const server = await serveInTest((_, response) => setTimeout(() => response.end("{}"), 40));
    const options = { clock, webhooks: { url: server.url } };
    const firstMock = await start(file, options);
    await call(firstMock, "POST", "/__mock/users/user-a", { verified: true, funds: { eur: "100.00" } });
    await call(firstMock, "POST", "/__mock/users/user-b", { verified: true });
    await call(firstMock, "POST", "/__mock/settle");
    const makeTransfer = (from: string, amount: string, receiver?: string) =>
      call(firstMock, "POST", "/v1/transfer", {
        sourceExternalUserId: from,
        amount,
        currency: "eur",
        ...(receiver === undefined ? {} : { destinationExternalUserId: receiver }),
      });
    await makeTransfer("user-a", "60.00", "user-b");
    const advance = call(firstMock, "POST", "/__mock/clock", { advance: "1 minute" });
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect((await makeTransfer("user-b", "55.00")).status).toBe(201);
    await advance;
    const stateBefore = await readState(firstMock);
    await stop(firstMock);
    const secondMock = await start(file, options);
    expect(await readState(secondMock)).toEqual(stateBefore);
  });

  it("keeps a reset, a restored state, a webhook target and a clock", async () => {
    const file = newFile();
    const firstMock = await start(file, { clock });
    await makeCalls(firstMock);
    const state = (await call(firstMock, "GET", "/__mock/state")).text;
    await call(firstMock, "POST", "/__mock/reset");
    expect((await call(firstMock, "PUT", "/__mock/state", JSON.parse(state), "key-3")).status).toBe(204);
    await call(firstMock, "PUT", "/__mock/webhooks", { url: "http://127.0.0.1:9/hooks", token: "t" }, "key-3");
    await call(firstMock, "POST", "/__mock/clock", { freeze: "2027-01-01" }, "key-4");
    await call(firstMock, "POST", "/__mock/users/user-a", {}, "key-5");
    await call(firstMock, "DELETE", "/__mock/world", undefined, "key-5");
    const keys = ["key-1", "key-2", "key-3", "key-4"];
    const statesBefore = await Promise.all(keys.map((key) => readState(firstMock, key)));
    await stop(firstMock);
    const secondMock = await start(file, { clock });
    expect(await Promise.all(keys.map((key) => readState(secondMock, key)))).toEqual(statesBefore);
    for (const emptyState of [statesBefore[0], await readState(secondMock, "key-5")])
      expect(emptyState).toMatchObject({ entities: [], ids: 0 });
    const target = JSON.parse((await call(secondMock, "GET", "/__mock/webhooks", undefined, "key-3")).text);
    expect(target).toEqual({ url: "http://127.0.0.1:9/hooks", hasToken: true });
    const restartedClock = JSON.parse((await call(secondMock, "GET", "/__mock/clock", undefined, "key-4")).text);
    expect(restartedClock).toEqual({ now: "2027-01-01T00:00:00.000Z", isFrozen: true });
  });

  it("delivers unacknowledged events after a restart, and acknowledged ones not again", async () => {
    const receivedLines: string[] = [];
    let status = 200;
    const server = await serveInTest((request, response) => {
      receivedLines.push(`${request.url} ${status}`);
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
    const webhooks = { url: server.url, token: "token" };
    const file = newFile();
    const firstMock = await start(file, { webhooks, clock });
    await call(firstMock, "POST", "/__mock/users/user-a", { verified: true, funds: { eur: "100.00" } });
    await call(firstMock, "POST", "/v1/transfer", { sourceExternalUserId: "user-a", amount: "1", currency: "eur" });
    await call(firstMock, "POST", "/__mock/clock", { advance: "3 seconds" });
    const deliveryCount = receivedLines.length;
    expect(receivedLines.at(-1)).toBe("/transfer-webhook 200");
    status = 500;
    await call(firstMock, "POST", "/v1/transfer", { sourceExternalUserId: "user-a", amount: "2", currency: "eur" });
    await call(firstMock, "POST", "/__mock/clock", { advance: "3 seconds" });
    expect(receivedLines.slice(deliveryCount)).toEqual(["/transfer-webhook 500"]);
    await stop(firstMock);

    status = 200;
    const secondMock = await start(file, { webhooks, clock });
    await call(secondMock, "POST", "/__mock/clock", { advance: "1 minute" });
    expect(receivedLines.slice(deliveryCount)).toEqual(["/transfer-webhook 500", "/transfer-webhook 200"]);
    const list = JSON.parse((await call(secondMock, "GET", "/__mock/deliveries")).text);
    expect(list.at(-1)).toMatchObject({ state: "delivered", attempts: [{ status: 500 }, { status: 200 }] });
    const [firstAttempt, secondAttempt] = list.at(-1).attempts;
    expect(secondAttempt.at - firstAttempt.at).toBe(1000 * (plan.delivery.delays[0] ?? 0));
  });
});
