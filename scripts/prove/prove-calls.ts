/** Tests a program that makes calls: each condition on each of its calls, in separate worlds. */
import { setMaxListeners } from "node:events";
import { startMock } from "../mock/host/index.ts";
import type { Plan } from "../mock/plan/index.ts";
import { failureOf } from "./caller.ts";
import type { Condition } from "./conditions.ts";
import { shortPausesRemark } from "./environment.ts";
import { type Journey, shownInput } from "./journey.ts";
import type { ProveOptions } from "./options.ts";
import { ProveError } from "./processes.ts";
import { type Call, type ConditionResult, type Finding, limitations, type ProofReport, titleOf } from "./report.ts";
import { type ProofContext, type RunResult, runCondition } from "./run-condition.ts";
import { runConcurrently } from "./schedule.ts";
import { onlyOf, readOnly, type SelectedCondition } from "./select.ts";

/** Number of times a delay with a finding is halved to find one without. */
const halvings = 4;

/**
 * Tests a program.
 *
 * @returns the report.
 * @throws {ProveError} when the program cannot be started or makes no call to the mock, or `--only` names something unknown.
 */
export async function proveCalls(plan: Plan, journey: Journey, options: ProveOptions): Promise<ProofReport> {
  const startedAt = performance.now();
  const { seed, command, signal, lateSeconds, parallel, edition, limitSeconds, hasFullPauses = false } = options;
  const { conditions } = journey;
  const selected = readOnly(
    options.only,
    conditions.map(({ name }) => name),
  );
  const absent = journey.operations.filter((operation) =>
    plan.operations.every((one) => one.operationId !== operation || !one.editions.includes(edition)),
  );
  if (absent.length > 0) {
    throw new ProveError(
      `${journey.name} cannot be proven in the edition ${edition}, which has no ${absent.join(", ")}.`,
    );
  }
  // Each running program adds a listener.
  setMaxListeners(0, signal);
  const mock = await startMock(plan, { seed, edition });
  try {
    const proving: ProofContext = {
      ...{ plan, mock, journey, command, seed, signal, hasFullPauses },
      limitMs: limitSeconds * 1000,
    };
    const lateMs = lateSeconds * 1000;
    const startedFirst = performance.now();
    const first = await runCondition(proving, conditionOf(journey, "no-fault"), { lateMs });
    const firstMs = performance.now() - startedFirst;
    if (journey.operations.every((operation) => first.calls[operation] === 0) && first.problems.length > 0) {
      const [problem] = first.problems.filter(({ kind }) => kind === "does-not-finish");
      const reads = "Does it read PARTNER_WALLET_BASE_URL and PARTNER_WALLET_API_KEY?";
      throw new ProveError(
        `The program called none of ${journey.operations.join(", ")} at the mock. ${reads} ${problem?.seen ?? ""}`.trim(),
      );
    }
    const isUsable = first.problems.every(
      ({ kind }) => kind === "secret-in-the-clear" || kind === "reported-without-reason",
    );
    const planned = isUsable ? selected : [{ name: "no-fault", calls: undefined }];
    const proofs = planned.map((one) => proofOf(proving, one, { first, firstMs, lateMs }));
    const tasks = proofs.flatMap(({ tasks: own }) => own);
    const told = tellInOrder(proofs, options.onCondition);
    await runConcurrently(tasks, parallel);
    const results = await told;
    const skipped = isUsable ? [] : ["Without a fault the program does not do what it should: nothing else was tried."];
    const ids = [
      ...new Set(
        conditions.filter(({ name }) => planned.some((one) => one.name === name)).flatMap((one) => one.questions),
      ),
    ];
    return {
      proof: journey.name,
      version: plan.version,
      ...{ seed, lateSeconds },
      conditions: results.map(({ condition }) => condition),
      findings: results.flatMap(({ findings }) => findings),
      input: shownInput(journey),
      remarks: [
        ...new Set([...skipped, ...results.flatMap(({ remarks }) => remarks)]),
        ...(hasFullPauses ? [] : [shortPausesRemark]),
      ],
      questions: ids.map((id) => ({ id, question: plan.probes.texts[id] ?? "" })),
      cannotProve: limitations,
      milliseconds: performance.now() - startedAt,
    };
  } finally {
    await mock.close();
  }
}

/** Reports the conditions in order, each as soon as it and all earlier ones have ended. */
async function tellInOrder(
  proofs: readonly { readonly result: Promise<ConditionProof> }[],
  tell: ProveOptions["onCondition"],
): Promise<readonly ConditionProof[]> {
  const results: ConditionProof[] = [];
  for (const { result } of proofs) {
    results.push(await result);
    tell?.((await result).condition);
  }
  return results;
}

interface ConditionProof {
  readonly condition: ConditionResult;
  readonly findings: readonly Finding[];
  readonly remarks: readonly string[];
}

/** The runs of one condition, as tasks, and their result. */
function proofOf(
  proving: ProofContext,
  { name, calls: wanted }: SelectedCondition,
  { first, firstMs, lateMs }: { readonly first: RunResult; readonly firstMs: number; readonly lateMs: number },
): { readonly tasks: readonly (() => Promise<void>)[]; readonly result: Promise<ConditionProof> } {
  const condition = conditionOf(proving.journey, name);
  const calls = condition.fault === undefined ? [undefined] : (wanted ?? callsOf(proving, condition, first));
  let startedAt: number | undefined;
  let left = calls.length;
  const runs: CallProof[] = [];
  let settle: (proof: ConditionProof) => void = () => {};
  const result = new Promise<ConditionProof>((resolve) => {
    settle = resolve;
  });
  if (left === 0) settle(summaryOf(proving.journey, condition, [], 0));
  const tasks = calls.map((one, index) => async () => {
    startedAt ??= performance.now();
    runs[index] =
      name === "no-fault" ? { ...first, call: one, runs: 1 } : await proveCall(proving, condition, one, lateMs);
    left -= 1;
    const took = name === "no-fault" ? firstMs : performance.now() - startedAt;
    if (left === 0) settle(summaryOf(proving.journey, condition, runs, took));
  });
  return { tasks, result };
}

interface CallProof extends Omit<RunResult, "calls"> {
  readonly call: Call | undefined;
  readonly runs: number;
  readonly rightUpToMs?: number;
}

/** Runs a condition on one call; a delay with a finding is halved until there is none. */
async function proveCall(
  proving: ProofContext,
  condition: Condition,
  call: Call | undefined,
  lateMs: number,
): Promise<CallProof> {
  const result = await runCondition(proving, condition, { call, lateMs });
  if (condition.isLate !== true) return { ...result, call, runs: 1 };
  let [right, wrong, runs] = result.problems.length === 0 ? [lateMs, lateMs, 1] : [0, lateMs, 1];
  while (right < wrong && runs <= halvings) {
    const tried = (right + wrong) / 2;
    const { problems } = await runCondition(proving, condition, { call, lateMs: tried });
    if (problems.length === 0) right = tried;
    else wrong = tried;
    runs += 1;
  }
  return { ...result, call, runs, rightUpToMs: right };
}

function summaryOf(
  { done }: Journey,
  { name, meaning, isLate }: Condition,
  runs: readonly CallProof[],
  milliseconds: number,
): ConditionProof {
  const met = runs.filter(({ isMet }) => isMet);
  const findings = runs.flatMap(({ call, problems }) =>
    problems.map(
      ({ kind, seen }): Finding => ({
        ...{ condition: name, call, kind, title: titleOf(kind, done), seen },
        only: onlyOf(name, call),
      }),
    ),
  );
  const failedRuns = runs.filter(({ problems }) => problems.length > 0).length;
  const condition: ConditionResult = {
    ...{ name, meaning, failedRuns, milliseconds },
    result: failedRuns > 0 ? "failed" : met.length === 0 ? "not-met" : "passed",
    runs: runs.reduce((sum, one) => sum + one.runs, 0),
    unclear: runs.reduce((sum, one) => sum + one.unclear, 0),
    ...(isLate && runs.length > 0
      ? { rightUpToSeconds: Math.min(...runs.map(({ rightUpToMs = 0 }) => rightUpToMs)) / 1000 }
      : {}),
  };
  return { condition, findings, remarks: runs.flatMap(({ remarks }) => remarks) };
}

/** The calls of the first run to which a condition can be applied. */
function callsOf(
  { plan, journey }: ProofContext,
  { on, endsFailed }: Condition,
  { calls }: RunResult,
): readonly Call[] {
  const operations = (on ?? journey.operations).filter((one) => !endsFailed || failureOf(plan, one) !== undefined);
  return operations.flatMap((operation) =>
    Array.from({ length: calls[operation] ?? 0 }, (_, index) => ({ operation, number: index + 1 })),
  );
}

function conditionOf({ conditions }: Journey, name: string): Condition {
  const found = conditions.find((condition) => condition.name === name);
  if (found === undefined) throw new ProveError(`There is no condition ${name}.`);
  return found;
}
