/** `npm start` in a copy of this repository with a small contract. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Command } from "../support/command.ts";
import { refusing, withTakenPort } from "../support/ports.ts";
import { ProjectCopy } from "../support/project-copy.ts";

let copy: ProjectCopy;
let command: Command;

const freePorts = ["--port", "0", "--deposit-port", "0", "--docs-port", "0"];

beforeAll(() => {
  copy = new ProjectCopy();
});
afterEach(() => command.kill());
afterAll(() => copy.remove());

describe.each<[how: string, end: () => void]>([
  ["SIGTERM to npm", () => command.signal("SIGTERM")],
  ["Ctrl+C", () => command.signalGroup("SIGINT")],
])("npm start, ended by %s", (_how, end) => {
  it("serves the docs and the mock, and ends every process", async () => {
    command = new Command("npm", ["start", "--", ...freePorts], copy.folder);
    await command.waitFor(/Stop with Ctrl\+C\./);
    const [, docs = ""] = await command.waitFor(/reference docs +(http:\S+)/);
    const [, mock = ""] = await command.waitFor(/main address +(http:\S+)/);
    const [, deposit = ""] = await command.waitFor(/deposit address +(http:\S+)/);

    const statuses = await Promise.all([`${docs}/`, `${docs}/operations/`, `${mock}/v1/loans`].map(statusOf));
    expect(statuses).toEqual([200, 200, 405]);
    await command.waitFor(/GET \/v1\/loans → 405/);
    const [banner] = /^ {2}reference docs[\s\S]*$/m.exec(command.output) ?? [""];
    expect(banner.split("\n").slice(0, 4)).toEqual([
      `  reference docs   ${docs}`,
      `  main address     ${mock}`,
      `  deposit address  ${deposit}`,
      expect.stringContaining(`Try: curl -i`),
    ]);
    expect(banner).toContain("The mock answers as the edition test,");

    end();
    await command.waitForEnd(5_000);
    expect(command.processes).toEqual([]);
    expect(await refusing([docs, mock, deposit])).toEqual([docs, mock, deposit]);
  });
});

it.each(["--docs-port", "--port", "--deposit-port"])(
  "says in one line that the port of %s is in use, and ends",
  async (option) => {
    const [code, port] = await withTakenPort(async (port) => {
      const args = ["--import", "tsx", "scripts/commands/start.ts", ...freePorts, option, String(port)];
      command = new Command(process.execPath, args, copy.folder);
      return [await command.endedWithin(20_000), port];
    });
    const lines = command.output.split("\n").filter((line) => line.includes(String(port)) && !line.startsWith(">"));
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^Port ${port} .*in use.* ${option}\\.$`))]);
    expect(command.output).not.toContain("    at ");
    expect(code).toBe(1);
  },
);

async function statusOf(url: string): Promise<number> {
  return (await fetch(url)).status;
}
