/** Open sets: known values, and whatever the service adds. */

/** The listed values of an open set. */
export type KnownValues<Value extends string> = Value extends string ? (string extends Value ? never : Value) : never;

type Branches<Value extends string, Result> = { [Known in KnownValues<Value>]?: (value: Known) => Result } & {
  /** Called for every value that has no branch: the set can grow. */
  otherwise: (value: string) => Result;
};

/**
 * Calls the branch of a value, or `otherwise`.
 *
 * @example match(transfer.status, { SUCCESSFUL: () => "done", otherwise: (status) => `failed: ${status}` })
 */
export function match<Value extends string, Result>(value: Value, branches: Branches<Value, Result>): Result {
  const named = branches as Record<string, ((value: string) => Result) | undefined>;
  const branch = Object.hasOwn(named, value) && value !== "otherwise" ? named[value] : undefined;
  return (branch ?? branches.otherwise)(value);
}
