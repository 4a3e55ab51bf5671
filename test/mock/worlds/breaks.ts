/** Runs the parts of this repository with an answer to an open question, and lists by name what breaks. */
import type { Answers } from "../../../scripts/mock/answers/index.ts";
import { runPayments } from "../../client/payments/simulation-runs.ts";
import { plan } from "../../support/plan.ts";
import { type ClientCall, callAll, problemsOf } from "./calls.ts";
import { findGuideProblems } from "./guides.ts";
import { receiveAll } from "./receiver.ts";

/** The names of everything that breaks, by part of the repository. A part in which nothing breaks is left out or has an empty list. */
export type BrokenParts = Partial<Record<Part, readonly string[]>>;
export type Part = "payments" | "programs" | "client" | "contract" | "samples" | "guides";

/** Programs that run as separate processes are in programs.ts. */
export async function findBrokenParts(answers: Answers): Promise<BrokenParts> {
  const calls = await callAll(answers);
  const callProblems = calls.flatMap(documentationProblems);
  return {
    payments: await findPaymentProblems(answers),
    client: problemsOf(calls),
    contract: [...new Set([...callProblems, ...(await findEventProblems(answers))])],
    samples: calls.flatMap(({ operationId, expectedOutcome, status }) =>
      expectedOutcome === "success" && status >= 400 ? [`${operationId} is refused`] : [],
    ),
    guides: await findGuideProblems(answers),
  };
}

async function findPaymentProblems(answers: Answers): Promise<string[]> {
  // From this time until the first payments are repeated, 45 minutes later, it is already May in Berlin, and still April in UTC.
  const start = "2026-04-30T22:10:00.000Z";
  const run = { seed: 1, payments: 40, edition: "test", repeatAfter: "45 minutes", start, answers } as const;
  const { paidTwice, forgotten, refused } = await runPayments(run);
  return [paidTwice > 0 ? "paid twice" : [], forgotten > 0 ? "lost" : [], refused > 0 ? "refused" : []].flat();
}

function documentationProblems({ operationId, status, result, violations = [] }: ClientCall): string[] {
  const code = "rejected" in result ? undefined : result.error?.errorCode;
  const { responses = [] } = plan.operations.find((operation) => operation.operationId === operationId) ?? {};
  const isListed = responses.some((response) => response.status === status && (status < 400 || response.code === code));
  const places = violations.map(({ place }) => place.replace(/^(\/\d+)?\//, "")).filter((place) => place !== "");
  return [
    ...(isListed ? [] : [[operationId, status, code ?? []].flat().join(" ")]),
    ...(places.length === 0 ? [] : [`${operationId}: ${[...new Set(places)].join(", ")}`]),
  ];
}

/** The webhooks whose events violate their schema or arrive on another path. */
async function findEventProblems(answers: Answers): Promise<string[]> {
  const { deliveries } = await receiveAll(answers);
  return plan.webhooks.flatMap(({ name, path, validator }) => {
    const webhookDeliveries = deliveries.filter(({ webhook }) => webhook === name);
    const fields = webhookDeliveries.flatMap(({ body }) =>
      validator(JSON.parse(body)) ? [] : (validator.errors ?? []).map(({ instancePath }) => instancePath.slice(1)),
    );
    const isMoved = webhookDeliveries.some((delivery) => delivery.path !== path);
    return [
      ...(isMoved ? [`${name}: its path`] : []),
      ...(fields.length === 0 ? [] : [`${name}: ${[...new Set(fields)].join(", ")}`]),
    ];
  });
}
