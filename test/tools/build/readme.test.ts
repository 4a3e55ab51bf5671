import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { projectRoot } from "../../../scripts/contract/model/index.ts";
import { readPublishing } from "../../../scripts/contract/sources/index.ts";
import { rules } from "../../../scripts/lint/rules/index.ts";
import { type ReplaceableMock, startMock } from "../../../scripts/mock/host/mock.ts";
import { loadPlan } from "../../../scripts/mock/make-plan/index.ts";
import { installLine } from "../../../scripts/site/check.ts";
import { localSiteUrl } from "../../../scripts/site/index.ts";

const readme = readFileSync(`${projectRoot}/README.md`, "utf8");
const programs = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, program]) => program as string);

describe("the README", () => {
  let folder: string;
  let mock: ReplaceableMock;
  beforeAll(async () => {
    // The folder is inside the project, so that its programs can import the package by name.
    folder = mkdtempSync(`${projectRoot}/test/tools/build/.readme-`);
    mock = await startMock(await loadPlan(), { stateless: true });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await mock.close();
  });

  it("has a first call that works against the mock", async () => {
    const file = join(folder, "first-call.ts");
    const [firstCall = "", functions = "", errors = ""] = programs;
    const addressed = `${firstCall}\n${functions}\n${errors}\nexport { data, error, transfer };`
      .replaceAll("http://127.0.0.1:4010", mock.url)
      .replaceAll("http://127.0.0.1:4011", mock.depositUrl);
    writeFileSync(file, addressed);
    const print = vi.spyOn(console, "log").mockImplementation(() => {});
    const { data, error, transfer } = (await import(file)) as {
      data: { userId: string };
      error: unknown;
      transfer: { error: unknown };
    };
    expect([error, transfer.error]).toEqual([undefined, undefined]);
    expect(data.userId).toMatch(/^[0-9a-f-]{36}$/);
    expect(print.mock.calls).toEqual([[data.userId, true]]);
    print.mockRestore();
  });
});

const rooms = readdirSync(`${projectRoot}/scripts`).map((room) => `scripts/${room}/README.md`);
const documents = ["README.md", "CONTRIBUTING.md", ".github/recipes.md", ".github/release.md", ...rooms];

it.each(documents)("%s names scripts, files and rules that exist", (path) => {
  const text = readFileSync(`${projectRoot}/${path}`, "utf8");
  const { scripts } = JSON.parse(readFileSync(`${projectRoot}/package.json`, "utf8")) as { scripts: object };
  const named = [...text.matchAll(/(?:^|`|&& )npm (?:run (?:--silent )?)?([\w:]+)/gm)].map(
    ([, name]) => name as string,
  );
  const commands = named.filter((name) => !["ci", "install", "publish"].includes(name));
  expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  const paths = [...text.matchAll(/`((?:openapi|scripts|test|generated)\/[\w./-]*)`/g)].map(
    ([, file]) => file as string,
  );
  const made = /^generated\/(docs|mock|redoc)\b|^test\/some\.test\.ts$/;
  expect(paths.filter((file) => !made.test(file) && !existsSync(join(projectRoot, file)))).toEqual([]);
  const ruleNames = [...text.matchAll(/`contract\/([\w-]+)`/g)].map(([, name]) => name as string);
  const partsOfRoom = readdirSync(`${projectRoot}/scripts/contract`);
  const known = [...rules.map(({ name }) => name), ...partsOfRoom];
  expect(ruleNames.filter((name) => !known.includes(name))).toEqual([]);
});

it("installs the package as publishing.yaml says", () => {
  expect(readme).toContain(`\n${installLine(readPublishing(), localSiteUrl)}\n`);
  expect(readme.includes("Until a registry has it")).toBe(readPublishing().registry === null);
});

it("is short", () => {
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(7000);
  expect(readFileSync(`${projectRoot}/CONTRIBUTING.md`).length).toBeLessThanOrEqual(8000);
  for (const path of rooms) {
    expect(readFileSync(`${projectRoot}/${path}`, "utf8").trimEnd().split("\n").length, path).toBeLessThanOrEqual(25);
  }
});
