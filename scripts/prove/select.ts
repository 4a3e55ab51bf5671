/** Parses `--only`: conditions, and single calls under a condition. */
import { didYouMean } from "../contract/messages/index.ts";
import { ProveError } from "./processes.ts";
import type { Call } from "./report.ts";

/** A condition and its calls. */
export interface SelectedCondition {
  readonly name: string;
  /** The calls to which it is applied; undefined for all. */
  readonly calls: readonly Call[] | undefined;
}

/**
 * Parses names such as `late-effect` and `late-effect:createTransfer:2`.
 *
 * @param only names separated by commas; undefined selects all.
 * @param known the existing names.
 * @throws {ProveError} when a name is unknown, with the nearest one.
 */
export function readOnly(only: string | undefined, known: readonly string[]): readonly SelectedCondition[] {
  if (only === undefined) return known.map((name) => ({ name, calls: undefined }));
  const parts = only.split(",").map((text) => {
    const [name = "", operation, number] = text.trim().split(":");
    if (!known.includes(name)) {
      throw new ProveError(
        `There is no condition ${JSON.stringify(name)}.${didYouMean(name, known)} --list names all of them.`,
      );
    }
    if (operation === undefined) return { name };
    if (!/^[1-9]\d{0,3}$/.test(number ?? "")) {
      throw new ProveError(`${JSON.stringify(text)} is no call: write it as ${name}:createTransfer:2.`);
    }
    return { name, call: { operation, number: Number(number) } };
  });
  return [...new Set(parts.map(({ name }) => name))].map((name) => {
    const calls = parts.filter((part) => part.name === name).map(({ call }) => call);
    return { name, calls: calls.every((call) => call !== undefined) ? calls : undefined };
  });
}

/** The value of `--only` for one call under a condition. */
export function onlyOf(name: string, call: Call | undefined): string {
  return call === undefined ? name : `${name}:${call.operation}:${call.number}`;
}
