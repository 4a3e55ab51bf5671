/** Branches on the value of an open set: known values, and values that the service adds later. */

/** The listed values of an open set. */
export type KnownValues<Value extends string> = Value extends string ? (string extends Value ? never : Value) : never;

type Branches<Value extends string, Result> = { [Known in KnownValues<Value>]?: (value: Known) => Result } & {
  /** Called for every value that has no branch. */
  otherwise: (value: string) => Result;
};

/**
 * Calls the branch of a value, or `otherwise` when the value has none.
 *
 * @param value a value of an open set.
 * @param branches a function for each value to handle, and `otherwise`.
 * @returns the return value of the function that was called.
 * @example match(transfer.status, { SUCCESSFUL: () => "done", otherwise: (status) => `failed: ${status}` })
 */
export function match<Value extends string, Result>(value: Value, branches: Branches<Value, Result>): Result {
  const named = branches as Record<string, ((value: string) => Result) | undefined>;
  const branch = Object.hasOwn(named, value) && value !== "otherwise" ? named[value] : undefined;
  return (branch ?? branches.otherwise)(value);
}
