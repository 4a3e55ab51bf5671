/** The injection token of the client. */
export const WALLET = Symbol("wallet");
