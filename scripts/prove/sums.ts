import type { EventSequence, Sums } from "./receiver-events.ts";
import type { Problem } from "./report.ts";

/** Converts an amount to millionths, because no currency in the receiver's ledger has more than six decimal places. */
const unitsOf = (amount: string) => Math.round(Number(amount) * 1e6);
const maxSums = 1000;

/** Parses the last line in the form `{"sums":{"user-a/eur":"1.00"}}`. @returns undefined when there is no such line. */
export function readSums(text: string): Sums | undefined {
  for (const line of text.trim().split("\n").toReversed()) {
    try {
      const { sums } = JSON.parse(line) as { sums?: unknown };
      if (typeof sums !== "object" || sums === null) continue;
      const entries = Object.entries(sums).slice(0, maxSums);
      if (entries.every(([, amount]) => /^-?\d+(\.\d+)?$/.test(String(amount)))) {
        return Object.fromEntries(entries.map(([name, amount]) => [name, String(amount)]));
      }
    } catch {}
  }
  return undefined;
}

/** Compares the receiver's ledger with the expected sums. Sums that belong to no user, such as the partner's, are ignored. */
export function judgeSums(
  found: Sums,
  { expectedSums, movements }: Pick<EventSequence, "expectedSums" | "movements">,
): Problem[] {
  const users = new Set(movements.flatMap(({ sums }) => Object.keys(sums).map((name) => name.split("/")[0])));
  const names = new Set(
    [...Object.keys(expectedSums), ...Object.keys(found)].filter((name) => users.has(name.split("/")[0])),
  );
  return [...names].flatMap((name): Problem[] => {
    const [expected = "0", actual = "0"] = [expectedSums[name], found[name]];
    const difference = unitsOf(actual) - unitsOf(expected);
    if (difference === 0) return [];
    const changes = movements.map(({ what, sums }) => ({ what, units: unitsOf(sums[name] ?? "0") }));
    const extra = changes.find(({ units }) => difference % units === 0 && difference / units >= 1);
    const lost = changes.find(({ units }) => difference === -units);
    const sum = `${name} is ${expected}, and the ledger has ${actual}`;
    if (lost !== undefined) return [{ kind: "event-lost", seen: `${sum}, as without ${lost.what}.` }];
    if (extra !== undefined) {
      const times = difference / extra.units;
      const more = times === 1 ? "one time too often" : `${times} times too often`;
      return [{ kind: "event-counted-twice", seen: `${sum}, as if ${extra.what} were counted ${more}.` }];
    }
    return [{ kind: "wrong-sum", seen: `${sum}.` }];
  });
}
