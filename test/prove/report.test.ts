import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { type ProofReport, proofKinds, reportJson, reportJunit, reportText } from "../../scripts/prove/index.ts";
import type { ExpectedEffect } from "../../scripts/prove/journey.ts";
import { problemsOf } from "../../scripts/prove/judge.ts";
import { Output } from "../../scripts/prove/output.ts";
import { parseOnly } from "../../scripts/prove/select.ts";
import { reportSchema } from "./report-schema.ts";

const wantedEffects = [
  { reference: "a", description: "10.00 to x" },
  { reference: "b", description: "10.00 to x" },
  { reference: "c", description: "7.50 to y" },
];
const finishedRun = { isFinished: true, reason: "", lastLines: [] };
const secret = { name: "the API key", text: "prove-4711-4711", mayBeKept: false };

const kindsOf = (...run: Parameters<typeof problems>) => problems(...run).map(({ kind }) => kind);
const sentencesOf = (...run: Parameters<typeof problems>) => problems(...run).map((problem) => problem.seen);

function problems(
  paidEffects: readonly string[],
  printedText = "",
  hasFault = true,
  askedEffects: readonly ExpectedEffect[] = wantedEffects,
) {
  const output = new Output([secret]);
  output.add(printedText, "stdout");
  output.end();
  const effects = paidEffects.map((description) => ({ description, hasFailed: false }));
  const condition = hasFault ? { fault: () => ({}) } : {};
  return problemsOf({ expectedEffects: askedEffects, successWord: "paid" }, condition, {
    effects,
    result: finishedRun,
    output,
    mayRepeat: false,
  });
}

describe("payments", () => {
  const allEffects = wantedEffects.map(({ description }) => description);
  it.each<[string, readonly string[], string, readonly string[]]>([
    ["all once", allEffects, "", []],
    ["one twice", [...allEffects, "7.50 to y"], "", ["done-twice"]],
    ["one that nobody wants", [...allEffects, "1.00 to z"], "", ["done-unasked"]],
    ["one missing, silently", allEffects.slice(1), "", ["not-done-not-reported"]],
    ["one missing, unclear", allEffects.slice(0, 2), "unclear c\n", []],
    ["one missing, failed", allEffects.slice(0, 2), "failed c", []],
    ["one of two equal ones missing, the other unclear", allEffects.slice(1), "unclear b", []],
    ["one missing, another unclear", allEffects.slice(0, 2), "unclear a", ["not-done-not-reported"]],
    ["paid, and called failed", allEffects, "failed c", ["reported-wrongly"]],
  ])("%s", (_, paidEffects, printedText, kinds) => {
    expect(kindsOf(paidEffects, printedText)).toEqual(kinds);
  });

  it("are neither unclear nor failed where every response has arrived", () => {
    expect(kindsOf(allEffects, "unclear c", false)).toEqual(["reported-without-reason"]);
    expect(kindsOf(allEffects.slice(0, 2), "failed c", false)).toEqual(["reported-without-reason"]);
  });

  it("that cannot succeed must be reported as failed", () => {
    const refusedEffects = [{ reference: "d", description: "9.00 to nobody", cannotSucceed: true }];
    expect(kindsOf([], "failed d", false, refusedEffects)).toEqual([]);
    expect(kindsOf([], "", false, refusedEffects)).toEqual(["not-done-not-reported"]);
  });

  it("are described as paid once, twice or never", () => {
    expect(sentencesOf(allEffects.slice(0, 2))).toEqual([
      '7.50 to y (c): not paid, and no line "unclear" or "failed" says so.',
    ]);
    expect(sentencesOf([...allEffects, "7.50 to y"])).toEqual(["7.50 to y (c): paid 2 times, and asked for once."]);
    expect(sentencesOf([...allEffects, "1.00 to z"])).toEqual(["1.00 to z: paid once, and no row asks for it."]);
  });
});

describe("output", () => {
  it.each([
    [["x prove-4711-", "4711 y"], "x [the API key] y"],
    [["prov e-47 11-4 711"], "[the API key]"],
  ])("is searched for secrets, even when split in two or in groups of four: %j", (pieces, shownText) => {
    const output = new Output([secret]);
    for (const piece of pieces) output.add(piece, "stderr");
    expect([...output.leaks]).toEqual(["the API key"]);
    expect(output.lastLines(1)).toEqual([shownText]);
  });

  it("is printed without secrets and without terminal control characters", () => {
    const output = new Output([secret]);
    output.add(`first\n\u001b[31mkey ${secret.text}\n`, "stdout");
    expect(output.lastLines(3)).toEqual(["first", "\\u001b[31mkey [the API key]"]);
    output.add("TypeError: no such user\n    at line 1\nNode.js\n", "stderr");
    expect(output.lastLines(3)).toEqual(["TypeError: no such user"]);
    const laterOutput = new Output([]);
    laterOutput.add("TypeError: no such user\n    at line 1\n", "stderr");
    expect(laterOutput.lastLines(3)).toEqual(["TypeError: no such user"]);
  });

  it("is bounded", () => {
    const output = new Output([secret]);
    for (let index = 0; index < 100; index += 1) output.add("x".repeat(100_000), "stdout");
    expect(output.lastLines(3).join("").length).toBeLessThan(1000);
  });

  it("is shown only from the start of a line, because a partial line could begin with a part of a secret", () => {
    const output = new Output([secret]);
    output.add("x".repeat(100_000), "stdout");
    expect(output.lastLines(3)).toEqual([]);
    output.add("\nlast words", "stdout");
    expect(output.lastLines(3)).toEqual(["last words"]);
  });
});

describe("--only", () => {
  const [a, b, whole] = [{ name: "a" }, { name: "b" }, { name: "whole" }];
  const parse = (only?: string) =>
    parseOnly(only, [a, b, whole], ({ name }) => (name === "whole" ? [] : ["createTransfer", "createOrder"]));

  it("accepts conditions and calls", () => {
    expect(parse("b:createTransfer:2,a")).toEqual([
      { condition: a, calls: undefined },
      { condition: b, calls: [{ operation: "createTransfer", number: 2 }] },
    ]);
    expect(parse("a:createTransfer:1,a:createOrder:2,b:createTransfer:1,b, whole")).toMatchObject([
      { condition: a, calls: [{ number: 1 }, { operation: "createOrder", number: 2 }] },
      { condition: b, calls: undefined },
      { condition: whole, calls: undefined },
    ]);
    expect(parse().map(({ condition }) => condition)).toEqual([a, b, whole]);
  });

  it.each([
    ["wole", 'There is no condition "wole". Did you mean whole?'],
    ["a:createTransfer:0", '"a:createTransfer:0" is no call: write it as a:createTransfer:2.'],
    ["a:createTransfer", "write it as a:createTransfer:2"],
    ["a:createTransfer:1:2", "write it as a:createTransfer:2"],
    ["a:createTransfr:1", 'a is not tried at calls of "createTransfr", but of createTransfer, createOrder.'],
    ["a,whole:createTransfer:1", "whole concerns whole runs: write it without a call."],
  ])("refuses %s", (only, message) => {
    expect(() => parse(only)).toThrow(message);
  });
});

const countsOfPassed = { runs: 1, failedRuns: 0, unclear: 0, milliseconds: 5 };
const report: ProofReport = {
  proof: "payouts",
  version: "1.0.0",
  seed: "s",
  lateSeconds: 1,
  milliseconds: 1234,
  isStopped: false,
  conditions: [
    { ...countsOfPassed, name: "no-fault", meaning: "nothing fails", result: "passed" },
    {
      ...countsOfPassed,
      name: "late-effect",
      meaning: "it comes later",
      result: "failed",
      runs: 5,
      failedRuns: 1,
      unclear: 1,
      rightUpToSeconds: 0.5,
    },
    { ...countsOfPassed, name: "killed-after", meaning: "it is killed", result: "not-met" },
  ],
  findings: [
    {
      condition: "late-effect",
      call: { operation: "createTransfer", number: 2 },
      kind: "done-twice",
      title: "paid twice",
      seen: 'A "B" & <c> \u0001was paid 2 times.',
      only: "late-effect:createTransfer:2",
    },
  ],
  input: ["reference,amount", "a,10.00"],
  remarks: ["The IBAN stands in the state."],
  questions: [{ id: "Q-repeated-call", question: "Does a repeated call act again?" }],
  cannotProve: ["everything"],
};

const formatRerun = ({ only }: { readonly only: string }) => `prove --only ${only}`;

describe("a report", () => {
  it("as text names the condition, the call, the observation, and the command for this one alone", () => {
    const text = reportText(report, formatRerun);
    const firstLine = "This depends on 1 assumption about the open question below; the service may behave differently.";
    expect(text.startsWith(`${firstLine}\n\n1. paid twice: late-effect, call 2 of createTransfer\n`)).toBe(true);
    expect(text).toContain("Only this run: prove --only late-effect:createTransfer:2");
    expect(text).toContain("The input:\n  reference,amount\n  a,10.00\n");
    expect(text).toContain("1 of 3 conditions failed: late-effect.");
    expect(text).toContain("late-effect: the program stayed correct up to a delay of 0.5 s; 1 s were tried.");
    expect(text).toContain("Q-repeated-call  Does a repeated call act again?");
    expect(text).not.toMatch(/\bsafe\b/);
  });

  it("as text omits empty sections, and names the longest delay", () => {
    const [, lateResult] = report.conditions as [unknown, ProofReport["conditions"][number]];
    const passedCondition = { ...lateResult, result: "passed", failedRuns: 0, rightUpToSeconds: 1 } as const;
    const passedReport = { ...report, conditions: [passedCondition], findings: [], remarks: [], questions: [] };
    const delay = "late-effect: the program stayed correct up to a delay of 1 s, the longest that was tried.";
    const restOfText = "Not proven:\n  everything\n\n5 runs in 1.2 s, seed s.";
    expect(reportText(passedReport, ({ only }) => only)).toBe(`No condition failed.\n${delay}\n\n${restOfText}`);
  });

  it("merges equal findings of other calls into one line", () => {
    const [finding] = report.findings as [ProofReport["findings"][number]];
    const other = {
      ...finding,
      call: { operation: "createTransfer", number: 3 },
      only: "late-effect:createTransfer:3",
    };
    const text = reportText({ ...report, findings: [finding, other] }, ({ only }) => only);
    expect(text).toContain("Only this run: late-effect:createTransfer:2\n   The same: late-effect:createTransfer:3\n");
    const renamed = [finding, other].map((one) => ({ ...one, condition: "answers-1", answers: ["Q-a=b"] }));
    expect(reportText({ ...report, findings: renamed }, ({ only }) => only)).toContain(
      "The same: late-effect:createTransfer:3\n",
    );
    expect(text).not.toContain("2. paid twice");
    const receiverFindings = ["A.", "B."].map((seen) => ({ ...finding, call: undefined, only: "late-effect", seen }));
    const shownText = reportText({ ...report, findings: receiverFindings, input: [] }, ({ only }) => only);
    expect(shownText).toContain(
      "1. paid twice: late-effect\n   A.\n   Only this run: late-effect\n   The same: B.\n\n1 of 3",
    );
  });

  it("as JSON matches its schema", () => {
    const validate = new Ajv({ allErrors: true, strict: true }).compile(reportSchema);
    expect(validate(JSON.parse(reportJson(report))), JSON.stringify(validate.errors)).toBe(true);
    const isPassed = (proofReport: ProofReport) => JSON.parse(reportJson(proofReport)).isPassed;
    const passedReport = { ...report, findings: [] };
    expect([report, passedReport, { ...passedReport, isStopped: true }].map(isPassed)).toEqual([false, true, false]);
  });

  it("as JUnit has a test case for each condition, and escapes what XML forbids", () => {
    const text = reportJunit(report, { formatRerun, startedAt: new Date(Date.UTC(2026, 3, 1, 9)) });
    // The JUnit XML schema of Apache Ant: `testsuites` has no attributes, `testsuite` has all of these, and its children have this order.
    expect(text).toMatch(/<testsuites>\n {2}<testsuite /);
    expect(text).toContain(
      '<testsuite name="prove payouts" package="partner-wallet-api" id="0" timestamp="2026-04-01T09:00:00" hostname="localhost" tests="3" failures="1" errors="0" skipped="1" time="1.234">',
    );
    const parts = [...text.matchAll(/^ {4}<([\w-]+)/gm)].map(([, name]) => name);
    expect(parts).toEqual(["properties", "testcase", "testcase", "testcase", "system-out", "system-err"]);
    expect(text).toContain('message="paid twice: A &#34;B&#34; &#38; &#60;c&#62; was paid 2 times."');
    expect(text).toMatch(
      /name="killed-after"[^>]*>\s*<skipped message="the program made no such call, or is not on Node.js"\/>/,
    );
  });

  it("as JUnit has a failure where the run was stopped", () => {
    const text = reportJunit({ ...report, findings: [], isStopped: true }, { formatRerun, startedAt: new Date() });
    expect(text).toContain('tests="4" failures="1"');
    expect(text).toContain('message="it was stopped before its end"');
  });

  it("as JUnit has one failure for all findings of a condition", () => {
    const [finding] = report.findings as [ProofReport["findings"][number]];
    const findings = [finding, { ...finding, seen: "Another one." }];
    const text = reportJunit({ ...report, findings }, { formatRerun, startedAt: new Date() });
    expect(text.match(/<failure /g)).toHaveLength(1);
    expect(text).toContain("paid twice: Another one. (prove --only late-effect:createTransfer:2)</failure>");
  });
});

describe("the conditions", () => {
  it.each(proofKinds)("of $name have unique names", ({ conditions }) => {
    const names = conditions.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.every((name) => /^[a-z0-9-]{1,24}$/.test(name))).toBe(true);
  });
});
