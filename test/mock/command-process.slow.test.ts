import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import { Command, startScript } from "../support/command.ts";

const freePorts = ["--port", "0", "--deposit-port", "0"];
const mockArgs = ["--import", "tsx", "scripts/cli/npm/mock.ts", ...freePorts];

let command: Command | undefined;
afterEach(() => command?.kill());

async function statusOf(url: string): Promise<number> {
  return (await fetch(`${url}/v1/partner/balances`, { headers: { "x-api-key": "k" } })).status;
}

describe("npm run mock", () => {
  it.each<[how: string, end: (runningCommand: Command) => void]>([
    ["SIGTERM to npm", (runningCommand) => runningCommand.signal("SIGTERM")],
    ["SIGKILL to npm", (runningCommand) => runningCommand.signal("SIGKILL")],
    ["SIGTERM to its process group", (runningCommand) => runningCommand.signalGroup("SIGTERM")],
  ])("exits with all its processes within 2 s of %s", async (_how, endCommand) => {
    const runningCommand = new Command("npm", ["run", "mock", "--", ...freePorts], projectRoot);
    command = runningCommand;
    await runningCommand.waitFor(/Stop with Ctrl\+C\./);
    endCommand(runningCommand);
    await expect.poll(() => runningCommand.processIds, { timeout: 2000 }).toEqual([]);
  });

  it.each([0, 300])("exits when npm is ended %i ms after it has started the script", async (milliseconds) => {
    const runningCommand = new Command("npm", ["run", "mock", "--", ...freePorts], projectRoot);
    command = runningCommand;
    await runningCommand.waitFor(/cli\/npm\/mock\.ts/);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    runningCommand.signal("SIGTERM");
    await expect.poll(() => runningCommand.processIds, { timeout: 4000 }).toEqual([]);
  });
});

it("listens when started by a tool that gives it its own process group", async () => {
  const env = { ...process.env, npm_lifecycle_event: "test" };
  const child = spawn(process.execPath, mockArgs, {
    cwd: projectRoot,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.includes("Stop with")) child.kill("SIGTERM");
  }
  expect(output).toContain("Stop with Ctrl+C.");
});

describe("when the reader of its output closes", () => {
  it.each(["stdout", "stderr"] as const)("keeps running: %s", async (stream) => {
    const child = spawn(process.execPath, mockArgs, { cwd: projectRoot, stdio: ["ignore", "pipe", "pipe"] });
    try {
      let output = "";
      for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
        output += chunk;
        if (output.includes("Stop with")) break;
      }
      const [url = ""] = /http:\S+/.exec(output) ?? [];
      child[stream].destroy();
      const statuses = [];
      for (let call = 0; call < 5; call += 1) statuses.push(await statusOf(url));
      expect(statuses).toEqual([200, 200, 200, 200, 200]);
      expect(child.exitCode).toBeNull();
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
    } finally {
      child.kill("SIGKILL");
    }
  });
});

it("with --json prints one object per line: its addresses, then each request and each delivery attempt", async () => {
  command = startScript("mock", ...freePorts, "--json", "--webhooks", "http://127.0.0.1:9");
  const [, line = ""] = await command.waitFor(/^(\{"ready":true,.*\})\n/m);
  const { url, control } = JSON.parse(line) as Record<string, string>;
  expect(control).toBe(`${url}/__mock/`);
  await fetch(control as string);
  await statusOf(url as string);
  const [, entry = ""] = await command.waitFor(/^(\{"time".*\})\n/m);
  expect(JSON.parse(entry)).toMatchObject({ method: "GET", path: "/v1/partner/balances", status: 200, code: null });
  await fetch(`${control}users/user-7`, { method: "POST", headers: { "x-api-key": "k" }, body: '{"verified":true}' });
  const [, attempt = ""] = await command.waitFor(/^(\{"time".*"webhook".*\})\n/m);
  expect(JSON.parse(attempt)).toMatchObject({ webhook: "kycVerificationStatus", state: "pending" });
});

describe("from the terminal", () => {
  it.concurrent.each(["SIGINT", "SIGTERM"] as const)(
    "prints the addresses, a curl and a line for each request; %s ends it",
    async (signal) => {
      const command = startScript("mock", "--port", "0", "--deposit-port", "0", "--edition", "test", "--stateless");
      await command.waitFor(/Stop with/);
      const [, url = ""] = await command.waitFor(/main address +(http:\/\/127\.0\.0\.1:\d+)\n/);
      const [, depositUrl = ""] = await command.waitFor(/deposit address +(http:\/\/127\.0\.0\.1:\d+)\n/);
      expect(command.output).toMatch(/ready in \d+\.\d\d s\n/);
      expect(command.output).toContain(`curl -i '${url}/v1/`);
      expect(
        await fetch(`${url}/v1/card/all/canary`, { headers: { "x-api-key": "a-key" } }).then(
          (response) => response.status,
        ),
      ).toBe(200);
      await command.waitFor(/ GET \/v1\/card\/all\/\{externalUserId\} → 200 [\d.]+ ms\n/);
      await fetch(`${depositUrl}/v1/crypto-deposit/details?externalId=canary`, { headers: { "x-api-key": "canary" } });
      await command.waitFor(/ GET \/v1\/crypto-deposit\/details → 404 [\d.]+ ms\n/);
      command.signal(signal);
      expect(await command.exitCode).toBe(0);
      expect(command.output).not.toContain("canary");
    },
  );
});
