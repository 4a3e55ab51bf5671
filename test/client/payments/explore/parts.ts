import type { Case } from "./worlds.ts";

/** Millions of states, measured with two faults, a kill and a decision: without and with `repeatAfter`. Used to balance the parts. */
const largeWorlds: Readonly<Record<string, readonly [number, number]>> = {
  "every answer": [2, 2.6],
  "transfers are in progress, then succeed or fail": [0.5, 1.3],
  "transfers are in progress, then succeed or fail with another status": [0.5, 1.1],
  "transfers are in progress, then succeed or fail, without a status": [0.5, 1.2],
  "transfers are returned": [0.6, 2],
  "records come late": [0.6, 0.8],
  "records can come later than repeatAfter": [0.6, 0.7],
  "records can be missing for ever": [0.5, 0.8],
  "a history can fail": [0.4, 0.5],
  "another program pays the same meanwhile": [2.3, 2.3],
  "another program pays the same meanwhile, identifiers": [0.9, 0.9],
  "another amount is paid meanwhile": [1.1, 1.4],
  "another user is paid meanwhile": [0.6, 0.9],
  "between users": [1.6, 2],
  "withdrawal, fees added": [1.4, 1.8],
  "withdrawal, fees deducted": [2.4, 2.8],
  "SEPA transfer, bare events of failures": [0.7, 1.6],
};

function sizeOf({ world, bounds, policy }: Case): number {
  if (bounds.payments === 2) return bounds.kills === 1 ? 2 : 0.5;
  if (bounds.decisions === 0 && bounds.faults === 1) return 0.02;
  const [size, sizeWithRepeats] = largeWorlds[world.name] ?? [0.15, 0.2];
  return policy.repeatAfterMs ? sizeWithRepeats : size;
}

/** One of `count` parts with about as many states each. The first part has the number 1. Large cases come first. */
export function partOf(cases: readonly Case[], number: number, count: number): readonly Case[] {
  const parts = Array.from({ length: count }, () => ({ size: 0, cases: [] as Case[] }));
  for (const largestCase of [...cases].sort((a, b) => sizeOf(b) - sizeOf(a))) {
    const smallestPart = parts.reduce((smallest, part) => (part.size < smallest.size ? part : smallest));
    smallestPart.cases.push(largestCase);
    smallestPart.size += sizeOf(largestCase);
  }
  return parts[number - 1]?.cases ?? [];
}
