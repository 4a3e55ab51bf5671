import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { reportSchema } from "../prove/report-schema.ts";
import { withFolder, writeProgram } from "../prove/support.ts";
import { packageCommand, startPackageCommand } from "../support/package-command.ts";

const entry = packageCommand();
const start = (...args: string[]) => startPackageCommand(entry, "prove", ...args);

async function run(...args: string[]) {
  const program = start(...args);
  return { code: await program.exitCode, output: program.output, stdout: program.stdout };
}

describe("prove", () => {
  it("states in its help what it cannot prove, and lists conditions", async () => {
    const [help, list] = await Promise.all([run("--help"), run("receiver", "--list")]);
    expect(help).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /^Usage: .*\|receiver \[options\] -- PROGRAM .*Not proven: what the service really does/s,
      ),
    });
    expect(list).toMatchObject({ code: 0, output: expect.stringMatching(/^in-order +each event arrives once/) });
  });

  it.each<[string[], string]>([
    [[], "Name the kind of program: payouts, "],
    [["payouts"], "Give your program after --"],
    [["payouts", "--parallel", "1.9", "--", "./pay"], "--parallel takes a whole number from 1 to 64."],
    [["payouts", "--list", "--only", "no-fault"], "--only has no effect with --list."],
    [["receiver", "--late", "30", "--", "./receiver"], "--late has no effect with receiver"],
    [["payouts", "./pay"], "Put -- before your program"],
    [["payouts", "--only", "late", "--", "./pay"], 'There is no condition "late"'],
    [["payouts", "--only", "two-faults:nonsense:1", "--", "./pay"], 'two-faults is not tried at calls of "nonsense"'],
    [["payouts", "--only", "run-again:createTransfer:77", "--", "./pay"], "run-again concerns whole runs"],
    [["receiver", "--only", "in-order:createTransfer:1", "--", "./receiver"], "in-order concerns whole runs"],
    [["payouts", "--answers", "none", "--answers", "Q-nonsense=x", "--", "./pay"], "money, all or none alone"],
    [["payouts", "--answers", "money", "--only", "two-faults", "--", "./pay"], "and --only names none of them"],
    [["payouts", "--", "./there-is-no-such-program"], "there is no such file or command"],
    [["treasury", "--edition", "latest", "--", "./treasury"], "latest, which has no createPartnerCryptoWithdrawal"],
    [["receiver", "--", "./there-is-no-such-program"], "there is no such file or command"],
    [["payouts", "--", process.execPath, "-e", "process.exit(3)"], "Does it read PARTNER_WALLET_BASE_URL"],
  ])("%j exits with 2 and the reason", async (args, message) => {
    const { code, output } = await run(...args);
    expect(output).toContain(message);
    expect(code).toBe(2);
  });

  it("exits with 1 for a finding, with JSON and JUnit reports without secrets", async () => {
    await withFolder(async (folder) => {
      const changes = [["    note(intent);\n", "    console.log(key, row);\n"]] as const;
      const program = writeProgram("payouts", "ts", changes, folder);
      const junit = join(folder, "report.xml");
      const onlyOption = ["--only", "killed-after:createTransfer:3"];
      const args = ["payouts", "--json", "--junit", junit, ...onlyOption, "--", ...program, "{csv}", "{state}"];
      const { code, stdout } = await run(...args);
      expect(code).toBe(1);
      const validate = new Ajv({ strict: true }).compile(reportSchema);
      expect(validate(JSON.parse(stdout)), JSON.stringify(validate.errors)).toBe(true);
      const kinds = JSON.parse(stdout).findings.map(({ kind }: { kind: string }) => kind);
      expect(new Set(kinds)).toEqual(new Set(["done-twice", "secret-in-the-clear"]));
      const xml = readFileSync(junit, "utf8");
      expect(xml).toContain('failures="1"');
      for (const text of [stdout, xml]) expect(text).not.toMatch(/prove-[0-9a-f]{32}|DE02[0-9]{18}/);
    });
  }, 60_000);

  it("prints for a finding the command that repeats its run, with the options that were given", async () => {
    await withFolder(async (folder) => {
      const program = writeProgram("payouts", "ts", [["    note(intent);\n", "    console.log(key);\n"]], folder);
      const junit = join(folder, "report.xml");
      const answer = '--answers "Q-history-window=Another time zone"';
      const options = `--limit=90 --seed="it's one" --full-pauses --edition=test ${answer} --only no-fault`;
      const args = ["--parallel", "3", "--junit", junit, "--full-pauses", "--seed", "it's one", "--limit", "90"];
      const answerArgs = ["--edition", "test", "--answers", "Q-history-window=Another time zone", "--only", "no-fault"];
      const { code, stdout } = await run("payouts", ...args, ...answerArgs, "--", ...program, "{csv}", "{state}");
      const command = `npx partner-wallet-api prove payouts ${options} -- ${program.join(" ")} {csv} {state}`;
      expect([code, stdout]).toEqual([1, expect.stringContaining(`Only this run: ${command}\n`)]);
      const xml = readFileSync(junit, "utf8").replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
      expect(xml).toContain(`(${command})`);
    });
  }, 60_000);

  it("leaves no process after Ctrl+C, including those of the program, and reports the interruption", async () => {
    await withFolder(async (folder) => {
      const idsFile = join(folder, "ids");
      const file = join(folder, "waits.mjs");
      writeFileSync(
        file,
        `import { spawn } from "node:child_process";
         import { appendFileSync } from "node:fs";
         const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
         appendFileSync(${JSON.stringify(idsFile)}, process.pid + "\\n" + child.pid + "\\n");
         setInterval(() => {}, 1000);`,
      );
      const junit = join(folder, "report.xml");
      const command = start("payouts", "--json", "--junit", junit, "--", process.execPath, file);
      await expect.poll(() => idsIn(idsFile), { timeout: 20_000 }).toHaveLength(2);
      command.signal("SIGINT");
      expect(await command.exitCode).toBe(2);
      expect(JSON.parse(command.stdout)).toMatchObject({ isStopped: true, isPassed: false, conditions: [] });
      expect(readFileSync(junit, "utf8")).toContain('message="it was stopped before its end"');
      await expect.poll(() => idsIn(idsFile).filter(isAlive)).toEqual([]);
    });
  }, 60_000);
});

function idsIn(file: string): number[] {
  try {
    return readFileSync(file, "utf8").trim().split("\n").map(Number);
  } catch {
    return [];
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}
