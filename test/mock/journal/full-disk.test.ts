/** A journal that cannot be written any more: whoever runs the mock learns which file, and why. */
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import type * as MockModule from "../../../scripts/mock/mock.ts";
import { loadPlan } from "../../../scripts/plan/index.ts";

const disk = vi.hoisted(() => ({ isFull: false }));
vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  const writeSync = (...args: Parameters<typeof real.writeSync>) => {
    if (disk.isFull) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    return real.writeSync(...args);
  };
  return { ...real, default: { ...real, writeSync }, writeSync };
});

const folder = fs.mkdtempSync(join(tmpdir(), "full-"));
let mock: MockModule.RunningMock | undefined;
let startMock: typeof MockModule.startMock;
beforeAll(async () => {
  // Another file of tests may have loaded the modules with the real disk.
  vi.resetModules();
  ({ startMock } = await import("../../../scripts/mock/mock.ts"));
});
afterEach(async () => {
  disk.isFull = false;
  await mock?.close();
});
afterAll(() => {
  fs.rmSync(folder, { recursive: true });
  vi.doUnmock("node:fs");
  vi.resetModules();
});

async function start(options: MockModule.StartMockOptions): Promise<MockModule.RunningMock> {
  mock = await startMock(await loadPlan(), { edition: "test", ...options });
  return mock;
}

async function createUser(url: string, name: string, key = "mock-key"): Promise<number> {
  const person = { firstName: "Ada", lastName: "Test", city: "Berlin", postCode: "10115", country: "DE" };
  const user = { externalUserId: name, email: `${name}@users.example`, phone: `49${name.length}`, ...person };
  const response = await fetch(`${url}/v1/user/balances/crypto-and-fiat`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ ...user, birthDate: "1990-01-01" }),
  });
  await response.text();
  return response.status;
}

it("is told once with the file and the reason, and in the line of each request", async () => {
  const state = join(folder, "state");
  const told: string[] = [];
  const lines: string[] = [];
  const options = { state, onNote: (note: string) => told.push(note) };
  const { url } = await start({ ...options, onRequest: ({ notes }) => lines.push(notes.join()) });
  disk.isFull = true;
  expect(await createUser(url, "a")).toBe(500);
  expect(await createUser(url, "a", "another-key")).toBe(500);
  const reason = `${state} cannot be written: ENOSPC: no space left on device, write`;
  expect(told).toEqual([`${reason}. No call that changes something succeeds until it can be written.`]);
  expect(lines).toEqual([`The mock failed: ${reason}`, `The mock failed: ${reason}`]);
  disk.isFull = false;
  expect(await createUser(url, "a")).toBe(201);
  disk.isFull = true;
  expect(await createUser(url, "ab")).toBe(500);
  expect(told).toHaveLength(2);
});
