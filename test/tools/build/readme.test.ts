/** The README is true: its programs run (test/types compiles them), its commands and files exist. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { projectRoot } from "../../../scripts/contract/model/index.ts";
import { type ReplaceableMock, startMock } from "../../../scripts/mock/host/mock.ts";
import { loadPlan } from "../../../scripts/mock/make-plan/index.ts";

const readme = readFileSync(`${projectRoot}/README.md`, "utf8");
const programs = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, program]) => program as string);

describe("the programs", () => {
  let folder: string;
  let mock: ReplaceableMock;
  beforeAll(async () => {
    // Inside of the project, so that the package can be imported by its name.
    folder = mkdtempSync(`${projectRoot}/test/build/.readme-`);
    mock = await startMock(await loadPlan(), { stateless: true });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await mock.close();
  });

  it("the first call works against the mock", async () => {
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

it("names scripts and files that exist", () => {
  const { scripts } = JSON.parse(readFileSync(`${projectRoot}/package.json`, "utf8")) as { scripts: object };
  const named = [...readme.matchAll(/npm (?:run )?(start|test|\w+)\b/g)].map(([, name]) => name as string);
  const commands = named.filter((name) => !["ci", "install", "pack", "and", "run"].includes(name));
  expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  const links = [...readme.matchAll(/\]\(([\w./-]+)\)/g)].map(([, file]) => file as string);
  expect(links.filter((file) => !existsSync(`${projectRoot}/${file}`))).toEqual([]);
});
