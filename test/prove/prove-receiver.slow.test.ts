import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Change, proveProgram, withFolder, withoutPrivileges, writeProgram } from "./support.ts";

const retryDelayMs = 500;

it("a correct receiver passes", async () => {
  const { findings, conditions } = await withFolder((folder) =>
    proveProgram("receiver", writeProgram("receiver", "ts", [], folder), { only: "in-order,killed-after,ends-failed" }),
  );
  expect(findings).toEqual([]);
  expect(conditions.map(({ result, runs }) => [result, runs])).toEqual(Array(3).fill(["passed", 1]));
}, 60_000);

it("a receiver that counts failed payments passes until payments fail", async () => {
  const { conditions } = await withFolder((folder) => {
    const change: Change = ['toUpperCase() !== "SUCCESSFUL" ||', 'toUpperCase() === "IN_PROGRESS" ||'];
    return proveProgram("receiver", writeProgram("receiver", "ts", [change], folder), { only: "in-order,ends-failed" });
  });
  expect(conditions.map(({ result }) => result)).toEqual(["passed", "failed"]);
}, 60_000);

it("what cannot be read or removed in the state is told in remarks, and the rest is searched", async () => {
  const text = `import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
    const state = process.argv.at(-1);
    writeFileSync(process.argv[2], state);
    mkdirSync(state + "/folder", { recursive: true });
    for (const file of ["/file", "/folder/file"]) writeFileSync(state + file, "");
    chmodSync(state + "/file", 0o000);
    chmodSync(state + "/folder", 0o000);
    writeFileSync(state + "/key", process.env.PARTNER_WALLET_API_KEY);
    process.exit(3);`;
  const { findings, remarks, statePath } = await withFolder(async (folder) => {
    const [file, stateFile] = [join(folder, "receiver.mjs"), join(folder, "state.txt")];
    for (const [path, content] of [
      [file, text],
      [stateFile, ""],
    ] as const)
      writeFileSync(path, content);
    chmodSync(folder, 0o755);
    chmodSync(stateFile, 0o666);
    const command = [process.execPath, file, stateFile];
    const report = await withoutPrivileges(() => proveProgram("receiver", command, { only: "in-order" }));
    return { ...report, statePath: readFileSync(stateFile, "utf8") };
  });
  chmodSync(join(statePath, "folder"), 0o700);
  rmSync(dirname(statePath), { recursive: true });
  expect(findings.map(({ seen }) => seen)).toEqual(
    expect.arrayContaining(['"serve" ended with exit code 3.', "the API key stands in the state"]),
  );
  expect(remarks).toEqual(
    expect.arrayContaining([
      "A part of the state cannot be read (EACCES): it was not searched for secrets.",
      expect.stringMatching(/^A part of the state cannot be removed \(EACCES\): see prove-\* in .+\.$/),
    ]),
  );
}, 60_000);

describe("a wrong receiver", () => {
  const makeProgram = (status: number, ledger: string, firstLine = "") => `import { createServer } from "node:http";
    const [, , command, port] = process.argv;
    ${firstLine}
    if (command === "ledger") console.log(${JSON.stringify(ledger)});
    else createServer((request, response) => response.writeHead(${status}).end(request.resume() && "")).listen(Number(port), "127.0.0.1");`;
  const findingsOf = (text: string, only: string) =>
    withFolder(async (folder) => {
      const file = join(folder, "receiver.mjs");
      writeFileSync(file, text);
      const { findings, conditions } = await proveProgram("receiver", [process.execPath, file], { only });
      expect(conditions).toMatchObject([{ name: only, result: "failed", runs: 1 }]);
      return findings.map((finding) => `${finding.kind}: ${finding.seen}`);
    });
  const emptyLedger = '{"sums":{}}';

  it.each([
    ["end at its start", makeProgram(200, emptyLedger, "process.exit(3);"), '"serve" ended with exit code 3.'],
    [
      "end by a signal at its start",
      makeProgram(200, emptyLedger, 'process.kill(process.pid, "SIGKILL"); await new Promise(() => {});'),
      '"serve" ended by a signal.',
    ],
    [
      "print no ledger",
      makeProgram(200, "nothing"),
      '"ledger" printed no line such as {"sums":{"user-a/eur":"1.00"}}.',
    ],
    [
      "fail to print it",
      makeProgram(200, emptyLedger, 'if (command === "ledger") process.exit(4);'),
      '"ledger" ended with exit code 4.',
    ],
    [
      "be killed while it prints it",
      makeProgram(200, emptyLedger, 'if (command === "ledger") process.kill(process.pid, "SIGKILL");'),
      '"ledger" ended by a signal.',
    ],
    [
      "end in between",
      makeProgram(200, emptyLedger).replace(/response\.writeHead.*?""\)/, "process.exit(5)"),
      '"serve" ended by itself.',
    ],
  ])(
    "does not finish if it should %s",
    async (_, text, message) => {
      expect(await findingsOf(text, "in-order")).toEqual([`does-not-finish: ${message}`]);
    },
    60_000,
  );

  it("does not finish if it takes no connection within the time limit of a run", async () => {
    const findings = await withFolder(async (folder) => {
      const file = join(folder, "receiver.mjs");
      writeFileSync(file, "setInterval(() => {}, 1000);");
      const settings = { only: "in-order", limitSeconds: 1 };
      return (await proveProgram("receiver", [process.execPath, file], settings)).findings;
    });
    expect(findings).toMatchObject([{ kind: "does-not-finish", seen: '"serve" took no connection within 1 s.' }]);
  }, 60_000);

  it("does not finish if it cannot be started again while an event is delivered", async () => {
    const rejections: unknown[] = [];
    const addRejection = (reason: unknown) => rejections.push(reason);
    process.on("unhandledRejection", addRejection);
    onTestFinished(() => void process.off("unhandledRejection", addRejection));
    const startOnce = `const file = process.argv[4] + ".started";
      if (command === "serve" && existsSync(file)) process.exit(6);
      writeFileSync(file, "");`;
    const text = `import { existsSync, writeFileSync } from "node:fs";
      ${makeProgram(200, emptyLedger, startOnce).replace(/response\.writeHead.*?""\)/, "request.resume()")}`;
    expect(await findingsOf(text, "killed-while")).toContain('does-not-finish: "serve" ended with exit code 6.');
    // A delivery that is still retried could reject later without a handler, which would end the process of `prove`.
    await wait(retryDelayMs);
    expect(rejections).toEqual([]);
  }, 60_000);

  it("gets a finding with the events that it refuses", async () => {
    const receiverFindings = await findingsOf(makeProgram(500, emptyLedger), "in-order");
    const refusedFindings = receiverFindings.filter((finding) => finding.startsWith("event-refused"));
    expect(refusedFindings.length).toBeGreaterThan(2);
    for (const finding of refusedFindings)
      expect(finding).toMatch(/: \w+ was not answered with 200 \(attempts: [15]\)\.$/);
    expect(refusedFindings.filter((finding) => finding.includes("5"))).toHaveLength(1);
    expect(receiverFindings).toContainEqual(expect.stringMatching(/^(event-lost|wrong-sum): user-/));
  }, 60_000);

  it("gets findings for accepted forged events and wrong sums", async () => {
    const allFindings = await findingsOf(makeProgram(200, emptyLedger), "forged");
    expect(allFindings.filter((finding) => finding.startsWith("forged-event-accepted")).length).toBeGreaterThanOrEqual(
      5,
    );
    expect(allFindings).toContainEqual(expect.stringMatching(/^(event-lost|wrong-sum): user-/));
  }, 60_000);
});
