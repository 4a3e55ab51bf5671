/** What the interface specification states of codes (4.1 to 4.8, Errors), typed by hand: an oracle beside the contract. */
import type { Plan, PlanOperation } from "../../../scripts/mock/plan/plan.ts";
import { operationNamed } from "./calls.ts";

const stated: Readonly<Record<string, string>> = {
  createUserAccount: "401 P403 P411 P431 P464 P465 P500 P501",
  getUserTransactionHistory: "401 P412 P435 P459 P500 P501",
  createOrderRateLock: "401 P403 P500 P501",
  updateUser: "401 P403 P452 P464 P465 P500 P501 P412",
  addKycFiles: "401 P412 P426 P439 P440 P500 P501",
  addUserVerification: "P213 401 P403 P430 P442 P446 P466 P473 P474 P475 P500 P501 P412 P427",
  listUserCards: "401 P459 P461 P500 P501",
  getCryptoDepositDetails: "401 404",
};

/** The pairs that the specification states. */
export function statedPairs(plan: Plan): { operation: PlanOperation; pair: string }[] {
  return Object.entries(stated).flatMap(([operationId, pairs]) =>
    pairs.split(" ").map((pair) => ({ operation: operationNamed(plan, operationId), pair })),
  );
}
