import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { projectRoot } from "../../../scripts/base/index.ts";
import { readPublishing } from "../../../scripts/contract/sources/index.ts";
import { rules } from "../../../scripts/lint/rules/index.ts";
import { startMock } from "../../../scripts/mock/host/mock.ts";
import { loadPlan } from "../../../scripts/mock/make-plan/index.ts";
import type { Delivery } from "../../../scripts/mock/plan/control.ts";
import { installLine } from "../../../scripts/site/check.ts";
import { localSiteUrl } from "../../../scripts/site/index.ts";
import { runCommand } from "../../support/command.ts";

const readme = readFileSync(`${projectRoot}/README.md`, "utf8");
const programs = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, program]) => program as string);

it("has programs that run, in this order, against the mock that it starts", async () => {
  // The folder is inside the project, so that its programs can import the package by name.
  const folder = mkdtempSync(`${projectRoot}/test/tools/build/.readme-`);
  const mock = await startMock(await loadPlan(), { scenario: true, key: "any-key-will-do-for-the-mock" });
  vi.stubEnv("WEBHOOK_TOKEN", "a-token");
  const consoleSpies = (["log", "warn", "error"] as const).map((name) => vi.spyOn(console, name).mockReturnValue());
  onTestFinished(async () => {
    rmSync(folder, { recursive: true, force: true });
    vi.unstubAllEnvs();
    for (const spy of consoleSpies) spy.mockRestore();
    await mock.close();
  });
  const file = join(folder, "readme.ts");
  const programWithAddresses = [...programs, "export { data, transfer, handler };"]
    .join("\n")
    .replaceAll("http://127.0.0.1:4010", mock.url)
    .replaceAll("http://127.0.0.1:4011", mock.depositUrl);
  writeFileSync(file, programWithAddresses);
  const { data, transfer, handler } = (await import(file)) as {
    data: { userId: string };
    transfer: { data: object };
    handler: (request: Request) => Promise<Response>;
  };
  expect(data.userId).toMatch(/^[0-9a-f-]{36}$/);
  expect(transfer).toMatchObject({ data: { transferId: expect.any(String) } });
  await mock.clock.advance("1 minute");
  const { path, body } = mock.deliveries.filter(({ webhook }) => webhook === "p2pTransfer").at(-1) as Delivery;
  const headers = { authorization: "a-token", "content-type": "application/json" };
  const event = new Request(`http://127.0.0.1${path}`, { method: "POST", headers, body });
  expect((await handler(event)).status).toBe(200);
  expect(consoleSpies.map(({ mock: { calls } }) => calls)).toEqual([
    [
      [data.userId, true],
      [JSON.parse(body).id, "SUCCESSFUL"],
    ],
    [],
    [],
  ]);
});

it("has a curl that the mock answers, on the port that it starts with", async () => {
  const [, key = "", path = ""] = /^curl -H 'x-api-key: (.*)' http:\/\/127\.0\.0\.1:4010(\S+)$/m.exec(readme) ?? [];
  const mock = await startMock(await loadPlan(), { scenario: true });
  onTestFinished(() => mock.close());
  const response = await fetch(`${mock.url}${path}`, { headers: { "x-api-key": key } });
  expect([response.status, Object.keys(await response.json())]).toEqual([
    200,
    expect.arrayContaining(["fiatBalances"]),
  ]);
});

it("has the options of npm start", async () => {
  const [, text = ""] = /`npm start -- (.*?)`/.exec(readme) ?? [];
  const { output } = await runCommand("node", ["--import", "tsx", "scripts/cli/npm/start.ts", "--help"], projectRoot);
  const options = text.match(/--[\w-]+/g) ?? [];
  expect(options.length).toBe(3);
  expect(options.filter((option) => !output.includes(`${option} PORT`))).toEqual([]);
});

const folderReadmes = readdirSync(`${projectRoot}/scripts`, { recursive: true, encoding: "utf8" })
  .filter((path) => basename(path) === "README.md")
  .map((path) => `scripts/${path}`);
const documents = ["README.md", "CONTRIBUTING.md", ".github/recipes.md", ".github/release.md", ...folderReadmes];

it.each(documents)("%s names scripts, files and rules that exist", (path) => {
  const text = readFileSync(`${projectRoot}/${path}`, "utf8");
  const { scripts } = JSON.parse(readFileSync(`${projectRoot}/package.json`, "utf8")) as { scripts: object };
  const namedScripts = [...text.matchAll(/(?:^|`|&& )npm (?:run (?:--silent )?)?([\w:]+)/gm)].map(
    ([, name]) => name as string,
  );
  const commands = namedScripts.filter((name) => !["ci", "install", "publish"].includes(name));
  expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  const paths = [...text.matchAll(/`((?:openapi|scripts|test|generated)\/[\w./-]*)`/g)].map(
    ([, file]) => file as string,
  );
  const generatedPath = /^generated\/(docs|mock|redoc)\b|^test\/some\.test\.ts$/;
  expect(paths.filter((file) => !generatedPath.test(file) && !existsSync(join(projectRoot, file)))).toEqual([]);
  const ruleNames = [...text.matchAll(/`contract\/([\w-]+)`/g)].map(([, name]) => name as string);
  const contractParts = readdirSync(`${projectRoot}/scripts/contract`);
  const knownNames = [...rules.map(({ name }) => name), ...contractParts];
  expect(ruleNames.filter((name) => !knownNames.includes(name))).toEqual([]);
});

it("installs the package as publishing.yaml says", () => {
  expect(readme).toContain(`\n${installLine(readPublishing(), localSiteUrl)}\n`);
  expect(readme.includes("Until a registry has it")).toBe(readPublishing().registry === null);
});

it("is short", () => {
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(7000);
  expect(readFileSync(`${projectRoot}/CONTRIBUTING.md`).length).toBeLessThanOrEqual(8000);
  for (const path of folderReadmes) {
    expect(readFileSync(`${projectRoot}/${path}`, "utf8").trimEnd().split("\n").length, path).toBeLessThanOrEqual(25);
  }
});
