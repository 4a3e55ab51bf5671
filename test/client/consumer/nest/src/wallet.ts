export const WALLET = Symbol("wallet");
