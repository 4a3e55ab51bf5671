/** Runs the published mock file alone in an empty folder, with the command of its Dockerfile. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPlan } from "../../../scripts/mock/make-plan/index.ts";
import { bundleMock } from "../../../scripts/tools/packaging/mock-dist.ts";
import { Command } from "../../support/command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder();
let files: Map<string, string>;
let instructions: [name: string, rest: string][];

beforeAll(async () => {
  files = await bundleMock(loadPlan());
  const lines = (files.get("mock/Dockerfile") ?? "").split("\n").filter((line) => !/^(#|$)/.test(line));
  instructions = lines.map((line) => /^([A-Z]+) (.*)$/.exec(line)?.slice(1) as [string, string]);
}, 60_000);

const lastInstruction = (name: string) =>
  instructions.findLast(([instructionName]) => instructionName === name)?.[1] ?? "";
const wordsOf = (name: string): string[] => JSON.parse(/\[.*$/.exec(lastInstruction(name))?.[0] ?? "[]");

describe("the Dockerfile", () => {
  it("has a slim image, an unprivileged user and a health check, and copies the files beside it", () => {
    expect(instructions.map(([name]) => name)).toEqual([
      ...["FROM", "ENV", "WORKDIR", "COPY", "USER", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"],
    ]);
    expect(lastInstruction("FROM")).toMatch(/^node:\d+-slim$/);
    expect(lastInstruction("USER")).toBe("node");
    expect(lastInstruction("EXPOSE")).toBe("4010 4011");
    expect(files.has(`mock/${lastInstruction("COPY").split(" ")[0]}`)).toBe(true);
  });
});

describe("the mock as a single file", () => {
  let mock: Command;
  let url: string;

  beforeAll(async () => {
    const [file = ""] = lastInstruction("COPY").split(" ");
    writeFileSync(join(folder, file), files.get(`mock/${file}`) ?? "");
    const [command = "", ...args] = [...wordsOf("ENTRYPOINT"), ...wordsOf("CMD")];
    // The image listens on 0.0.0.0 and fixed ports. The test uses loopback and free ports.
    const testArgs = args.map((arg) => (arg === "0.0.0.0" ? "127.0.0.1" : arg));
    mock = new Command(command, [...testArgs, "--port", "0", "--deposit-port", "0"], folder);
    [, url = ""] = await mock.waitFor(/main address +(http\S+)/);
  }, 30_000);
  afterAll(() => mock?.kill());

  const run = (...args: string[]) => {
    const [command = "", ...fixedArgs] = wordsOf("ENTRYPOINT");
    const { status, stdout, stderr } = spawnSync(command, [...fixedArgs, ...args], { cwd: folder, encoding: "utf8" });
    return { status, stdout, stderr };
  };

  it("serves the operations and its page, also to containers that call it by its name", async () => {
    const headers = { "x-api-key": "any-key" };
    expect((await fetch(`${url}/v1/partner/balances`, { headers })).status).toBe(200);
    expect(await (await fetch(`${url}/__mock/`)).text()).toContain("<title>Mock</title>");
    const document = await fetch(`${url}/__mock/openapi.yaml`);
    expect([document.headers.get("content-type"), (await document.text()).startsWith("#")]).toEqual([
      "application/yaml",
      true,
    ]);
    expect((await fetch(`${url}/__mock/health`, { headers: { origin: "http://mock:4010" } })).status).toBe(200);
  });

  it("has a health check that succeeds while it runs and fails otherwise", () => {
    const [, ...check] = wordsOf("HEALTHCHECK");
    const [, ...command] = check;
    expect(check[0]).toBe(wordsOf("ENTRYPOINT")[1]);
    expect(run(...command, "--url", url).status).toBe(0);
    expect(run(...command, "--url", "http://127.0.0.1:1").status).toBe(1);
  });

  it("has a version, help and commands", () => {
    expect(run("--version").stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(run("--help").stdout).toContain("Usage: node partner-wallet-mock.cjs <command> [options]");
    expect(run("clock", "freeze", "2026-04-01", "--url", url, "--json").stdout).toContain("2026-04-01T00:00:00.000Z");
    const { status, stderr } = run("mock", "--prot", "1");
    expect([status, stderr.trim().split("\n")]).toEqual([2, [expect.stringContaining("Did you mean --port?")]]);
  });
});
