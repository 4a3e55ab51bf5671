/** The tests for programs that make calls: a condition is a fault of one or two calls, a kill, or another run. */

import type { Answers } from "../mock/answers/index.ts";
import type { MockWorldControl } from "../mock/control/index.ts";
import type { Fault } from "../mock/plan/index.ts";

export interface FaultedCall {
  /**
   * The position of the call among the calls of the operation in a run, from 1. If a condition has variants, such as several statuses, the
   * position selects one of them.
   */
  readonly number: number;
  /** If the condition delays the effect of the call or its record in the history: the delay in milliseconds. */
  readonly lateMs: number;
  /** The failure status of the created resource, such as UNSUCCESSFUL; empty if the resource cannot fail. */
  readonly failureStatus: string;
  /** The P-code for insufficient funds; empty if the operation does not check the funds. */
  readonly refusalCode: string;
}

export type CallOperation = (operationId: string, body: object) => Promise<void>;

type CallFault = Omit<Fault, "operation">;

/** The argument of the function that a condition runs while the response of the call is delayed. */
export interface DuringDelay {
  readonly world: MockWorldControl;
  readonly operation: string;
  /** The ids of the operations that only read. */
  readonly reads: readonly string[];
  /** The body of the delayed call. */
  readonly body: Readonly<Record<string, string>>;
  readonly call: CallOperation;
}

export interface Condition {
  readonly name: string;
  readonly meaning: string;
  readonly questions: readonly string[];
  /** Makes the fault for a call. Each call of the program gets the fault in a separate run. Absent if the condition concerns whole runs. */
  readonly fault?: (call: FaultedCall) => CallFault;
  /** Makes the fault of the next call of the same operation. */
  readonly nextFault?: (call: FaultedCall) => CallFault;
  /** Changes the world before the program starts. `number`: {@link FaultedCall.number}, or 1 if the condition concerns whole runs. */
  readonly prepare?: (world: MockWorldControl, number: number) => Promise<unknown>;
  /** The ids of the operations to which the condition applies. Default: the operations of the journey. */
  readonly operations?: readonly string[];
  /**
   * Returns the time at which the clocks of the program and of the mock start, in milliseconds since 1970. Only programs on Node.js can be
   * started at a given time.
   */
  readonly startsAt?: () => number;
  /** Answers to open questions that the condition needs. They take precedence over the answers of the proof. */
  readonly answers?: Answers;
  /** Restricts the condition to operations whose resource can fail (`failure`), or that can be refused for insufficient funds (`refusal`). */
  readonly needs?: "failure" | "refusal";
  /** Runs while the response of the call is delayed. Resources that this function creates are not counted as effects of the program. */
  readonly duringDelay?: (context: DuringDelay) => Promise<void> | void;
  /** When the program is killed: when the mock has received the call, or a few milliseconds after its response. */
  readonly kill?: "at once" | "on the response";
  /**
   * The runs of the program, if there is more than one. `again`: another run after the program has ended with exit code 0. `again when all
   * is final`: two more runs after all payments have become final. `twice at once`: two parallel runs, and then another run.
   */
  readonly runs?: "again" | "again when all is final" | "twice at once";
  /** Whether the condition applies to payments only, because it concerns their delay, their record or their failure. */
  readonly isForPayments?: boolean;
  /** Whether the condition is also tested with answers to the open questions other than the assumed ones. */
  readonly isTriedWithAnswers?: boolean;
  /** Whether the condition has a delay, of which the option `--late` sets the maximum. */
  readonly hasDelay?: boolean;
}

/** A delay that ends only after the last run of the program, because `prove` then advances the clock of the mock. */
const afterLastRun = "1 hour";
/** A response delay, in milliseconds, that lasts until the program has been killed. */
const delayUntilKilled = { delay: 60_000 };
/** Milliseconds between the effect of a call and its response, if the program is killed at the response. */
export const killDelayMs = 4;

/** A response delay in milliseconds that is long enough for the function `duringDelay` of a condition. */
export const responseDelayMs = 400;

const repeatedCallQuestions = ["Q-repeated-call"];
const repeatedOrLateQuestions = [...repeatedCallQuestions, "Q-effect-after-error"];

/** Selects the value for the call with this number. Consecutive calls get different values. */
function alternateValue<Value>(values: readonly Value[], number: number): Value {
  return values[(number - 1) % values.length] as Value;
}

/** The difference in milliseconds between the clocks of the service and the program. */
const clockDifferenceMs = 10 * 60_000;

/** This many milliseconds before a month ends in UTC, the next month has already begun in Berlin. */
const beforeMonthEndMs = 30 * 60_000;

export const noFault: Condition = {
  name: "no-fault",
  meaning: "nothing fails",
  questions: [],
  isTriedWithAnswers: true,
};

export const conditions: readonly Condition[] = [
  noFault,
  {
    name: "request-lost",
    meaning: "the connection breaks before the call takes effect",
    questions: repeatedCallQuestions,
    fault: () => ({ lose: "request" }),
  },
  {
    name: "response-lost",
    meaning: "the call takes effect, and the connection breaks before its response",
    questions: repeatedCallQuestions,
    isTriedWithAnswers: true,
    fault: () => ({ lose: "response" }),
  },
  {
    name: "response-cut",
    meaning: "the call takes effect, and the connection breaks within the body of its response",
    questions: repeatedCallQuestions,
    fault: () => ({ cut: true }),
  },
  {
    name: "proxy-502-after-effect",
    meaning: "the call takes effect, and 502 without a body of the service is the response",
    questions: repeatedCallQuestions,
    fault: () => ({ status: 502, carriedOut: true }),
  },
  {
    name: "proxy-504-no-effect",
    meaning: "504 without a body of the service; the call has no effect",
    questions: repeatedCallQuestions,
    fault: () => ({ status: 504 }),
  },
  {
    name: "json-502-after-effect",
    meaning: "the call takes effect, and a gateway responds with 502 or 504 in JSON, without a P-code",
    questions: repeatedCallQuestions,
    fault: ({ number }) => ({ status: alternateValue([502, 504], number), json: true, carriedOut: true }),
  },
  {
    name: "json-504-no-effect",
    meaning: "a gateway responds with 504 or 502 in JSON, without a P-code; the call has no effect",
    questions: repeatedCallQuestions,
    fault: ({ number }) => ({ status: alternateValue([504, 502], number), json: true }),
  },
  {
    name: "odd-status-after-effect",
    meaning: "the call takes effect, and 408, 409, 425 or 499 without a P-code is the response",
    questions: repeatedCallQuestions,
    fault: ({ number }) => ({ status: alternateValue([408, 409, 425, 499], number), json: true, carriedOut: true }),
  },
  {
    name: "new-code-after-effect",
    meaning: "the call takes effect, and a P-code that the contract does not list is the response",
    questions: ["Q-changelog", "Q-effect-after-error"],
    fault: ({ number }) => ({
      code: alternateValue(["P599", "P999"], number),
      status: alternateValue([400, 500], number),
      carriedOut: true,
    }),
  },
  {
    name: "refused-without-code",
    meaning: "403 or 429 without a P-code is the response, and the call has no effect; the next call succeeds",
    questions: [],
    fault: ({ number }) => ({ status: alternateValue([403, 429], number) }),
  },
  {
    name: "payment-refused",
    isForPayments: true,
    meaning: "the payment itself is refused with its P-code, because the payer does not have the money",
    questions: [],
    fault: ({ refusalCode }) => ({ code: refusalCode }),
    needs: "refusal",
  },
  {
    name: "key-refused",
    meaning: "the first three calls get 401, then the key is accepted; the program is run once more after its end",
    questions: [],
    prepare: async (world) => world.faults.add({ status: 401, times: 3 }),
    runs: "again",
  },
  {
    name: "p500-after-effect",
    meaning: "the call takes effect, and P500 is the response",
    questions: repeatedOrLateQuestions,
    fault: () => ({ code: "P500", carriedOut: true }),
  },
  {
    name: "p501-after-effect",
    meaning: "the call takes effect, and P501 is the response",
    questions: repeatedOrLateQuestions,
    fault: () => ({ code: "P501", carriedOut: true }),
  },
  {
    name: "p501-no-effect",
    meaning: "P501; the call has no effect",
    questions: repeatedOrLateQuestions,
    fault: () => ({ code: "P501" }),
  },
  {
    name: "late-effect",
    isForPayments: true,
    meaning: "the connection breaks, and the call takes effect later",
    questions: repeatedOrLateQuestions,
    fault: ({ lateMs }) => ({ lose: "response", effectAfter: lateMs }),
    hasDelay: true,
  },
  {
    name: "effect-after-end",
    isForPayments: true,
    meaning:
      "the connection breaks, and the call takes effect after the last run of the program: a repeated call is a second one",
    questions: repeatedOrLateQuestions,
    fault: () => ({ lose: "response", effectAfter: afterLastRun }),
  },
  {
    name: "late-history",
    isForPayments: true,
    meaning: "the call takes effect, the connection breaks, and the history shows it later",
    questions: repeatedCallQuestions,
    fault: ({ lateMs }) => ({ lose: "response", historyAfter: lateMs }),
    hasDelay: true,
  },
  {
    name: "history-unreadable",
    isForPayments: true,
    meaning: "the call takes effect, its response is lost, and the next two reads of each kind fail",
    questions: repeatedCallQuestions,
    fault: () => ({ lose: "response", delay: responseDelayMs }),
    duringDelay: ({ world, reads }) => {
      for (const operation of reads) world.faults.add({ operation, status: 503, times: 2 });
    },
  },
  {
    name: "clock-off",
    isForPayments: true,
    meaning: "the service's clock is ten minutes ahead or behind, and the response of the call is lost",
    questions: repeatedCallQuestions,
    prepare: (world, number) => world.clock.set(Date.now() + alternateValue([1, -1], number) * clockDifferenceMs),
    fault: () => ({ lose: "response" }),
  },
  {
    name: "month-edge",
    isForPayments: true,
    meaning:
      "a new month has begun in Berlin, in whose time the history has its months, and not in UTC; the response is lost (only for Node.js)",
    questions: [...repeatedCallQuestions, "Q-history-window"],
    startsAt: () => {
      const now = new Date();
      return Date.UTC(now.getUTCFullYear(), now.getUTCMonth()) - beforeMonthEndMs;
    },
    answers: { "Q-history-window": "Another time zone" },
    fault: () => ({ lose: "response" }),
  },
  {
    name: "two-faults",
    meaning:
      "of the call and the next one of its kind, one has no effect and one takes effect; both responses are lost",
    questions: repeatedCallQuestions,
    fault: ({ number }) => ({ lose: alternateValue(["request", "response"], number) }),
    nextFault: ({ number }) => ({ lose: alternateValue(["response", "request"], number) }),
  },
  {
    name: "killed-before",
    meaning: "the program is killed while it waits, and the call has no effect",
    questions: repeatedCallQuestions,
    fault: () => ({ lose: "request", ...delayUntilKilled }),
    kill: "at once",
  },
  {
    name: "killed-after",
    meaning: "the call takes effect, and the program is killed while it waits for the response",
    questions: repeatedCallQuestions,
    fault: () => ({ lose: "response", ...delayUntilKilled }),
    kill: "at once",
  },
  {
    name: "killed-effect-after-end",
    isForPayments: true,
    meaning: "the program is killed while it waits, and the call takes effect after the last run of the program",
    questions: repeatedOrLateQuestions,
    fault: () => ({ lose: "response", effectAfter: afterLastRun, ...delayUntilKilled }),
    kill: "at once",
  },
  {
    name: "killed-on-response",
    meaning: "the program is killed within milliseconds after the response",
    questions: repeatedCallQuestions,
    fault: () => ({ delay: killDelayMs }),
    kill: "on the response",
  },
  {
    name: "run-again",
    meaning: "the program is run once more after its end",
    questions: [],
    isTriedWithAnswers: true,
    runs: "again",
  },
  {
    name: "run-twice-at-once",
    meaning: "two processes of the program run at once, with one state",
    questions: [],
    runs: "twice at once",
  },
  {
    name: "ends-failed",
    isForPayments: true,
    meaning: "the call is accepted and fails in the end; the program is run twice more after that",
    questions: ["Q-transfer-event-status", "Q-status-transitions"],
    isTriedWithAnswers: true,
    fault: ({ failureStatus }) => ({ ends: failureStatus }),
    needs: "failure",
    runs: "again when all is final",
  },
];
