/** Mistakes that must be found when the mock plays the scenario. Each function plants a mistake in a copy of the facts. */
import { type Facts, objectsOf, stepsWithBodies } from "./facts.ts";

type Step = Facts["scenario"]["timeline"][number];
type Fields = Record<string, unknown>;

function stepOf({ scenario }: Facts, isWanted: (step: Step) => boolean): Step {
  return scenario.timeline.find(isWanted) as Step;
}

function objectOf(facts: Facts, isWanted: (object: Fields, step: Step) => boolean): Fields {
  const steps = stepsWithBodies(facts);
  return steps.flatMap((step) => objectsOf(step.receivedBody).filter((object) => isWanted(object, step)))[0] as Fields;
}

function append({ scenario }: Facts, step: Omit<Step, "at">): void {
  const lastTime = Date.parse(scenario.timeline.at(-1)?.at ?? "");
  scenario.timeline.push({ ...step, at: new Date(lastTime + 1000).toISOString() });
}

export const mutations: Readonly<Record<string, (facts: Facts) => void>> = {
  "a step with an undocumented example": (facts) => {
    stepOf(facts, ({ webhook }) => webhook === "p2pTransfer").example = "lost";
  },
  "an external event that resources.yaml does not have": (facts) => {
    stepOf(facts, ({ event }) => event !== undefined).event = "moneyFallsFromTheSky";
  },
  "a lookup of an unknown identifier": (facts) => {
    const path = { orderId: "00000000-0000-4000-8000-000000000000" };
    stepOf(facts, ({ operation }) => operation === "getOrderDetails").path = path;
  },
  "a payment by a user who is not verified": ({ scenario }) => {
    scenario.timeline = scenario.timeline.filter(({ operation }) => operation !== "addUserVerification");
  },
  "a lock that is used twice": (facts) => {
    append(
      facts,
      stepOf(facts, ({ operation }) => operation === "createOrder"),
    );
  },
  "a transfer that fails after it was successful": (facts) => {
    const event = objectOf(facts, ({ status }, { webhook }) => webhook === "sepaTransfer" && status === "SUCCESSFUL");
    append(facts, { webhook: "sepaTransfer", body: { ...event, status: "FAILED" } });
  },
  "a record that is a cent more": (facts) => {
    const isRecord = ({ type, status, amount }: Fields) =>
      type !== undefined && status === "SUCCESSFUL" && typeof amount === "number";
    const record = objectOf(facts, isRecord);
    record.amount = Number(record.amount) + 0.01;
  },
  "a balance that is not in the history": (facts) => {
    objectOf(facts, ({ name, rate }) => name === "eur" && rate !== undefined).amount = "1.00";
  },
};
