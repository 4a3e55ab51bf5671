import { UsageError } from "./usage-error.ts";

/**
 * @param name names the value in the message, such as "operation createTransfer".
 * @throws {UsageError} if the value is undefined.
 */
export function found<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new UsageError(`There is no ${name}.`);
  return value;
}

/** Like {@link found}, for a value that only a mistake in the program can leave out: a plain Error is shown with its stack. */
export function present<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`There is no ${name}.`);
  return value;
}
