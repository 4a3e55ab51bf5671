/** The number of payments that each process makes at the same time. */
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

/** The payments of a round are numbered from `firstNumber`. No two rounds share a number. */
export interface Round {
  readonly firstNumber: number;
  readonly count: number;
}

export interface RoundResult {
  readonly cpuMs: number;
}
