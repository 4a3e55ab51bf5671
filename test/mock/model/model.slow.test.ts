/** Random sequences of calls: the money adds up, nobody shares what is unique, every status follows its lifecycle. */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { loadPlan } from "../../../scripts/plan/index.ts";
import { type Action, sequencesOf } from "./actions.ts";
import { curlOf } from "./steps.ts";
import { type Defect, report, tell } from "./story.ts";

let plan: Plan;
beforeAll(async () => {
  plan = await loadPlan();
});

const runs = Number(process.env.MODEL_RUNS ?? 40);

/** What is left of a sequence that goes wrong when nothing more can be left out, as commands; undefined when none does. */
async function smallest(
  { length, ...options }: fc.Parameters<[Action[]]> & { length: number },
  defect?: Defect,
): Promise<string | undefined> {
  const property = fc.asyncProperty(sequencesOf(length), async (sequence) => {
    const { problems } = await tell(plan, sequence, defect);
    return problems.length === 0;
  });
  const { counterexample, seed: used } = await fc.check(property, options);
  if (counterexample === null) return undefined;
  const told = report(await tell(plan, counterexample[0], defect));
  return `${told}\n# PROPERTY_SEED=${used} npx vitest run test/mock/model finds it again.`;
}

test(
  "random sequences keep the invariants, and a reset repeats them to the byte",
  async () => {
    const found = await smallest({ length: 25, numRuns: runs });
    expect(found, found).toBeUndefined();
  },
  60_000 + runs * 1000,
);

test("a seeded defect is found, and told as few commands", async () => {
  const postsTwice: Defect = (mock, { step, status }) => {
    if (status !== 201 || "control" in step || step.call.operation.operationId !== "createTransfer") return;
    const state = mock.state();
    mock.restore({ ...state, postings: [...state.postings, ...state.postings.slice(-1)] });
  };
  const found = (await smallest({ length: 8, numRuns: 500, seed: 7 }, postsTwice)) ?? "";
  const commands = found.split("\n").filter((line) => line.startsWith("curl "));
  expect(found).toContain("its records say");
  expect(commands.length).toBeLessThanOrEqual(4);
  expect(commands.at(-1)).toMatch(/^curl -X POST "\$URL\/v1\/transfer" -H "x-api-key: \$KEY" .* -d '\{.*\}' {2}# 201$/);
  if (process.env.MODEL_SHOW !== undefined) console.log(found);
});

test("the commands keep quotes and files", () => {
  const operation = plan.operations.find(({ operationId }) => operationId === "addKycFiles");
  if (operation === undefined) throw new Error("The contract has no addKycFiles.");
  const form = { operation, key: "secret", path: { externalUserId: "o'neil" }, query: {}, body: { selfie: "x" } };
  const url = "$URL/v1/user/kyc-files/o'neil";
  expect(curlOf({ call: form })).toBe(`curl -X POST "${url}" -H "x-api-key: $KEY" -F 'selfie=@picture.png'`);
  const control = { target: "/users/o", body: { attributes: { lastName: "O'Neil" } } };
  expect(curlOf({ control })).toContain(`-d '{"attributes":{"lastName":"O'\\''Neil"}}'`);
});
