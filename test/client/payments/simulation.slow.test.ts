/** `PAYMENTS_SIMULATED=10000` simulates 5,000 payments without and 5,000 with a repeat policy. Default: 200. */
import { expect, it } from "vitest";
import { type Figures, type RunOptions, runFormerProgram, runKilled, runPayments, sum } from "./simulation-runs.ts";

const paymentCount = Number(process.env.PAYMENTS_SIMULATED ?? 200);
const paymentsPerRun = 100;
const firstSeed = Number(process.env.PAYMENTS_SEED ?? 1);

async function runAll(
  description: string,
  changes: Partial<RunOptions>,
  program: (run: RunOptions) => Promise<Figures>,
): Promise<Figures> {
  const allFigures: Figures[] = [];
  for (let seed = firstSeed; seed < firstSeed + paymentCount / paymentsPerRun / 2; seed += 1) {
    const run: RunOptions = { seed, payments: paymentsPerRun, edition: seed % 2 === 0 ? "latest" : "test", ...changes };
    const figures = await program(run);
    if (figures.paidTwice + figures.forgotten > 0 || figures.unclearInSight > figures.ambiguous)
      console.log(description, { seed, ...figures });
    allFigures.push(figures);
  }
  console.log(description, sum(allFigures));
  return sum(allFigures);
}

it("pays nothing twice and loses nothing; only payments without a trace of their own stay unclear", {
  timeout: 3_600_000,
}, async () => {
  const figures = await runAll("without a policy", {}, runPayments);
  expect(figures).toMatchObject({ paidTwice: 0, forgotten: 0, refused: 0 });
  expect(figures.unclearInSight).toBeLessThanOrEqual(figures.ambiguous);
  expect(figures.kills).toBeGreaterThan(0);
  expect(figures.unclear).toBeGreaterThan(0);
});

it("leaves a payment unclear only if a record may be of several payments, with a repeat policy longer than every delay", {
  timeout: 3_600_000,
}, async () => {
  const figures = await runAll("with a policy", { repeatAfter: "45 minutes", edition: "test" }, runPayments);
  expect(figures).toMatchObject({ paidTwice: 0, forgotten: 0, refused: 0 });
  // `pending` may be above 0: equal payments wait while one of them is unclear.
  expect(figures.unclear).toBe(figures.ambiguous);
});

it("shows that the former program of the guide pays twice", { timeout: 3_600_000 }, async () => {
  const figures = await runAll("the former program", {}, runFormerProgram);
  expect(figures.paidTwice).toBeGreaterThan(0);
});

it.each<object>([
  {},
  { lose: "request" },
  { lose: "response" },
  { code: "P501", carriedOut: true },
  { lose: "response", effectAfter: "5 minutes" },
  { lose: "response", historyAfter: "5 minutes" },
])("survives a kill before and after every step, with the fault %j", { timeout: 3_600_000 }, async (fault) => {
  const states: string[] = [];
  for (let killedHalfStep = 1; ; killedHalfStep += 1) {
    const result = await runKilled(fault, killedHalfStep);
    if (result === undefined) break;
    const { state, recordCount } = result;
    states.push(state);
    // Without an effect, the payment is unclear, because the process was killed while sending.
    const isRight =
      recordCount === 1 ? ["accepted", "succeeded"].includes(state) : recordCount === 0 && state === "unclear";
    expect({ killAt: killedHalfStep, ...result, isRight }).toMatchObject({ isRight: true });
  }
  expect(states.length).toBeGreaterThan(10);
});
