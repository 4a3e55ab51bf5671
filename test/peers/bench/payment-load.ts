/** The number of payments that a process makes at the same time. */
export const paymentsAtOnce = 16;
export const userCount = 4000;

/**
 * What a process makes: plain calls, the calls that a payment makes (which also read the history), or payments with a store. `location` is
 * the path of the database in SQLite, or the connection to Postgres as JSON.
 */
export interface Load {
  readonly kind: "plain calls" | "calls of a payment" | "sqlite" | "postgres";
  readonly location?: string;
}

/** A message to a process: the payments to make. Each number is used once. */
export interface Round {
  readonly firstNumber: number;
  readonly count: number;
}

/** The reply of a process after a round. */
export interface RoundResult {
  /** The processor time of the process, in milliseconds. */
  readonly cpuMs: number;
}
