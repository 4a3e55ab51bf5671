import type * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import type * as MockModule from "../../../scripts/mock/host/mock.ts";
import { plan } from "../../support/plan.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { exampleCall, operationNamed, send } from "../codes/calls.ts";
import { call } from "../raw-http.ts";

const disk = vi.hoisted(() => ({ isFull: false, isStuck: false }));
vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  // A full disk writes only the first bytes of a line.
  const writeSync = (descriptor: number, bytes: Buffer, offset: number, length: number, at: number) => {
    if (!disk.isFull) return real.writeSync(descriptor, bytes, offset, length, at);
    real.writeSync(descriptor, bytes, offset, 5, at);
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { syscall: "write" });
  };
  const ftruncateSync = (descriptor: number, length: number) => {
    if (disk.isStuck) throw Object.assign(new Error("EIO: i/o error, ftruncate"), { syscall: "ftruncate" });
    real.ftruncateSync(descriptor, length);
  };
  return { ...real, default: { ...real, writeSync, ftruncateSync }, writeSync, ftruncateSync };
});

const folder = temporaryFolder();
let mock: MockModule.RunningMock | undefined;
let startMock: typeof MockModule.startMock;
beforeAll(async () => {
  // Other test files may have loaded the modules with the real file system.
  vi.resetModules();
  ({ startMock } = await import("../../../scripts/mock/host/mock.ts"));
});
afterEach(async () => {
  [disk.isFull, disk.isStuck] = [false, false];
  await mock?.close();
});
afterAll(() => {
  vi.doUnmock("node:fs");
  vi.resetModules();
});

async function start(options: MockModule.StartMockOptions): Promise<MockModule.RunningMock> {
  mock = await startMock(plan, { edition: "test", ...options });
  return mock;
}

async function createUser(url: string, name: string, key = "mock-key"): Promise<number> {
  const user = { externalUserId: name, email: `${name}@users.example`, phone: `49${name.length}` };
  const call = exampleCall(operationNamed(plan, "createUserAccount"), key, user);
  return (await send({ fetch, baseUrl: url, depositBaseUrl: url }, call)).status;
}

const pay = (url: string) =>
  call(url, "POST", "/v1/transfer", { sourceExternalUserId: "a", amount: "3.00", currency: "eur" });

it("is reported once with the file and the reason, and for each request", async () => {
  const state = join(folder, "state");
  const journalNotes: string[] = [];
  const requestNotes: string[] = [];
  const options = { state, onNote: (note: string) => journalNotes.push(note) };
  const { url } = await start({ ...options, onRequest: ({ notes }) => requestNotes.push(notes.join()) });
  disk.isFull = true;
  expect(await createUser(url, "a")).toBe(500);
  expect(await createUser(url, "a", "another-key")).toBe(500);
  const reason = `${state} cannot be written: ENOSPC: no space left on device, write`;
  expect(journalNotes).toEqual([`${reason}. No call that changes something succeeds until it can be written.`]);
  expect(requestNotes).toEqual([`The mock failed: ${reason}`, `The mock failed: ${reason}`]);
  disk.isFull = false;
  expect(await createUser(url, "a")).toBe(201);
  disk.isFull = true;
  expect(await createUser(url, "ab")).toBe(500);
  expect(journalNotes).toHaveLength(2);
  disk.isStuck = true;
  expect(await createUser(url, "ab")).toBe(500);
  [disk.isFull, disk.isStuck] = [false, false];
  expect(await createUser(url, "ab")).toBe(201);
});

it.each<[string, (mock: MockModule.RunningMock) => unknown]>([
  ["a user", ({ users }) => users.create("b", { verified: true })],
  ["money", ({ users }) => users.fund("a", { eur: "50.00" })],
  ["a lock", (mock) => mock.lockExchange("a", { currencyFrom: "eur", currencyTo: "usdc", amount: "1" })],
  [
    "an external event",
    (mock) => mock.triggerEvent("sepaDeposit", "depositArrives", { externalUserId: "a", amount: "1" }),
  ],
  ["a moved clock", ({ clock }) => clock.advance("2 days")],
  ["a frozen clock", ({ clock }) => clock.freeze("2030-01-01")],
  ["a target", (mock) => mock.sendWebhooksTo({ url: "http://127.0.0.1:9" })],
  ["a reset", (mock) => mock.reset()],
  ["a state", (mock) => mock.restore({ ...mock.state(), entities: [], claims: [], postings: [], jobs: [] })],
])("%s that cannot be saved is refused without effect, now and after a restart", async (_, work) => {
  const state = join(folder, `state-${Math.random()}`);
  // The clock is frozen, because automatic events would change the state.
  const first = await start({ state, clock: "2026-03-10T09:00:00Z" });
  first.users.create("a", { verified: true, funds: { eur: "10.00" } });
  await first.settle();
  const webhooks = () => call(first.url, "GET", "/__mock/webhooks");
  const before = [first.state(), await webhooks()];
  disk.isFull = true;
  await expect((async () => work(first))()).rejects.toThrow(`${state} cannot be written`);
  expect([first.state(), await webhooks()]).toEqual(before);
  const refused = await call(first.url, "POST", "/__mock/partner", { funds: { eur: "1.00" } });
  expect(refused).toEqual({ status: 500, text: expect.stringContaining("cannot be written") });
  disk.isFull = false;
  first.users.fund("a", { eur: "1.00" });
  const after = first.state();
  await first.close();
  const second = await start({ state });
  expect(second.state()).toEqual(after);
});

it("jobs that became due while the disk was full run when there is space again", async () => {
  const state = join(folder, "due");
  const first = await start({ state, clock: "2026-03-10T09:00:00Z" });
  first.users.create("a", { verified: true, funds: { eur: "10.00" } });
  const { transferId } = JSON.parse((await pay(first.url)).text);
  const status = () => first.state().entities.find(({ id }) => id === transferId)?.states.status;
  const waiting = status();
  disk.isFull = true;
  await expect(first.clock.advance("1 hour")).rejects.toThrow("cannot be written");
  expect([status(), first.clock.now.toISOString()]).toEqual([waiting, "2026-03-10T09:00:00.000Z"]);
  disk.isFull = false;
  await first.clock.advance("1 hour");
  expect(status()).toBe("SUCCESSFUL");
});

it("a read succeeds on a full disk, also when a job is due, and changes nothing", async () => {
  const state = join(folder, "read");
  const { url, ...first } = await start({ state, edition: "latest" });
  first.users.create("a", { verified: true, funds: { eur: "10.00" } });
  first.assume({ delays: { transfer: 0.05 } });
  await first.settle();
  const { transferId } = JSON.parse((await pay(url)).text);
  disk.isFull = true;
  await new Promise((resolve) => setTimeout(resolve, 100));
  const before = first.state();
  const read = async (path: string) => {
    const { status, text } = await call(url, "GET", path);
    return [status, JSON.parse(text)] as const;
  };
  expect(await read(`/v1/transfer/details/${transferId}`)).toMatchObject([200, { status: "IN_PROGRESS" }]);
  const balances = await read("/v1/user/balances/a");
  expect(balances).toMatchObject([200, {}]);
  expect(await read("/v1/user/balances/a")).toEqual(balances);
  for (const path of ["users", "state", "clock", "deliveries"]) expect((await read(`/__mock/${path}`))[0]).toBe(200);
  expect(first.state()).toEqual(before);
  expect((await pay(url)).status).toBe(500);
  disk.isFull = false;
  await expect.poll(() => read(`/v1/transfer/details/${transferId}`)).toMatchObject([200, { status: "SUCCESSFUL" }]);
});
