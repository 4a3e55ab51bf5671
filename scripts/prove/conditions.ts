/** The conditions under which a program that makes calls is run: what happens to one of its calls, or to the program. */
import type { Fault } from "../../generated/control/types.ts";

/** One condition, by the name that `--only` takes. */
export interface Condition {
  readonly name: string;
  /** What happens, for `--list` and the report. */
  readonly meaning: string;
  /** Open questions of the contract that it rests on. */
  readonly questions: readonly string[];
  /**
   * What one call meets; each call of the program in a run of its own. Undefined where the condition is about whole runs.
   *
   * @param lateMs the delay of a late effect or record, in milliseconds.
   * @param failure the status in which what the call creates ends when it fails, such as UNSUCCESSFUL.
   */
  readonly fault?: (lateMs: number, failure: string) => Omit<Fault, "operation">;
  /** When the program is killed, counted from the moment at which the call is decided. */
  readonly kill?: "at once" | "on the response";
  /** How the program is run besides until it ends with 0: once more, also after everything is final, or two of it at once. */
  readonly runs?: "again" | "again when all is final" | "twice at once";
  /** Whether the delay of `--late` is part of it. */
  readonly isLate?: boolean;
}

/** A response that is held until the program is killed. */
const held = { delay: 60_000 };
/** Milliseconds until the response of a call on whose response the program is killed. */
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
    meaning: "the call is accepted and fails in the end; the program is run once more after that",
    questions: ["Q-transfer-event-status", "Q-status-transitions"],
    fault: (_, failure) => ({ ends: failure }),
    runs: "again when all is final",
  },
];
