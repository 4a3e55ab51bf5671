/** What a case of a rule is, and what the cases have in common. */
import type { Edit } from "../clean-contract.ts";

/** One thing broken in the clean contract, and the one finding that must come of it. */
export interface RuleCase {
  rule: string;
  breaks: string;
  edits: Edit[];
  /** File and a snippet of it, after the edits, in which » marks the place of the finding. */
  at: [path: string, snippet: string];
  /** What the finding says is wrong. */
  problem: string;
  /** An error unless told otherwise. */
  severity?: "warn";
  /** Rules that report the same mistake as well. */
  also?: string[];
}

export const root = "openapi.yaml";
export const createLoan = "paths/loan/createLoan.yaml";
export const getLoan = "paths/loan/getLoan.yaml";
export const loan = "schemas/Loan.yaml";
export const loanStatus = "schemas/LoanStatus.yaml";
export const webhook = "webhooks/loanReturned.yaml";
export const resources = "resources.yaml";
export const mock = "mock.yaml";

/** A P-code that the clean contract does not have. */
export function errorFile(code: string, status: number): string {
  return `title: ${code} Member is barred
allOf:
  - $ref: ../schemas/GeneralError.yaml
properties:
  errorCode:
    const: ${code}
examples:
  - errorCode: ${code}
    errorMessage: Member is barred
    timestamp: "2026-03-01T09:00:00.000Z"
x-error:
  status: ${status}
  meaning: Member is barred
x-advice:
  actor: user
  retry: never
  resolution: Ask the library.
  onCall: Do nothing.
x-provenance: specification
`;
}
