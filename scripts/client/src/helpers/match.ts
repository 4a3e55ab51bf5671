/** The values that the contract lists for an open set, such as a status that may get further values later. */
export type KnownValues<Value> = Value extends string ? (string extends Value ? never : Value) : never;

type Branches<Value> = { readonly [Known in KnownValues<Value>]?: (value: Known) => unknown } & {
  /** Called for every value without a branch, and for a missing value. */
  readonly otherwise: (value: string | Exclude<Value, string>) => unknown;
};

type ReturnOf<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (...args: never[]) => infer Result ? Result : never;
}[keyof Functions];

/**
 * Calls the branch of a value; `otherwise` when the value has no branch, or is null or undefined.
 *
 * @param value a value of an open set, or of a field that can be missing or null.
 * @param branches a function for each value to handle, and `otherwise`.
 * @returns the return value of the function that was called.
 * @example match(transfer.status, { SUCCESSFUL: () => "done", UNSUCCESSFUL: () => "failed", otherwise: () => "look it up" })
 */
export function match<Value extends string | null | undefined, GivenBranches extends Branches<Value>>(
  value: Value,
  branches: GivenBranches & {
    readonly [Name in Exclude<keyof GivenBranches, KnownValues<Value> | "otherwise">]: never;
  },
): ReturnOf<GivenBranches> {
  const functions = branches as unknown as Record<string, ((value: Value) => ReturnOf<GivenBranches>) | undefined>;
  const name = value ?? "otherwise";
  const branch = Object.hasOwn(functions, name) && value !== "otherwise" ? functions[name] : undefined;
  return (branch ?? (functions.otherwise as (value: Value) => ReturnOf<GivenBranches>))(value);
}
