/** The token under which the client is injected. */
export const WALLET = Symbol("wallet");
