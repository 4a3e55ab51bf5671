import { didYouMean } from "../contract/messages/index.ts";
import { ProveError } from "./processes.ts";
import type { Call } from "./report.ts";

/** Parses a value of `--only`, such as `late-effect,two-faults:createTransfer:2`. Undefined `calls`: the condition is tested at all calls. */
export function parseOnly<Condition extends { readonly name: string }>(
  only: string | undefined,
  conditions: readonly Condition[],
): readonly { readonly condition: Condition; readonly calls: readonly Call[] | undefined }[] {
  const names = conditions.map(({ name }) => name);
  const parts = (only?.split(",") ?? names).map((text) => {
    const [name = "", operation, number = ""] = text.trim().split(":");
    if (!names.includes(name)) {
      throw new ProveError(
        `There is no condition ${JSON.stringify(name)}.${didYouMean(name, names)} --list names all of them.`,
      );
    }
    if (operation !== undefined && !/^[1-9]\d{0,3}$/.test(number)) {
      throw new ProveError(`${JSON.stringify(text)} is no call: write it as ${name}:createTransfer:2.`);
    }
    return { name, call: operation === undefined ? undefined : { operation, number: Number(number) } };
  });
  return conditions.flatMap((condition) => {
    const calls = parts.filter(({ name }) => name === condition.name).map(({ call }) => call);
    if (calls.length === 0) return [];
    return [{ condition, calls: calls.every((call) => call !== undefined) ? calls : undefined }];
  });
}

export function formatOnly(name: string, call: Call | undefined): string {
  return call === undefined ? name : `${name}:${call.operation}:${call.number}`;
}
