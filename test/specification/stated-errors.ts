import { cellsOf } from "./stated-records.ts";

export const errorLines: string[] = [
  "| 401 | none | Access Denied |",
  "| 400 | P403 | Validation error |",
  "| 400 | P411 | User exists |",
  "| 404 | P412 | User not exist |",
  "| 400 | P426 | Invalid file type |",
  "| 404 | P427 | Missing KYC files |",
  "| 400 | P430 | Too many verifications |",
  "| 400 | P431 | Forbidden country |",
  "| 400 | P435 | Invalid date |",
  "| 400 | P439 | No KYC files |",
  "| 400 | P440 | File too large |",
  "| 400 | P442 | User already verified |",
  "| 400 | P446 | KYC is not valid or expired |",
  "| 400 | P452 | Changing country not possible |",
  "| 400 | P459 | User not verified |",
  "| 400 | P461 | User not extended |",
  "| 400 | P464 | User exists with this phone |",
  "| 400 | P465 | User exists with this email |",
  "| 400 | P466 | User exists with this document number |",
  "| 400 | P473 | Missing required parameters |",
  "| 400 | P474 | User blocked by high risk |",
  "| 400 | P475 | Verification rejected by Risk |",
  "| 400 | P500 | Unknown exception |",
  "| 400 | P501 | Service temporarily unavailable |",
  "| 202 | P213 | Additional Risk Verification (non-error response of Add User Verification) |",
  "| 404 | none | Transaction not found (crypto deposit details) |",
];

export interface ErrorFacts {
  line: string;
  status: number;
  /** `none` if the response contains no code. */
  code: string;
  meaning: string;
}

/** Text in parentheses at the end of a line is not part of the meaning. */
export const errors: ErrorFacts[] = errorLines.map((line) => {
  const [status, code = "", meaning = ""] = cellsOf(line);
  return { line, status: Number(status), code, meaning: meaning.replace(/ \(.*\)$/, "") };
});

export const errorFormat = {
  quote: "The error response carries `errorCode`, `errorMessage` and `timestamp`.",
  fields: ["errorCode", "errorMessage", "timestamp"],
};
