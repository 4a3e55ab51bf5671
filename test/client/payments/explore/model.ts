/** What the explorer asks of the engine and the models around it, and what it returns. */
import type { Effect } from "./service.ts";

/** A task that a process can begin, as plain data. */
export interface Turn {
  readonly description: string;
  readonly task: unknown;
  /** Whether a person requests the task. */
  readonly isDecision?: boolean;
}

/** The limits of one path through the states, except `states`, which is the limit of the whole exploration. */
export interface Bounds {
  readonly payments: 1 | 2;
  readonly faults: number;
  readonly kills: number;
  readonly decisions: number;
  readonly jumps: number;
  /** How often processes can be interrupted between two reads. Interruptions between other steps are not limited. */
  readonly interruptions: number;
  readonly states: number;
  /** Whether processes count as equal only if they received the same replies. */
  readonly isExact?: boolean;
}

/** The part of a state that no process can read: how far each clock is ahead, the remaining bounds, and what has happened so far. */
export interface HiddenState {
  /** Minutes by which the clock of each process is ahead of the true time. */
  readonly clockLeadMinutes: readonly [number, number];
  readonly remaining: {
    readonly fault: number;
    readonly kill: number;
    readonly decision: number;
    readonly jump: number;
    readonly interruption: number;
  };
  /** The number of payments that another program has made since the start. */
  readonly otherPaymentCount: number;
  readonly repeats: readonly number[];
  readonly decisions: readonly (string | null)[];
  /** Whether the service refused the payment, by payment. */
  readonly refusals: readonly boolean[];
  /** The number of events that the engine could not attribute to a payment. */
  readonly unattributedEventCount: number;
}

/** The state as a subject sees it. The explorer does not interpret the rows of the store. */
export interface View<Row = unknown> {
  readonly now: number;
  readonly process: number;
  readonly rows: readonly Row[];
  readonly effects: readonly Effect[];
  readonly hiddenState: HiddenState;
  /** Whether no process is within a turn. */
  readonly isIdle: boolean;
}

export interface Reply<Row = unknown> {
  readonly value: unknown;
  readonly description: string;
  readonly isFault?: boolean;
  readonly rows?: readonly Row[];
  readonly effects?: readonly Effect[];
  readonly hiddenState?: HiddenState;
}

/** What a turn changes when it ends. */
export type Change = Pick<Reply, "effects" | "hiddenState">;

/** The engine under test, and the replies of the model to its requests. */
export interface Subject<Row = unknown> {
  turnsOf(view: View<Row>): Turn[];
  begin(turn: Turn): Generator<unknown, unknown, unknown>;
  /**
   * The kind of a request. A `read` changes nothing. The other process can act before any request of another kind, except between a `clock`
   * and the `call` directly after it. `wait` is the time at which the wait ends, in milliseconds since 1970.
   */
  kindOf(request: unknown): "read" | "write" | "call" | "clock" | { readonly wait: number };
  isTimeRequest(request: unknown): boolean;
  /** Whether a write stores the turn's own payment. After such a write, the turn uses no data of other payments that it read before. */
  isOwnWrite(request: unknown, turn: Turn): boolean;
  /** The replies to a successful and to a failed write. */
  readonly writeReplies: readonly [unknown, unknown];
  /** The number of the last attempt in the payment that a write stores; undefined if there is none. */
  attemptOf(request: unknown): number | undefined;
  repliesTo(request: unknown, view: View<Row>, turn: Turn): Reply<Row>[];
  /** The reply to a `write` that is bound to fail; undefined if the write can still succeed. */
  certainFailure(request: unknown, view: View<Row>): unknown;
  changeAtEnd(turn: Turn, result: unknown, view: View<Row>): Change | undefined;
  /** The violation when a turn throws an error; undefined if the engine refuses a person's decision with the error, which is permitted. */
  violationOfError(turn: Turn, error: unknown): string | undefined;
  /** The rows with the same version each, for states in which no process is within a turn. */
  withEqualVersions(rows: readonly Row[]): readonly Row[];
  /** The violation in a state; undefined if there is none. `limit: …` if the world broke a stated limit. */
  check(view: View<Row>): string | undefined;
  /** The violation in a final state, which no process can change; undefined if there is none. */
  checkEnd(view: View<Row>): string | undefined;
  readonly initialRows: readonly Row[];
}

export interface Result {
  readonly stateCount: number;
  readonly transitionCount: number;
  /** The number of states that were found but not expanded, because the exploration ended first. */
  readonly unexpandedCount: number;
  readonly depth: number;
  /** The number of final states, which no process can change. */
  readonly finalStateCount: number;
  /** The number of states in which no process is within a turn. */
  readonly idleStateCount: number;
  /** The number of states in which a stated limit was broken, by limit. Such states are not expanded. */
  readonly limits: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly megabytes: number;
  readonly violation?: string;
  /** The steps from the initial state to the violation. */
  readonly story?: readonly string[];
}

/** Faults that can be put into the code around the engine, to test that the exploration finds a violation. */
export interface Flaws {
  /** The store writes without comparing versions. */
  readonly ignoresVersions?: boolean;
  /** The store accepts several equal payments with `holds`. */
  readonly ignoresHolds?: boolean;
  /** The client reports every refused connection as `not-sent`, even one that the partner's own code opened, for example to a log. */
  readonly believesAnyConnection?: boolean;
}
