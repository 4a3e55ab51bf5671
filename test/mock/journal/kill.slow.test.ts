/** A mock that is killed while it answers: whatever it has answered is there again. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import { projectRoot } from "../../../scripts/contract/index.ts";
import { Command } from "../../support/command.ts";

const folder = mkdtempSync(join(tmpdir(), "kill-"));
const started: Command[] = [];
afterEach(() => {
  for (const command of started.splice(0)) command.kill();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts the mock on free ports, and returns its main address. */
async function start(state: string): Promise<{ command: Command; url: string }> {
  const args = ["--import", "tsx", "scripts/commands/mock.ts", "--port", "0", "--deposit-port", "0", "--state", state];
  const command = new Command(process.execPath, args, projectRoot);
  started.push(command);
  const [, url = ""] = await command.waitFor(/main address +(http:\S+)/, { limitMs: 60_000 });
  return { command, url };
}

async function createUser(url: string, number: number): Promise<number> {
  const response = await fetch(`${url}/v1/user/balances/crypto-and-fiat`, {
    method: "POST",
    headers: { "x-api-key": "key", "content-type": "application/json" },
    body: JSON.stringify({
      ...{ externalUserId: `user-${number}`, email: `user-${number}@users.example`, phone: `49${number}` },
      ...{ firstName: "Ada", lastName: "Test", city: "Berlin", postCode: "10115", country: "DE" },
      birthDate: "1990-01-01",
    }),
  });
  await response.text();
  return response.status;
}

it("loses at most the calls that were not answered", async () => {
  const state = join(folder, "state");
  const answered: number[] = [];
  let next = 0;
  for (const goal of [200, 400]) {
    const { command, url } = await start(state);
    const callers = Array.from({ length: 8 }, async () => {
      for (let number = next++; ; number = next++) {
        const status = await createUser(url, number).catch(() => undefined);
        if (status === undefined) return;
        expect(status).toBe(201);
        answered.push(number);
        if (answered.length === goal) command.signal("SIGKILL");
      }
    });
    await Promise.all(callers);
  }
  const { command, url } = await start(state);
  const again = await Promise.all(answered.map((number) => createUser(url, number)));
  expect(again.filter((status) => status !== 400)).toEqual([]);
  expect(answered.length).toBeGreaterThanOrEqual(400);
  command.signal("SIGTERM");
  await command.ended;
}, 120_000);
