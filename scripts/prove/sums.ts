import type { EventSequence, Sums } from "./receiver-events.ts";
import type { Problem } from "./report.ts";

/** Millionths, because no currency in the receiver's ledger has more than six decimal places. */
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

/** Only the sums of users with a movement are compared, not those of the partner. */
export function judgeSums(
  actualSums: Sums,
  { expectedSums, movements }: Pick<EventSequence, "expectedSums" | "movements">,
): Problem[] {
  const users = new Set(movements.flatMap(({ sums }) => Object.keys(sums).map((name) => name.split("/")[0])));
  const names = new Set(
    [...Object.keys(expectedSums), ...Object.keys(actualSums)].filter((name) => users.has(name.split("/")[0])),
  );
  return [...names].flatMap((name): Problem[] => {
    const [expectedSum = "0", actualSum = "0"] = [expectedSums[name], actualSums[name]];
    const difference = unitsOf(actualSum) - unitsOf(expectedSum);
    if (difference === 0) return [];
    const changes = movements.map(({ description, sums }) => ({
      description,
      units: unitsOf(sums[name] ?? "0"),
    }));
    const extraMovement = changes.find(({ units }) => difference % units === 0 && difference / units >= 1);
    const lostMovement = changes.find(({ units }) => difference === -units);
    const sum = `${name} is ${expectedSum}, and the ledger has ${actualSum}`;
    if (lostMovement !== undefined)
      return [{ kind: "event-lost", seen: `${sum}, as without ${lostMovement.description}.` }];
    if (extraMovement !== undefined) {
      const times = difference / extraMovement.units;
      const timesText = times === 1 ? "one time too often" : `${times} times too often`;
      return [
        { kind: "event-counted-twice", seen: `${sum}, as if ${extraMovement.description} were counted ${timesText}.` },
      ];
    }
    return [{ kind: "wrong-sum", seen: `${sum}.` }];
  });
}
