import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Plan } from "../../scripts/mock/plan/index.ts";
import { startTimeEnv, supportsStartTime } from "../../scripts/prove/environment.ts";
import { conditionLine } from "../../scripts/prove/formats.ts";
import { onboarding } from "../../scripts/prove/journeys/onboarding.ts";
import { payouts } from "../../scripts/prove/journeys/payouts.ts";
import { problemsOf } from "../../scripts/prove/judge.ts";
import type { ProveOptions } from "../../scripts/prove/options.ts";
import { Output } from "../../scripts/prove/output.ts";
import { type ConditionProof, makeProof, makeReport, type RunResult } from "../../scripts/prove/proof.ts";
import { makeId, withMembers } from "../../scripts/prove/receiver-events.ts";
import { makeLimit } from "../../scripts/prove/schedule.ts";
import { RunFolder } from "../../scripts/prove/state.ts";
import { judgeSums, readSums } from "../../scripts/prove/sums.ts";

const secret = { name: "the API key", text: "prove-4711-4711", mayBeKept: false };

describe("tasks", () => {
  it("start in order, at most two at once, and none after an error", async () => {
    const limit = makeLimit(2);
    const startedTasks: number[] = [];
    const tasks = [0, 1, 2, 3, 4].map((number) => {
      let [resolve, reject] = [(_: number) => {}, (_: Error) => {}];
      const promise = new Promise<number>((...ends) => {
        [resolve, reject] = ends;
      });
      const result = limit(() => {
        startedTasks.push(number);
        return promise;
      });
      return { result, resolve, reject };
    });
    const settledResults = Promise.allSettled(tasks.map(({ result }) => result));
    await turn();
    expect(startedTasks).toEqual([0, 1]);
    tasks[1]?.resolve(1);
    await turn();
    expect(startedTasks).toEqual([0, 1, 2]);
    tasks[0]?.reject(new Error("zero"));
    tasks[2]?.resolve(2);
    const [zero, one, two, three, four] = await settledResults;
    expect([startedTasks, one, two]).toMatchObject([[0, 1, 2], { value: 1 }, { value: 2 }]);
    expect([zero, three, four]).toMatchObject(Array(3).fill({ reason: { message: "zero" } }));
  });
});

describe("the folder of a run", () => {
  it("contains the input files, and is removed once", () => {
    const folder = new RunFolder();
    folder.writeInput(payouts);
    folder.writeInput(onboarding);
    expect(readFileSync(folder.csvPath, "utf8")).toContain(`${folder.path}/front.png`);
    expect(existsSync(join(folder.path, "selfie.png"))).toBe(true);
    folder.remove();
    expect(existsSync(folder.path)).toBe(false);
    expect(() => folder.remove()).not.toThrow();
  });

  it("is searched for secrets, except in the input and beyond 1,000 files", () => {
    const folder = new RunFolder();
    const [leakedSecret, input] = [secret, { ...secret, text: "other-4711" }];
    writeFileSync(folder.csvPath, input.text);
    mkdirSync(folder.statePath);
    const write = (count: number) => {
      for (let number = 0; number < count; number += 1) writeFileSync(join(folder.statePath, String(number)), "");
      const lastFile = readdirSync(folder.statePath).at(-1) ?? "";
      writeFileSync(join(folder.statePath, lastFile), leakedSecret.text);
      return lastFile;
    };
    const lastFile = write(1000);
    expect(folder.findSecrets([leakedSecret, input])).toEqual([leakedSecret]);
    writeFileSync(join(folder.statePath, lastFile), "");
    expect(folder.remarks).toEqual(new Set());
    write(1001);
    expect(folder.findSecrets([leakedSecret, input])).toEqual([]);
    expect([...folder.remarks]).toEqual([
      "The state has more than 1000 files: the others were not searched for secrets.",
    ]);
    folder.remove();
  });
});

it("the state is searched for secrets up to 16 MiB, and a remark says so", () => {
  const folder = new RunFolder();
  writeFileSync(folder.statePath, `${"x".repeat(16 * 1024 * 1024 - secret.text.length)}${secret.text}`);
  expect(folder.findSecrets([secret])).toEqual([secret]);
  expect(folder.remarks).toEqual(new Set());
  appendFileSync(folder.statePath, "x");
  folder.findSecrets([secret]);
  expect([...folder.remarks]).toEqual(["The state has more than 16 MiB: the rest was not searched for secrets."]);
  folder.remove();
});

const makeRun = (changes: Partial<RunResult> = {}): RunResult => ({
  isMet: true,
  problems: [],
  remarks: [],
  unclearCount: 0,
  runCount: 1,
  ...changes,
});
const condition = { name: "late", meaning: "late" };
const proofOf = (...runs: readonly RunResult[]) => makeProof(condition, runs, { successWord: "paid", milliseconds: 5 });

describe("the report of conditions", () => {
  const plan = { version: "1", probes: { texts: { "Q-known": "What?" } } } as unknown as Plan;
  const proof = proofOf(makeRun({ remarks: ["R."] }));
  const makeTestReport = (
    proofs: readonly Promise<ConditionProof>[],
    { isAborted = false, hasFullPauses = false } = {},
  ) => {
    const signal = isAborted ? AbortSignal.abort() : new AbortController().signal;
    const reportedNames: string[] = [];
    const onCondition: ProveOptions["onCondition"] = ({ name }) => reportedNames.push(name);
    const options = { seed: "s", lateSeconds: 1, signal, hasFullPauses, onCondition } as unknown as ProveOptions;
    const conditions = [{ questions: ["Q-known"] }, { questions: ["Q-known", "Q-unknown"] }];
    const proofFacts = {
      proof: "payouts",
      input: [],
      remarks: ["R."],
      conditions,
      proofs,
      startedAt: performance.now(),
    };
    return makeReport(plan, options, proofFacts).then((report) => ({ ...report, reportedNames }));
  };

  it("lists each condition, remark and question once", async () => {
    const fullReport = await makeTestReport(
      [proof, proof].map(async (one) => one),
      { hasFullPauses: true },
    );
    expect(fullReport).toMatchObject({
      isStopped: false,
      reportedNames: ["late", "late"],
      remarks: ["R."],
      questions: [
        { id: "Q-known", question: "What?" },
        { id: "Q-unknown", question: "" },
      ],
    });
    expect(fullReport.conditions).toHaveLength(2);
    expect((await makeTestReport([])).remarks).toEqual(["R.", expect.stringContaining("PARTNER_WALLET_PROVE=1")]);
  });

  it("lists double payments first, then lost payments, then the rest", async () => {
    const kinds = ["reported-without-reason", "not-done-not-reported", "done-twice"] as const;
    const findings = kinds.map((kind) => ({ kind, seen: "", title: "", condition: "late", only: "late" }));
    const fullReport = await makeTestReport([Promise.resolve({ ...proof, findings })]);
    expect(fullReport.findings.map(({ kind }) => kind)).toEqual([...kinds].reverse());
  });

  it("contains finished conditions after an abort, and otherwise rethrows an error", async () => {
    const proofs = () => [Promise.resolve(proof), Promise.reject(new Error("broken"))];
    const stoppedReport = await makeTestReport(proofs(), { isAborted: true, hasFullPauses: true });
    expect(stoppedReport).toMatchObject({
      isStopped: true,
      reportedNames: ["late"],
      conditions: [{ name: "late" }],
      remarks: ["R.", "Stopped: 1 of 2 conditions have no result."],
    });
    await expect(makeTestReport(proofs())).rejects.toThrow("broken");
    let hasEnded = false;
    const laterTurn = turn(proof).then((one) => {
      hasEnded = true;
      return one;
    });
    await expect(makeTestReport([Promise.reject(new Error("broken")), laterTurn])).rejects.toThrow("broken");
    expect(hasEnded).toBe(true);
  });
});

it("the proof of a condition has the result of its runs, and the shortest delay up to which it was correct", () => {
  const problem = { kind: "done-twice", seen: "twice" } as const;
  const origin = { condition: "ends-failed", answers: ["Q-known=No"] };
  const results = [
    [makeRun(), makeRun({ isMet: false })],
    [makeRun({ isMet: false })],
    [
      makeRun({ rightUpToMs: 3000, runCount: 5, unclearCount: 1 }),
      makeRun({ rightUpToMs: 500, problems: [problem], origin }),
    ],
  ].map((runs) => proofOf(...runs));
  expect(results.map(({ condition }) => condition)).toMatchObject([
    { result: "passed", runs: 2, failedRuns: 0 },
    { result: "not-met", runs: 1 },
    { result: "failed", runs: 6, failedRuns: 1, unclear: 1, rightUpToSeconds: 0.5 },
  ]);
  expect(results.map(({ condition }) => "rightUpToSeconds" in condition)).toEqual([false, false, true]);
  expect(results[2]?.findings).toMatchObject([{ condition: "late", only: "ends-failed", answers: ["Q-known=No"] }]);
  expect(proofOf(makeRun({ problems: [problem] })).findings).toMatchObject([{ only: "late" }]);
});

it.each([
  [["node", "a.mjs"], true],
  [["/usr/bin/node", "a.mjs"], true],
  [["node.exe", "a.mjs"], true],
  [["tsx", "a.ts"], true],
  [["npx", "tsx", "a.ts"], true],
  [["npx", "other"], false],
  [["python3", "tsx"], false],
  [[], false],
])("the clock of a program that is started by %j can be set: %s", (command, expected) => {
  expect(supportsStartTime(command)).toBe(expected);
});

it("a program on Node.js starts at the time of the condition, beside the other options of Node.js", () => {
  expect(startTimeEnv(undefined)).toEqual({});
  const script = "console.log(new Date().toISOString(), new Date(0).getTime(), 0)";
  const env = { ...process.env, ...startTimeEnv(Date.UTC(2026, 0, 31, 23, 30)) };
  const [time = "", origin] = execFileSync(process.execPath, ["-e", script], { env, encoding: "utf8" }).split(" ");
  expect([time.slice(0, 15), origin]).toEqual(["2026-01-31T23:3", "0"]);
  const { NODE_OPTIONS } = process.env;
  process.env.NODE_OPTIONS = "--no-warnings";
  try {
    expect(startTimeEnv(0).NODE_OPTIONS).toMatch(/^--no-warnings --import data:/);
  } finally {
    if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = NODE_OPTIONS;
  }
});

describe("the line of a condition", () => {
  const line = {
    name: "late",
    meaning: "",
    result: "passed",
    runs: 1,
    failedRuns: 0,
    unclear: 0,
    milliseconds: 1500,
  } as const;
  it.each([
    [line, "ok       1.5 s"],
    [{ ...line, result: "not-met" as const, runs: 0 }, "not met  1.5 s"],
    [{ ...line, runs: 2, unclear: 1 }, "ok       2 runs, 1 row reported as unclear, 1.5 s"],
    [
      { ...line, result: "failed" as const, runs: 3, failedRuns: 1, unclear: 2, rightUpToSeconds: 0 },
      "FAILED   1 of 3 runs went wrong, 2 rows reported as unclear, correct up to 0 s, 1.5 s",
    ],
  ])("has result, runs and time: case %#", (result, expected) => {
    expect(conditionLine(result)).toBe(`${"late".padEnd(25)}${expected}`);
  });
});

describe("the output of a program", () => {
  it("shows no part of a secret at the start of its last lines", () => {
    const output = new Output([secret]);
    output.add(`${secret.text} 1\nlast\n${" ".repeat(2048 - 12)}`, "stdout");
    expect(output.lastLines(3)).toEqual(["last"]);
    const emptyOutput = new Output([]);
    emptyOutput.add("a\nb\nc\nd", "stdout");
    expect(emptyOutput.lastLines(3)).toEqual(["b", "c", "d"]);
  });

  it("yields reported rows from lines of stdout only, 10,000 at most", () => {
    const output = new Output([secret]);
    output.add("unclear x\n", "stderr");
    output.add("unclear a\nfai", "stdout");
    output.add("led b\nfailed b c\nclear d\nfailed e", "stdout");
    // The last line is still open, also after a query of what was printed.
    expect(output.lastLines(1)).toEqual(["failed e"]);
    expect([[...output.unclearReferences], [...output.failedReferences]]).toEqual([["a"], ["b"]]);
    output.end();
    expect([...output.failedReferences]).toEqual(["b", "e"]);
    output.add(Array.from({ length: 10_001 }, (_, number) => `unclear ${number}\n`).join(""), "stdout");
    expect(output.unclearReferences.size).toBe(10_000);
    const otherOutput = output.withoutReportedRows();
    otherOutput.add(`failed z\n${secret.text}`, "stdout");
    expect([output.failedReferences.has("z"), [...output.leaks]]).toEqual([false, [secret.name]]);
  });
});

describe("a run that does not finish", () => {
  const expectedEffects = ["a", "b"].map((reference) => ({ reference, description: "10.00 to x" }));
  const sentencesOf = (isFinished: boolean, printedText = "", mayRepeat = false) => {
    const output = new Output([]);
    output.add(printedText, "stdout");
    output.end();
    const condition = { fault: () => ({}) };
    const effects = [{ description: "10.00 to x", hasFailed: true }];
    const result = { isFinished, reason: "was killed", lastLines: output.lastLines(3) };
    return problemsOf({ expectedEffects, successWord: "paid" }, condition, { effects, result, output, mayRepeat }).map(
      ({ seen }) => seen,
    );
  };

  it("is reported with its last lines, and without its missing payments", () => {
    expect(sentencesOf(false)).toEqual(["The program was killed. It printed nothing."]);
    expect(sentencesOf(false, "one\ntwo")).toEqual(["The program was killed. Its last lines: one | two"]);
    const missingSentence =
      '10.00 to x (a, b): paid never, and asked for 2 times, and no line "unclear" or "failed" says so.';
    expect(sentencesOf(true)).toEqual([missingSentence]);
  });

  it("is not needed to report a repeatable call as unclear or failed", () => {
    expect(sentencesOf(true, "unclear a\nfailed b")).toEqual([]);
    const repeatableReason = "though its calls can be repeated.";
    expect(sentencesOf(true, "unclear a\nfailed b", true)).toEqual([
      `a: reported as unclear, ${repeatableReason}`,
      `b: reported as failed, ${repeatableReason}`,
    ]);
  });
});

describe("a ledger", () => {
  it("is compared with the causes of a wrong sum", () => {
    const movements = [
      { description: "the fee", sums: { "b/eur": "1.00" } },
      { description: "the deposit", sums: { "a/eur": "20.00" } },
      { description: "the payment", sums: { "a/eur": "-5.00" } },
    ];
    const expected = { expectedSums: { "a/eur": "15.00", "b/eur": "1" }, movements };
    const causesOf = (ledgerSum: string) =>
      judgeSums({ "a/eur": ledgerSum, "b/eur": "1", "PARTNER/eur": "3" }, expected);
    const sumSentence = (ledgerSum: string) => `a/eur is 15.00, and the ledger has ${ledgerSum}`;
    expect(
      ["15", "-5.00", "20.00", "35.00", "5.00", "55.00", "16.00", "25.00"].map((ledgerSum) => causesOf(ledgerSum)[0]),
    ).toEqual([
      undefined,
      { kind: "event-lost", seen: `${sumSentence("-5.00")}, as without the deposit.` },
      { kind: "event-lost", seen: `${sumSentence("20.00")}, as without the payment.` },
      {
        kind: "event-counted-twice",
        seen: `${sumSentence("35.00")}, as if the deposit were counted one time too often.`,
      },
      {
        kind: "event-counted-twice",
        seen: `${sumSentence("5.00")}, as if the payment were counted 2 times too often.`,
      },
      {
        kind: "event-counted-twice",
        seen: `${sumSentence("55.00")}, as if the deposit were counted 2 times too often.`,
      },
      { kind: "wrong-sum", seen: `${sumSentence("16.00")}.` },
      { kind: "wrong-sum", seen: `${sumSentence("25.00")}.` },
    ]);
    expect(judgeSums({}, expected).map(({ kind }) => kind)).toEqual(["event-counted-twice", "event-lost"]);
  });

  it("is read from the last line with valid sums", () => {
    expect(readSums("")).toBeUndefined();
    const line = '{"sums":{"a/eur":"1.00","b/eur":2}}';
    for (const nextLine of [
      "{}",
      '{"sums":5}',
      '{"sums":null}',
      '{"sums":"text"}',
      '{"sums":{"a/eur":"1","b/eur":"x"}}',
    ]) {
      expect(readSums(`${line}\n${nextLine}\n`), nextLine).toEqual({ "a/eur": "1.00", "b/eur": "2" });
    }
  });
});

it("an event with a new id differs from every other", () => {
  expect(new Set([1, 2, 255, 256, 257].map(makeId)).size).toBe(5);
  const event = { webhook: "W", path: "/w", body: '{"id":"1","amount":"2"}' };
  expect(JSON.parse(withMembers(event, { id: makeId(258) }))).toEqual({
    id: "00000000-0000-4000-8000-000000000102",
    amount: "2",
  });
});
