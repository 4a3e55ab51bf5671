import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type * as StartModule from "../../../scripts/tools/start/index.ts";
import { Command, runCommand } from "../../support/command.ts";
import { refusingUrls, withTakenPort } from "../../support/ports.ts";
import { ProjectCopy } from "../../support/project-copy.ts";

const freePorts = ["--port", "0", "--deposit-port", "0", "--docs-port", "0"];
const operationFile = "openapi/paths/loan/createLoan.yaml";

let copy: ProjectCopy;
beforeAll(() => {
  copy = new ProjectCopy();
});
afterAll(() => copy.remove());

describe("while it runs", () => {
  let command: Command;
  let savedCount: number;
  let docsUrl: string;
  let mockUrl: string;
  let depositUrl: string;
  beforeAll(async () => {
    command = new Command("npm", ["run", "dev", "--", ...freePorts], copy.folder);
    await command.waitFor(/Watching openapi\/\. Stop with Ctrl\+C\./);
    savedCount = command.outputLength;
    copy.edit(operationFile, "summary: A novel", "summary: A long novel");
    [, docsUrl = ""] = await command.waitFor(/reference docs +(http:\S+)/);
    [, mockUrl = ""] = await command.waitFor(/main address +(http:\S+)/);
    [, depositUrl = ""] = await command.waitFor(/deposit address +(http:\S+)/);
  });
  afterAll(() => command.kill());

  async function lendInMock(): Promise<string> {
    const headers = { "x-api-key": "key", "content-type": "application/json" };
    const body = JSON.stringify({ member: "m-1", book: "Emma" });
    const response = await fetch(`${mockUrl}/v1/loans`, { method: "POST", headers, body });
    return ((await response.json()) as { loanId: string }).loanId;
  }

  async function waitForUpdate(offset: number): Promise<void> {
    for (const part of [/✓ mock: /, /✓ client: /, /✓ docs: search/]) await command.waitFor(part, { offset });
  }

  const docsPage = async () => (await fetch(new URL("/operations/createLoan.html", docsUrl))).text();

  it("applies a change saved right after it reports that it watches", async () => {
    await waitForUpdate(savedCount);
    expect(await docsPage()).toContain("A long novel");
  });

  it("serves the docs and the mock of the contract", async () => {
    expect(await lendInMock()).toBe("L-0001");
    expect(await docsPage()).toContain("L-0001");
  });

  it("applies a saved change to the mock, the docs, the bundle and the client, on the same ports", async () => {
    const offset = command.outputLength;
    copy.edit(operationFile, "loanId: L-0001", "loanId: L-0008");
    await command.waitFor(new RegExp(`${operationFile} changed\\n✓ lint: no errors `), { offset });
    await waitForUpdate(offset);
    expect(await lendInMock()).toBe("L-0008");
    expect(await docsPage()).toContain("L-0008");
    expect(copy.read("generated/latest/openapi.json")).toContain("L-0008");
  });

  it("prints a warning, and applies the change anyway", async () => {
    const offset = command.outputLength;
    copy.edit(operationFile, "  x-open-questions:\n    - Q-loan-period\n", "");
    await command.waitFor(/^openapi\/open-questions\.yaml:\d+:\d+ {2}warn {2}contract\/question-used /m, { offset });
    await waitForUpdate(offset);
  });

  it.each([
    ["a file that is no YAML", "  summary: Create Loan", " summary: Create Loan", "yaml-syntax"],
    ["a mistake", "member: m-20", "members: m-20", "contract/examples-valid"],
  ])(
    "reports %s with its line, and leaves the mock, the docs and the bundle unchanged",
    async (_name, correctText, wrongText, rule) => {
      const offset = command.outputLength;
      const stateBefore = [copy.fileStatesBelow("generated"), await docsPage()];
      copy.edit(operationFile, correctText, wrongText);
      const [, line] = await command.waitFor(
        new RegExp(`^${operationFile}:(\\d+):\\d+  error  ${rule}  .* Remedy: .*\\.$`, "m"),
        { offset },
      );
      await command.waitFor(/✗ lint: 1 error\(s\); mock, client and docs are unchanged/, { offset });
      expect(copy.read(operationFile).split("\n")[Number(line) - 1]).toMatch(/summary: Create Loan|value:/);
      expect(await lendInMock()).toBe("L-0008");
      expect([copy.fileStatesBelow("generated"), await docsPage()]).toEqual(stateBefore);

      const positionAfterRepair = command.outputLength;
      copy.edit(operationFile, wrongText, correctText);
      await waitForUpdate(positionAfterRepair);
    },
  );

  it("applies added and removed files", async () => {
    const offset = command.outputLength;
    copy.write("openapi/schemas/Shelf.yaml", "title: Shelf\ntype: string\n");
    await command.waitFor(/^openapi\/schemas\/Shelf\.yaml changed$/m, { offset });
    await command.waitFor(/openapi\/schemas\/Shelf\.yaml:1:1 {2}error {2}contract\/file-reached/, { offset });
    const positionAfterRemoval = command.outputLength;
    copy.delete("openapi/schemas/Shelf.yaml");
    await waitForUpdate(positionAfterRemoval);
  });

  it("follows every file of openapi/, but no generated part of a guide", async () => {
    const offset = command.outputLength;
    copy.write("openapi/guides/programs/python/lend.py", "print(1)\n");
    await command.waitFor(/^openapi\/guides\/programs\/python\/lend\.py changed$/m, { offset });
    await waitForUpdate(offset);
    const guide = "openapi/guides/how-to-call.md";
    const positionAfterAddition = command.outputLength;
    copy.write(guide, `${copy.read(guide)}\n<!-- contacts -->\n<!-- /contacts -->\n`);
    await waitForUpdate(positionAfterAddition);
    const positionAfterFilling = command.outputLength;
    copy.edit(guide, "<!-- contacts -->\n", "<!-- contacts -->\nNobody.\n");
    copy.write("openapi/schemas/Pot.yml", "title: Pot\n");
    expect((await command.waitFor(/^openapi\/.* changed$/m, { offset: positionAfterFilling }))[0]).toBe(
      "openapi/schemas/Pot.yml changed",
    );
    await command.waitFor(/openapi\/schemas\/Pot\.yml.* contract\/file-reached/, { offset: positionAfterFilling });
    const positionAfterRemoval = command.outputLength;
    copy.delete("openapi/schemas/Pot.yml");
    await waitForUpdate(positionAfterRemoval);
  });

  it("applies a removed guide that comes back as it was", async () => {
    const guide = "openapi/guides/how-to-call.md";
    const text = copy.read(guide);
    const offset = command.outputLength;
    copy.delete(guide);
    await command.waitFor(/guides\.yaml lists how-to-call/, { offset });
    const positionAfterRemoval = command.outputLength;
    copy.write(guide, text);
    await waitForUpdate(positionAfterRemoval);
  });

  it("ends every process on Ctrl+C", async () => {
    command.signalGroup("SIGINT");
    await command.waitForEnd(5_000);
    expect(command.processIds).toEqual([]);
    expect(await refusingUrls([docsUrl, mockUrl, depositUrl])).toEqual([docsUrl, mockUrl, depositUrl]);
  });
});

it("npm start serves the docs and the mock, and SIGTERM to npm ends every process", async () => {
  const command = new Command("npm", ["start", "--", ...freePorts], copy.folder);
  onTestFinished(() => command.kill());
  await command.waitFor(/Stop with Ctrl\+C\./);
  const [, docsUrl = ""] = await command.waitFor(/reference docs +(http:\S+)/);
  const [, mockUrl = ""] = await command.waitFor(/main address +(http:\S+)/);
  const [, depositUrl = ""] = await command.waitFor(/deposit address +(http:\S+)/);

  const statusOf = async (url: string) => (await fetch(url)).status;
  const statuses = await Promise.all([`${docsUrl}/`, `${docsUrl}/operations/`, `${mockUrl}/v1/loans`].map(statusOf));
  expect(statuses).toEqual([200, 200, 405]);
  await command.waitFor(/GET \/v1\/loans → 405/);
  const [banner] = /^ {2}reference docs[\s\S]*$/m.exec(command.output) ?? [""];
  expect(banner.split("\n").slice(0, 4)).toEqual([
    `  reference docs   ${docsUrl}`,
    `  main address     ${mockUrl}`,
    `  deposit address  ${depositUrl}`,
    expect.stringContaining(`Try: curl -i`),
  ]);
  expect(banner).toContain("The mock serves the edition test,");

  command.signal("SIGTERM");
  await command.waitForEnd(5_000);
  expect(command.processIds).toEqual([]);
  expect(await refusingUrls([docsUrl, mockUrl, depositUrl])).toEqual([docsUrl, mockUrl, depositUrl]);
});

describe("a start that fails", () => {
  const anyPorts = { port: 0, depositPort: 0, docsPort: 0 };

  async function failure(ports: Partial<typeof anyPorts> = {}): Promise<string> {
    const { start } = (await import(join(copy.folder, "scripts/tools/start/index.ts"))) as typeof StartModule;
    const options = {
      edition: "test",
      host: "127.0.0.1",
      mustLint: true,
      print: () => {},
      ...anyPorts,
      ...ports,
    } as const;
    return start(options).then(
      () => "it started",
      (error: Error) => `${error.name}: ${error.message}`,
    );
  }

  it.each([
    ["port", "--port"],
    ["depositPort", "--deposit-port"],
    ["docsPort", "--docs-port"],
  ])("because %s is in use prints one line, and leaves nothing listening", async (name, option) => {
    const [message, takenPort, freePort] = await withTakenPort(async (busyPort) => {
      const freedPort = await withTakenPort(async (port) => port);
      const otherOption = name === "port" ? "depositPort" : "port";
      return [await failure({ [name]: busyPort, [otherOption]: freedPort }), busyPort, freedPort];
    });
    expect(message).toMatch(new RegExp(`^\\w+: Port ${takenPort} .*in use.* ${option}\\.$`));
    const mock = `http://127.0.0.1:${freePort}`;
    expect(await refusingUrls([mock])).toEqual([mock]);
  });

  it("prints one line of the command, with exit code 1", async () => {
    await withTakenPort(async (port) => {
      const args = ["--import", "tsx", "scripts/cli/npm/start.ts", "--docs-port", "0", "--port", String(port)];
      const { code, output } = await runCommand(process.execPath, args, copy.folder);
      expect(output).toMatch(new RegExp(`^Port ${port} .*in use.* --port\\.\n$`));
      expect(code).toBe(1);
    });
  });

  it("because of a mistake in the contract names its line", async () => {
    const line = copy.edit(operationFile, "operationId: createLoan", "operationID: createLoan");
    const message = await failure();
    expect(message).toMatch(new RegExp(`${operationFile}:${line}:\\d+  error  `));
    expect(message).toMatch(/^UsageError: [\s\S]*\nCorrect the contract\.$/);
    // A port in use is reported before mistakes in the contract, because reading the contract takes time.
    expect(await withTakenPort((docsPort) => failure({ docsPort }))).toContain("in use");
  });
});
