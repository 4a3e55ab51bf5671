/** The conditions for programs that make calls: a fault of one call, an external event, a kill, or additional runs. */

import type { MockWorldControl } from "../mock/control/index.ts";
import type { Fault } from "../mock/plan/index.ts";

export interface Condition {
  readonly name: string;
  readonly meaning: string;
  readonly questions: readonly string[];
  /**
   * Each call of the program gets the fault in a separate run. Undefined for a condition about whole runs.
   * @param lateMs milliseconds until a call takes effect, or until the history shows it, if the condition delays this.
   * @param failure the status of the created resource if the call fails later, such as UNSUCCESSFUL.
   */
  readonly fault?: (lateMs: number, failure: string) => Omit<Fault, "operation">;
  /** The operations to whose calls the condition applies; by default those of the journey. */
  readonly on?: readonly string[];
  readonly endsFailed?: boolean;
  /** Triggers an external event while the response of the call is delayed. */
  readonly event?: (world: MockWorldControl, operation: string) => void;
  /** When to kill the program: when the mock has received the call, or a few milliseconds after its response. */
  readonly kill?: "at once" | "on the response";
  /**
   * Further runs. `again`: one, after the program has ended with exit code 0. `again when all is final`: two, after all payments have
   * become final. `twice at once`: two parallel runs, then one more.
   */
  readonly runs?: "again" | "again when all is final" | "twice at once";
  /** Whether the condition depends on the delay of `--late`. */
  readonly isLate?: boolean;
}

/** A delay that ends after the last run of the program, when `prove` advances the clock of the mock. */
const afterTheEnd = "1 hour";
/** A response delay in milliseconds, during which the program is killed. */
const held = { delay: 60_000 };
/** A response delay in milliseconds, at the end of which the program is killed. */
export const responseDelayMs = 4;

const unknown = ["Q-repeated-call", "Q-effect-after-error"];

export const conditions: readonly Condition[] = [
  { name: "no-fault", meaning: "nothing fails", questions: [] },
  {
    name: "request-lost",
    meaning: "the connection breaks before the call takes effect",
    questions: ["Q-repeated-call"],
    fault: () => ({ lose: "request" }),
  },
  {
    name: "response-lost",
    meaning: "the call takes effect, and the connection breaks before its response",
    questions: ["Q-repeated-call"],
    fault: () => ({ lose: "response" }),
  },
  {
    name: "response-cut",
    meaning: "the call takes effect, and the connection breaks within the body of its response",
    questions: ["Q-repeated-call"],
    fault: () => ({ cut: true }),
  },
  {
    name: "proxy-502-after-effect",
    meaning: "the call takes effect, and 502 without a body of the service is the response",
    questions: ["Q-repeated-call"],
    fault: () => ({ status: 502, carriedOut: true }),
  },
  {
    name: "proxy-504-no-effect",
    meaning: "504 without a body of the service; the call has no effect",
    questions: ["Q-repeated-call"],
    fault: () => ({ status: 504 }),
  },
  {
    name: "p500-after-effect",
    meaning: "the call takes effect, and P500 is the response",
    questions: unknown,
    fault: () => ({ code: "P500", carriedOut: true }),
  },
  {
    name: "p501-after-effect",
    meaning: "the call takes effect, and P501 is the response",
    questions: unknown,
    fault: () => ({ code: "P501", carriedOut: true }),
  },
  {
    name: "p501-no-effect",
    meaning: "P501; the call has no effect",
    questions: unknown,
    fault: () => ({ code: "P501" }),
  },
  {
    name: "late-effect",
    meaning: "the connection breaks, and the call takes effect later",
    questions: ["Q-repeated-call", "Q-effect-after-error"],
    fault: (lateMs) => ({ lose: "response", effectAfter: lateMs }),
    isLate: true,
  },
  {
    name: "effect-after-end",
    meaning:
      "the connection breaks, and the call takes effect after the last run of the program: a repeated call is a second one",
    questions: unknown,
    fault: () => ({ lose: "response", effectAfter: afterTheEnd }),
  },
  {
    name: "late-history",
    meaning: "the call takes effect, the connection breaks, and the history shows it later",
    questions: ["Q-repeated-call"],
    fault: (lateMs) => ({ lose: "response", historyAfter: lateMs }),
    isLate: true,
  },
  {
    name: "killed-before",
    meaning: "the program is killed while it waits, and the call has no effect",
    questions: ["Q-repeated-call"],
    fault: () => ({ lose: "request", ...held }),
    kill: "at once",
  },
  {
    name: "killed-after",
    meaning: "the call takes effect, and the program is killed while it waits for the response",
    questions: ["Q-repeated-call"],
    fault: () => ({ lose: "response", ...held }),
    kill: "at once",
  },
  {
    name: "killed-effect-after-end",
    meaning: "the program is killed while it waits, and the call takes effect after the last run of the program",
    questions: unknown,
    fault: () => ({ lose: "response", effectAfter: afterTheEnd, ...held }),
    kill: "at once",
  },
  {
    name: "killed-on-response",
    meaning: "the program is killed within milliseconds after the response",
    questions: ["Q-repeated-call"],
    fault: () => ({ delay: responseDelayMs }),
    kill: "on the response",
  },
  { name: "run-again", meaning: "the program is run once more after its end", questions: [], runs: "again" },
  {
    name: "run-twice-at-once",
    meaning: "two processes of the program run at once, with one state",
    questions: [],
    runs: "twice at once",
  },
  {
    name: "ends-failed",
    meaning: "the call is accepted and fails in the end; the program is run twice more after that",
    questions: ["Q-transfer-event-status", "Q-status-transitions"],
    fault: (_, failure) => ({ ends: failure }),
    endsFailed: true,
    runs: "again when all is final",
  },
];
