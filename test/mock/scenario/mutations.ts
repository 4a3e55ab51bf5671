/** Mistakes to plant in a copy of the facts, for each check of the scenario. */
import { examplesOf, type Facts, objectsOf, stepsWithBodies, subjectOf } from "./facts.ts";

type Step = Facts["scenario"]["timeline"][number];

export interface Mutation {
  /** The name of the check that must find the mistake; left out if playing the scenario on the mock finds it. */
  check?: string;
  mistake: string;
  seed(facts: Facts): void;
}

const someUuid = "00000000-0000-4000-8000-000000000000";

function stepOf({ scenario }: Facts, fits: (step: Step) => boolean): Step {
  const step = scenario.timeline.find(fits);
  if (step === undefined) throw new Error("The timeline has no step for this mistake.");
  return step;
}

function shown(facts: Facts, fits: (record: Record<string, unknown>, step: Step) => boolean): Record<string, unknown> {
  for (const moment of stepsWithBodies(facts)) {
    const found = objectsOf(moment.received).find((record) => fits(record, moment));
    if (found !== undefined) return found;
  }
  throw new Error("No example shows an object for this mistake.");
}

function drop({ scenario }: Facts, fits: (step: Step) => boolean): void {
  const left = scenario.timeline.filter((step) => !fits(step));
  if (left.length === scenario.timeline.length) throw new Error("The timeline has no step for this mistake.");
  scenario.timeline = left;
}

function append({ scenario }: Facts, ...steps: Omit<Step, "at">[]): void {
  for (const step of steps) {
    const last = Date.parse(scenario.timeline.at(-1)?.at ?? "");
    scenario.timeline.push({ ...step, at: new Date(last + 1000).toISOString() });
  }
}

export const mutations: Mutation[] = [
  {
    check: "every example is a step, or an aside with a reason",
    mistake: "an example that no step shows",
    seed: (facts) => drop(facts, ({ operation }) => operation === "createPaymentLink"),
  },
  {
    mistake: "a step with an example that there is not",
    seed: (facts) => (stepOf(facts, ({ webhook }) => webhook === "p2pTransfer").example = "lost"),
  },
  {
    check: "every example is a step, or an aside with a reason",
    mistake: "an aside without a reason",
    seed: ({ scenario }) => Object.assign(scenario.asides[0] ?? {}, { reason: "" }),
  },
  {
    mistake: "an external event that resources.yaml does not have",
    seed: (facts) => (stepOf(facts, ({ event }) => event !== undefined).event = "moneyFallsFromTheSky"),
  },
  {
    check: "steps follow each other in time",
    mistake: "a step before the one that it follows",
    seed: ({ scenario }) => Object.assign(scenario.timeline[5] ?? {}, { at: "2026-01-01T00:00:00.000Z" }),
  },
  {
    mistake: "a lookup of an identifier that nobody has answered",
    seed: (facts) => (stepOf(facts, ({ operation }) => operation === "getOrderDetails").path = { orderId: someUuid }),
  },
  {
    check: "asides and IBANs name what the scenario has",
    mistake: "an aside with an identifier that nobody has answered",
    seed: (facts) => {
      const example = examplesOf(facts, "getCryptoDepositDetails").find(({ name }) => name === "withNullUser");
      Object.assign(example?.value as object, { externalId: someUuid });
    },
  },
  {
    check: "asides and IBANs name what the scenario has",
    mistake: "an IBAN that is nobody's",
    seed: (facts) => (shown(facts, ({ iban }) => typeof iban === "string").iban = "DE89370400440532013000"),
  },
  {
    mistake: "a payment by a user who is not verified",
    seed: (facts) => drop(facts, ({ operation }) => operation === "addUserVerification"),
  },
  {
    mistake: "a lock that is used twice",
    seed: (facts) =>
      append(
        facts,
        stepOf(facts, ({ operation }) => operation === "createOrder"),
      ),
  },
  {
    mistake: "a transfer that fails after it was successful",
    seed: (facts) => {
      const record = shown(facts, ({ status }, { webhook }) => webhook === "sepaTransfer" && status === "SUCCESSFUL");
      append(facts, { webhook: "sepaTransfer", body: { ...record, status: "FAILED" } });
    },
  },
  {
    check: "dedupe keys tell events apart",
    mistake: "a key without the status",
    seed: (facts) => Object.assign(subjectOf(facts, "sepaTransfer") ?? {}, { dedupeKey: ["id"] }),
  },
  {
    mistake: "a record that is a cent more",
    seed: (facts) => {
      const record = shown(
        facts,
        ({ type, status, amount }) => type !== undefined && status === "SUCCESSFUL" && typeof amount === "number",
      );
      record.amount = Number(record.amount) + 0.01;
    },
  },
  {
    mistake: "a balance that is not in the history",
    seed: (facts) =>
      (shown(facts, ({ name, amount, rate }) => name === "eur" && amount !== undefined && rate !== undefined).amount =
        "1.00"),
  },
  {
    check: "examples of errors fit into the scenario",
    mistake: "an error before the scenario begins",
    seed: (facts) => seedError(facts, { timestamp: "2020-01-01T00:00:00.000Z" }),
  },
  {
    check: "examples of errors fit into the scenario",
    mistake: "an error of a user who is not in the cast",
    seed: (facts) => seedError(facts, { errorMessage: "User user-1 is not verified" }),
  },
];

function seedError(facts: Facts, fields: object): void {
  const errors = examplesOf(facts, "createTransfer").filter(({ name }) => /^P/.test(name));
  for (const { value } of errors) Object.assign(value as object, fields);
}
