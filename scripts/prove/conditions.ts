/** The conditions for programs that make calls: faults of one or two calls, other payments, a kill, a clock, or additional runs. */

import type { MockWorldControl } from "../mock/control/index.ts";
import type { Fault } from "../mock/plan/index.ts";

/** The call that gets a fault. */
export interface FaultedCall {
  /** Counts the calls of the operation in a run, from 1. Where a condition has several responses, it decides which one the call gets. */
  readonly number: number;
  /** Milliseconds until the call takes effect, or until the history shows it, if the condition delays this. */
  readonly lateMs: number;
  /** The status of the created resource if the call fails later, such as UNSUCCESSFUL. */
  readonly failure: string;
  /** The P-code of a payer without the money. */
  readonly refusal: string;
}

export type CallOperation = (operationId: string, body: object) => Promise<void>;

type CallFault = Omit<Fault, "operation">;

/** What a condition does while the response of the call is delayed. */
export interface Meanwhile {
  readonly world: MockWorldControl;
  readonly operation: string;
  /** The operations that only read. */
  readonly reads: readonly string[];
  /** The body of the delayed call. */
  readonly body: Readonly<Record<string, string>>;
  readonly call: CallOperation;
}

export interface Condition {
  readonly name: string;
  readonly meaning: string;
  readonly questions: readonly string[];
  /** Each call of the program gets the fault in a separate run. Undefined for a condition about whole runs. */
  readonly fault?: (call: FaultedCall) => CallFault;
  /** The fault of the next call of the same operation. */
  readonly nextFault?: (call: FaultedCall) => CallFault;
  /** Changes the world before the program starts. */
  readonly before?: (world: MockWorldControl, number: number) => Promise<unknown>;
  /** The operations to whose calls the condition applies; by default those of the journey. */
  readonly on?: readonly string[];
  /** Which operations the condition needs: those whose resource can fail, or those that the payer's funds can refuse. */
  readonly needs?: "failure" | "refusal";
  /** Happens while the response of the call is delayed. The resources that it creates are not counted as the program's. */
  readonly meanwhile?: (about: Meanwhile) => Promise<void> | void;
  /** When to kill the program: when the mock has received the call, or a few milliseconds after its response. */
  readonly kill?: "at once" | "on the response";
  /**
   * Further runs. `again`: one, after the program has ended with exit code 0. `again when all is final`: two, after all payments have
   * become final. `twice at once`: two parallel runs, then one more.
   */
  readonly runs?: "again" | "again when all is final" | "twice at once";
  /** Whether the condition is about the delay, the record or the failure of a payment, which no other call has. */
  readonly isForPayments?: boolean;
  /** Whether the condition depends on the delay of `--late`. */
  readonly isLate?: boolean;
}

/** A delay that ends after the last run of the program, when `prove` advances the clock of the mock. */
const afterTheEnd = "1 hour";
/** A response that is delayed until the program has been killed, in milliseconds. */
const delayedResponse = { delay: 60_000 };
/** Milliseconds between the effect of a call and its response, at which the program is killed. */
export const killDelayMs = 4;

/** A response delay in milliseconds that is long enough for what happens meanwhile. */
export const meanwhileMs = 400;

const repeatedCall = ["Q-repeated-call"];
const repeatedOrLate = [...repeatedCall, "Q-effect-after-error"];

/** The value for the call with this number; consecutive calls get different values. */
function alternate<Value>(values: readonly Value[], number: number): Value {
  return values[(number - 1) % values.length] as Value;
}

/** How far the clocks of the service and of the program are apart, in milliseconds. */
const clocksApartMs = 10 * 60_000;

export const conditions: readonly Condition[] = [
  { name: "no-fault", meaning: "nothing fails", questions: [] },
  {
    name: "request-lost",
    meaning: "the connection breaks before the call takes effect",
    questions: repeatedCall,
    fault: () => ({ lose: "request" }),
  },
  {
    name: "response-lost",
    meaning: "the call takes effect, and the connection breaks before its response",
    questions: repeatedCall,
    fault: () => ({ lose: "response" }),
  },
  {
    name: "response-cut",
    meaning: "the call takes effect, and the connection breaks within the body of its response",
    questions: repeatedCall,
    fault: () => ({ cut: true }),
  },
  {
    name: "proxy-502-after-effect",
    meaning: "the call takes effect, and 502 without a body of the service is the response",
    questions: repeatedCall,
    fault: () => ({ status: 502, carriedOut: true }),
  },
  {
    name: "proxy-504-no-effect",
    meaning: "504 without a body of the service; the call has no effect",
    questions: repeatedCall,
    fault: () => ({ status: 504 }),
  },
  {
    name: "json-502-after-effect",
    meaning: "the call takes effect, and a gateway responds with 502 or 504 in JSON, without a P-code",
    questions: repeatedCall,
    fault: ({ number }) => ({ status: alternate([502, 504], number), json: true, carriedOut: true }),
  },
  {
    name: "json-504-no-effect",
    meaning: "a gateway responds with 504 or 502 in JSON, without a P-code; the call has no effect",
    questions: repeatedCall,
    fault: ({ number }) => ({ status: alternate([504, 502], number), json: true }),
  },
  {
    name: "odd-status-after-effect",
    meaning: "the call takes effect, and 408, 409, 425 or 499 without a P-code is the response",
    questions: repeatedCall,
    fault: ({ number }) => ({ status: alternate([408, 409, 425, 499], number), json: true, carriedOut: true }),
  },
  {
    name: "new-code-after-effect",
    meaning: "the call takes effect, and a P-code that the contract does not list is the response",
    questions: ["Q-changelog", "Q-effect-after-error"],
    fault: ({ number }) => ({
      code: alternate(["P599", "P999"], number),
      status: alternate([400, 500], number),
      carriedOut: true,
    }),
  },
  {
    name: "refused-without-code",
    meaning: "403 or 429 without a P-code is the response, and the call has no effect; the next call succeeds",
    questions: [],
    fault: ({ number }) => ({ status: alternate([403, 429], number) }),
  },
  {
    name: "payment-refused",
    isForPayments: true,
    meaning: "the payment itself is refused with its P-code, because the payer does not have the money",
    questions: [],
    fault: ({ refusal }) => ({ code: refusal }),
    needs: "refusal",
  },
  {
    name: "key-refused",
    meaning: "the first three calls get 401, then the key is accepted; the program is run once more after its end",
    questions: [],
    before: async (world) => world.faults.add({ status: 401, times: 3 }),
    runs: "again",
  },
  {
    name: "p500-after-effect",
    meaning: "the call takes effect, and P500 is the response",
    questions: repeatedOrLate,
    fault: () => ({ code: "P500", carriedOut: true }),
  },
  {
    name: "p501-after-effect",
    meaning: "the call takes effect, and P501 is the response",
    questions: repeatedOrLate,
    fault: () => ({ code: "P501", carriedOut: true }),
  },
  {
    name: "p501-no-effect",
    meaning: "P501; the call has no effect",
    questions: repeatedOrLate,
    fault: () => ({ code: "P501" }),
  },
  {
    name: "late-effect",
    isForPayments: true,
    meaning: "the connection breaks, and the call takes effect later",
    questions: repeatedOrLate,
    fault: ({ lateMs }) => ({ lose: "response", effectAfter: lateMs }),
    isLate: true,
  },
  {
    name: "effect-after-end",
    isForPayments: true,
    meaning:
      "the connection breaks, and the call takes effect after the last run of the program: a repeated call is a second one",
    questions: repeatedOrLate,
    fault: () => ({ lose: "response", effectAfter: afterTheEnd }),
  },
  {
    name: "late-history",
    isForPayments: true,
    meaning: "the call takes effect, the connection breaks, and the history shows it later",
    questions: repeatedCall,
    fault: ({ lateMs }) => ({ lose: "response", historyAfter: lateMs }),
    isLate: true,
  },
  {
    name: "history-unreadable",
    isForPayments: true,
    meaning: "the call takes effect, its response is lost, and the next two reads of each kind fail",
    questions: repeatedCall,
    fault: () => ({ lose: "response", delay: meanwhileMs }),
    meanwhile: ({ world, reads }) => {
      for (const operation of reads) world.faults.add({ operation, status: 503, times: 2 });
    },
  },
  {
    name: "clock-off",
    isForPayments: true,
    meaning: "the service's clock is ten minutes ahead or behind, and the response of the call is lost",
    questions: repeatedCall,
    before: (world, number) => world.clock.set(Date.now() + alternate([1, -1], number) * clocksApartMs),
    fault: () => ({ lose: "response" }),
  },
  {
    name: "two-faults",
    meaning:
      "of the call and the next one of its kind, one has no effect and one takes effect; both responses are lost",
    questions: repeatedCall,
    fault: ({ number }) => ({ lose: alternate(["request", "response"], number) }),
    nextFault: ({ number }) => ({ lose: alternate(["response", "request"], number) }),
  },
  {
    name: "killed-before",
    meaning: "the program is killed while it waits, and the call has no effect",
    questions: repeatedCall,
    fault: () => ({ lose: "request", ...delayedResponse }),
    kill: "at once",
  },
  {
    name: "killed-after",
    meaning: "the call takes effect, and the program is killed while it waits for the response",
    questions: repeatedCall,
    fault: () => ({ lose: "response", ...delayedResponse }),
    kill: "at once",
  },
  {
    name: "killed-effect-after-end",
    isForPayments: true,
    meaning: "the program is killed while it waits, and the call takes effect after the last run of the program",
    questions: repeatedOrLate,
    fault: () => ({ lose: "response", effectAfter: afterTheEnd, ...delayedResponse }),
    kill: "at once",
  },
  {
    name: "killed-on-response",
    meaning: "the program is killed within milliseconds after the response",
    questions: repeatedCall,
    fault: () => ({ delay: killDelayMs }),
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
    isForPayments: true,
    meaning: "the call is accepted and fails in the end; the program is run twice more after that",
    questions: ["Q-transfer-event-status", "Q-status-transitions"],
    fault: ({ failure }) => ({ ends: failure }),
    needs: "failure",
    runs: "again when all is final",
  },
];
