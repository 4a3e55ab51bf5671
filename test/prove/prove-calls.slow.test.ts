import { describe, expect, it } from "vitest";
import { type Change, type ProofSettings, proveProgram, withFolder, writeProgram } from "./support.ts";

const prove = (kind: string, only: string, changes: readonly Change[] = [], settings: ProofSettings = {}) =>
  withFolder((folder) => proveProgram(kind, writeProgram(kind, "ts", changes, folder), { only, ...settings }));

describe("a correct program", () => {
  it.each<[string, string, readonly number[]]>([
    [
      "payouts",
      "no-fault,response-lost:createTransfer:2,late-effect:createTransfer:4,killed-after:createTransfer:1,killed-on-response:createTransfer:3,run-again,run-twice-at-once,ends-failed",
      [1, 1, 1, 1, 1, 1, 1, 6],
    ],
    ["treasury", "no-fault,request-lost:createOrder:1,lock-expired", [1, 1, 3]],
    ["onboarding", "no-fault", [1]],
  ])(
    "for %s passes all of %s",
    async (kind, only, runs) => {
      const { findings, conditions } = await prove(kind, only, [], { lateSeconds: 0.4 });
      expect(findings).toEqual([]);
      expect(conditions.map(({ result }) => result)).toEqual(runs.map(() => "passed"));
      expect(conditions.map((condition) => condition.runs)).toEqual(runs);
      const lateConditions = conditions.filter(({ rightUpToSeconds }) => rightUpToSeconds !== undefined);
      expect(lateConditions.map(({ name, rightUpToSeconds }) => [name, rightUpToSeconds])).toEqual(
        kind === "payouts" ? [["late-effect", 0.4]] : [],
      );
    },
    60_000,
  );

  it("that does not run on Node.js cannot be started at the edge of a month", async () => {
    const { conditions } = await withFolder((folder) => {
      const program = writeProgram("payouts", "ts", [], folder);
      return proveProgram("payouts", ["env", ...program], { only: "no-fault,month-edge" });
    });
    expect(conditions.map(({ name, result }) => [name, result])).toEqual([
      ["no-fault", "passed"],
      ["month-edge", "not-met"],
    ]);
  }, 60_000);

  it("that makes no call of a condition gets the result not-met, without waiting", async () => {
    const { conditions } = await prove("payouts", "response-lost:createTransfer:99,killed-after:createTransfer:99");
    expect(conditions.map(({ result, runs }) => [result, runs])).toEqual([
      ["not-met", 1],
      ["not-met", 1],
    ]);
  }, 60_000);
});

it("what a slow machine can cause is run again before it counts as a failure", async () => {
  await withFolder(async (folder) => {
    const printLine = (condition: string): Change => [
      "await lock();\n",
      `await lock();\nconst marker = ${JSON.stringify(`${folder}/ran`)};\nif (${condition}) console.log("unclear pay-1");\nopenSync(marker, "w");\n`,
    ];
    const command = (condition: string) => writeProgram("payouts", "ts", [printLine(condition)], folder);
    const reportWithoutMarker = await proveProgram("payouts", command("!existsSync(marker)"), { only: "no-fault" });
    expect(reportWithoutMarker.findings).toEqual([]);
    expect(reportWithoutMarker.remarks).toContainEqual(
      expect.stringMatching(/^no-fault: once "reported without a reason", and no finding in/),
    );
    const reportWithEveryRun = await proveProgram("payouts", command("true"), { only: "no-fault" });
    expect(reportWithEveryRun.findings.map(({ kind }) => kind)).toEqual(["reported-without-reason"]);
  });
}, 60_000);

it("a program that is right with the assumed answers only is found with --answers, and again with the answer that is named", async () => {
  const readAnswersChange: Change = [
    'return body.status !== "SUCCESSFUL";',
    'return ["UNSUCCESSFUL", "FAILED"].includes(body.status ?? "");',
  ];
  const testedConditions = "no-fault,ends-failed:createTransfer:1";
  const proveWith = (answers: readonly string[]) =>
    prove("payouts", testedConditions, [readAnswersChange], { answers });
  expect((await proveWith([])).findings).toEqual([]);
  const [finding] = (await proveWith(["money"])).findings;
  expect(finding).toMatchObject({ kind: "not-done-not-reported", only: "ends-failed:createTransfer:1" });
  expect(finding?.answers).toEqual([expect.stringMatching(/^Q-transfer-event-status=/)]);
  expect((await proveWith(finding?.answers ?? [])).findings.map(({ kind }) => kind)).toEqual(["not-done-not-reported"]);
}, 120_000);

const numberChanges: readonly Change[] = [
  ["const body = { currency, amount,", "const body = { currency, amount: Number(amount),"],
  ["...side, amount, currency }", "...side, amount: Number(amount), currency }"],
];

it.each<[string, readonly Change[]]>([
  ["Q-request-amounts=Numbers only", numberChanges],
  ["Q-amount-bounds=A bound", []],
])(
  "a correct program passes beside other payments with %s",
  async (answer, changes) => {
    const only = "no-fault,other-payments:createTransfer:1";
    const { conditions } = await prove("payouts", only, changes, { answers: [answer] });
    expect(conditions.map(({ result }) => result)).toEqual(["passed", "passed"]);
  },
  60_000,
);

describe("a wrong program", () => {
  it("that repeats a call after a delay gets the longest delay up to which it is right", async () => {
    const { conditions, findings } = await prove(
      "payouts",
      "late-effect:createTransfer:3",
      [
        ["prove ? 2500", "prove ? 250"],
        ['return console.log("unclear", reference);', "return void (await send(row));"],
      ],
      { lateSeconds: 1 },
    );
    expect(findings.map(({ kind }) => kind)).toEqual(["done-twice"]);
    expect(findings[0]?.seen).toMatch(/An equal call followed \d\.\d s after call 3\.$/);
    expect(conditions).toMatchObject([{ result: "failed", runs: 5, failedRuns: 1 }]);
    expect(conditions[0]?.rightUpToSeconds).toBeGreaterThan(0);
    expect(conditions[0]?.rightUpToSeconds).toBeLessThan(0.8);
  }, 60_000);

  it("that repeats after it found no record in the month of UTC pays twice at the edge of a month only", async () => {
    const repeatChange: Change = ['return console.log("unclear", reference);', "return void (await send(row));"];
    const testedConditions = "response-lost:createTransfer:3,month-edge:createTransfer:3";
    const { conditions, findings } = await prove("payouts", testedConditions, [repeatChange]);
    expect(conditions.map(({ result }) => result)).toEqual(["passed", "failed"]);
    expect(findings.map(({ kind }) => kind)).toEqual(["done-twice"]);
  }, 60_000);

  it("that stores its API key and reports unclear without cause gets both findings, in every condition", async () => {
    const keepKeyChange: Change = ["    note(intent);\n", "    note({ ...intent, ...row, key } as Step);\n"];
    const printUnclearChange: Change = ["await lock();\n", 'await lock();\nconsole.log("unclear pay-1");\n'];
    const { conditions, findings, remarks } = await prove("payouts", "no-fault,run-again", [
      keepKeyChange,
      printUnclearChange,
    ]);
    const expectedFindings = [
      "pay-1: reported as unclear, though no response was lost.",
      "the API key stands in the state",
    ];
    expect(findings.map(({ condition, seen }) => `${condition} ${seen}`).sort()).toEqual(
      ["no-fault", "run-again"].flatMap((condition) => expectedFindings.map((seen) => `${condition} ${seen}`)).sort(),
    );
    expect(conditions).toMatchObject([{ unclear: 1 }, { unclear: 1 }]);
    expect(remarks).toContain(
      "After a run, the IBAN is stored unencrypted in the state: protect the state accordingly.",
    );
  }, 60_000);

  it("that omits payments without a fault is not tried under other conditions", async () => {
    const skipSepaChange: Change = [
      "  await pay(row, ownSteps, takenIds);",
      '  if (row.kind !== "sepa") await pay(row, ownSteps, takenIds);',
    ];
    const { conditions, findings, remarks } = await prove("payouts", "request-lost,run-again", [skipSepaChange]);
    expect(conditions.map(({ name, result }) => [name, result])).toEqual([["no-fault", "failed"]]);
    expect(findings.map(({ kind }) => kind)).toEqual(["not-done-not-reported", "not-done-not-reported"]);
    expect(remarks[0]).toBe("Without a fault the program does not do what it should: nothing else was tried.");
  }, 60_000);

  it("that reports payments as failed without a fault gets a finding with the errors it received", async () => {
    const sendZeroChange: Change = ["...side, amount, currency }", "...side, amount: '0', currency }"];
    const { findings } = await prove("payouts", "no-fault", [sendZeroChange]);
    expect(findings.find(({ kind }) => kind === "reported-without-reason")?.seen).toMatch(
      /reported as failed, though no response was lost\. Errors that it got: createTransfer → 400 P\d{3}\.$/,
    );
  }, 60_000);

  it("that fails in the last of several runs gets a finding with the lines of that run", async () => {
    const failThirdRun = `echo run >> "$2.runs"
if [ "$(wc -l < "$2.runs")" -ge 3 ]; then exit 1; fi
"$0" "$@" && echo finished`;
    const { findings } = await withFolder((folder) => {
      const program = writeProgram("payouts", "ts", [], folder);
      return proveProgram("payouts", ["/bin/sh", "-c", failThirdRun, ...program], {
        only: "ends-failed:createTransfer:1",
      });
    });
    expect(findings).toMatchObject([{ kind: "does-not-finish", seen: expect.stringMatching(/It printed nothing\.$/) }]);
  }, 60_000);

  it("that makes no call gets its input and its exit code in the report", async () => {
    const proof = proveProgram("payouts", [process.execPath, "-e", "console.log('off'); process.exit(3)"]);
    await expect(proof).rejects.toThrow(
      /^The program called none of createTransfer, .* The program ended with exit code 3 in the last of 5 runs\. Its last lines: off( \| off){0,2}$/,
    );
  }, 60_000);
});
