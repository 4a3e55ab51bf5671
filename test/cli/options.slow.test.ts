import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import { serveRecorder, token } from "../mock/webhooks/support.ts";
import { startScript } from "../support/command.ts";

async function run(name: string, ...args: string[]): Promise<{ code: number | null; output: string }> {
  const command = startScript(name, ...args);
  return { code: await command.exitCode, output: command.output };
}

const { scripts } = JSON.parse(readFileSync(`${projectRoot}/package.json`, "utf8")) as {
  scripts: Record<string, string>;
};
const names = Object.entries(scripts).flatMap(([name, command]) => {
  const file = /scripts\/cli\/npm\/([\w-]+)\.ts$/.exec(command)?.[1];
  return file === undefined ? [] : [[name, file] as const];
});

it.concurrent.each(names)("%s refuses an unknown argument in one line, and exits with 2", async (name, file) => {
  const { code, output } = await run(file, "--hepl");
  expect(output).toBe(`There is no option --hepl. Did you mean --help? See npm run ${name} -- --help.\n`);
  expect(code).toBe(2);
});

it.concurrent.each([
  ["changes", ["--document", "--check"], "--check has no effect with --document."],
  ["changes", ["--document", "0.1.0"], "0.1.0 has no effect with --document."],
  ["changes", ["--json", "--markdown"], "--markdown has no effect with --json."],
  ["lint", ["--explain", "dedupe-key", "openapi/openapi.yaml"], "openapi/openapi.yaml has no effect with --explain."],
  ["release", ["--version-only", "--untried"], "--untried has no effect with --version-only."],
])("%s refuses %j, of which one has no effect", async (file, args, message) => {
  expect(await run(file, ...args)).toEqual({ code: 2, output: `${message}\n` });
});

it("shows its help", async () => {
  const { code, output } = await run("verify", "--help");
  expect(output.split("\n")).toEqual([
    "Usage: npm run verify -- [options]",
    "",
    "Packs the package and uses it as a partner would.",
    "",
    "Options:",
    "  --node MAJORS   repeat on other major versions of Node.js, the newest last: 22,24",
    "  --environments  try bundlers, other runtimes and frameworks",
    "  --reproducible  build in two folders, and compare every file and the package",
    "  --help          show this help",
    "",
  ]);
  expect(code).toBe(0);
});

it("sends an event, and exits with 1 when it is not acknowledged", async () => {
  const statuses = [200, 401];
  const server = await serveRecorder((response) => void response.writeHead(statuses.shift() ?? 500).end("{}"));
  const args = ["sepaDeposit", "--to", server.url, "--token", token, "amount=12.50"];
  const acceptedEvent = await run("webhook", ...args);
  expect(acceptedEvent.output).toMatch(/^sepaDeposit → POST \/sepa-deposit-webhook: 200, acknowledged \(\d+ ms\)\n$/);
  expect(acceptedEvent.code).toBe(0);
  const refusedEvent = await run("webhook", ...args);
  expect(refusedEvent.output).toContain("401, refused the token");
  expect(refusedEvent.output).not.toContain(token);
  expect(refusedEvent.code).toBe(1);
  expect(server.receivedCalls.map(({ headers }) => headers.authorization)).toEqual([token, token]);
  expect(JSON.parse(server.receivedCalls[0]?.body ?? "")).toMatchObject({ amount: "12.50" });
});
