import { contract } from "../../../../generated/client/contract.ts";
import { createTransfer } from "../../../../generated/client/operation-table.ts";
import type { Policy } from "../../../../scripts/client/src/payments/protocol.ts";
import type { Bounds } from "./explore.ts";
import { allAnswers, answers, usual, type World } from "./service.ts";

/** A difference from the usual world and policy. */
export type Change = Partial<World> & { readonly policy?: Partial<Policy> };

/** The statuses and codes with which the service refuses a transfer without an effect. */
const refusals = [400, 404].flatMap((status) =>
  (createTransfer.responses[status] ?? [])
    .filter((code) => [...contract.codes.never, ...contract.codes["after-change"]].includes(code))
    .map((code) => [status, code] as const),
);

const clocks = (service: number, a: number, b: number, ofStore?: number): Change => ({
  clocks: { service, processes: [a, b], ...(ofStore === undefined ? {} : { ofStore }) },
});

/** A story that starts 10 minutes before (for a negative zone) or after the start of a month in the zone of the history. */
const edge = (zone: number, change: Change = {}): Change => ({
  start: new Date(
    Date.parse(zone < 0 ? "2026-05-31T23:50:00Z" : "2026-06-01T00:10:00Z") - zone * 3_600_000,
  ).toISOString(),
  zone,
  windowZone: zone,
  ...change,
});

/** Worlds that differ in clocks, months or histories. */
const first: Readonly<Record<string, Change>> = {
  usual: {},
  "the service's clock is 14 minutes ahead": clocks(14, 0, 0),
  "the service's clock is 14 minutes behind": clocks(-14, 0, 0),
  "the clocks of the processes are 14 minutes apart": clocks(0, 0, 14),
  "the store has a clock, 14 minutes ahead": clocks(0, 7, 0, 14),
  "a clock jumps ahead by 14 minutes": { jumps: [14] },
  "a clock jumps back by 14 minutes": { jumps: [-14] },
  "a month ends, UTC": edge(0),
  "a month ends, zone +2": edge(2),
  "a month ends, zone -8": edge(-8),
  "a month ends, zone +14": edge(14),
  "a month ends, zone -12": edge(-12),
  "a month ends in +2, the window is in UTC": edge(2, { windowZone: 0 }),
  "a month ends in UTC, the window is in -8": edge(0, { windowZone: -8 }),
  "the user was created this month": { start: "2026-06-01T00:10:00.000Z", firstMonth: "2026-06" },
  "records come late": { shows: [0, 24] },
  "records can come later than repeatAfter": { shows: [0, 40] },
  "records can be missing for ever": { shows: [0, null] },
  "a history can leave records out, and shows it": { omits: "seen" },
  "a history can leave records out, unseen": { omits: "unseen" },
  "a history can fail": { failsToRead: true },
};

/** All worlds: `first`, and worlds that differ in fields, events, answers, other programs or operations. */
const changes: Readonly<Record<string, Change>> = {
  ...first,
  "records have no currency": { sparse: true },
  "records have a fee in their amount": { recordsDiffer: "amount" },
  "records have a generic type": { recordsDiffer: "type" },
  "SEPA transfer, records have another spelling of the title": { operation: "sepa", recordsDiffer: "title" },
  "events never come": { events: 0 },
  "events come twice": { events: 2 },
  "transfers are in progress, then succeed or fail": { begins: "IN_PROGRESS" },
  "transfers are in progress, then succeed or fail with another status": { begins: "IN_PROGRESS", statuses: "another" },
  "transfers are in progress, then succeed or fail, without a status": { begins: "IN_PROGRESS", statuses: "none" },
  "transfers are returned": { returns: true },
  "every answer": { answers: allAnswers(refusals) },
  "calls arrive late": { answers: answers.late },
  "another program paid the same an hour ago": { others: [{ at: -60 }] },
  "another program paid the same an hour ago, its record comes late": { others: [{ at: -60, shows: 10 }] },
  "another program paid the same 10 minutes ago": { others: [{ at: -10 }] },
  "another program pays the same meanwhile": { others: [{ at: "meanwhile" }] },
  "another program pays the same meanwhile, identifiers": {
    others: [{ at: "meanwhile" }],
    policy: { evidence: "identifiers" },
  },
  "another amount is paid meanwhile": { others: [{ at: "meanwhile", differs: "amount" }] },
  "another user is paid meanwhile": { others: [{ at: "meanwhile", differs: "user" }] },
  "between users": { operation: "between", others: [{ at: "meanwhile", differs: "user" }] },
  withdrawal: { operation: "withdraw" },
  "withdrawal, fees added": { operation: "withdraw", fees: "added", others: [{ at: "meanwhile", differs: "amount" }] },
  "withdrawal, fees deducted": {
    operation: "withdraw",
    fees: "deducted",
    others: [{ at: "meanwhile", differs: "address" }],
  },
  "withdrawal, bare events": { operation: "withdraw", bareEvents: true },
  "SEPA transfer": { operation: "sepa" },
  "SEPA transfer, bare events of failures": { operation: "sepa", bareEvents: true, begins: "IN_PROGRESS" },
};

/** A world to explore, with the partner's policy and the bounds. */
export interface Case {
  readonly name: string;
  readonly world: World;
  readonly policy: Partial<Policy>;
  readonly bounds: Bounds;
}

const none: Bounds = { payments: 1, faults: 1, kills: 0, decisions: 0, jumps: 0, interruptions: 0, states: 10_000_000 };

export function caseOf(names: readonly string[], bounds: Partial<Bounds>, policy: Partial<Policy> = {}): Case {
  const { policy: more = {}, ...change } = Object.assign({}, ...names.map((name) => changes[name])) as Change;
  const world = { ...usual, ...change, name: names.join("; ") };
  const all: Bounds = { ...none, jumps: world.jumps.length > 0 ? 1 : 0, ...bounds };
  const repeats = policy.repeatAfterMs ? ", repeatAfter" : "";
  const limits = ["faults", "kills", "decisions"] as const;
  const most = limits
    .filter((name) => all[name] > 0)
    .map((name) => `${all[name]} ${all[name] === 1 ? name.slice(0, -1) : name}`)
    .join(", ");
  return {
    name: `${world.name} (${[all.payments === 1 ? "one payment" : "two payments", most].filter(Boolean).join(", ")}${repeats})`,
    world,
    policy: { ...policy, ...more },
    bounds: all,
  };
}

export const repeatAfter = { repeatAfterMs: 25 * 60_000 };

const names = Object.keys(changes);
const withPolicies = <Made>(make: (policy: Partial<Policy>) => Made): Made[] => [make({}), make(repeatAfter)];

/** Whether two changes can be combined: no member has different values in both. */
function canMeet(a: Change, b: Change): boolean {
  const members = Object.keys(a) as (keyof Change)[];
  return members.every((member) => !(member in b) || JSON.stringify(a[member]) === JSON.stringify(b[member]));
}

const pairs: readonly (readonly [string, string])[] = names.flatMap((a, index) =>
  names.slice(index + 1).flatMap((b) => {
    const [one, other] = [changes[a] as Change, changes[b] as Change];
    return a !== "usual" && canMeet(one, other) ? [[a, b] as const] : [];
  }),
);

/** A case with two equal payments, in which a person decides about one while a process reads evidence for the other. */
export function equalCase(change: Partial<World>): Case {
  const one = caseOf(["usual"], { payments: 2, decisions: 1, interruptions: 1 });
  return { ...one, name: "two equal payments, interrupted reading", world: { ...one.world, times: [0], ...change } };
}

/** Worlds that differ in clocks or histories, with one fault, for `npm run test:all`. The worlds of months are left to the ablations. */
export const quickCases: readonly Case[] = [
  caseOf(["usual"], {}),
  ...Object.keys(first)
    .filter((name) => !name.includes("month"))
    .map((name) => caseOf([name], {}, repeatAfter)),
  equalCase({ answers: answers.ineffective, events: 0 }),
];

/** Each world alone, and every 15th pair, with one fault. */
export const halfCases: readonly Case[] = [
  ...names.flatMap((name) => withPolicies((policy) => caseOf([name], {}, policy))),
  ...pairs.filter((_, index) => index % 15 === 0).map((pair) => caseOf(pair, {}, repeatAfter)),
];

/**
 * The bounds for exploring a world alone. If the clocks of the processes differ, there are more states, because processes are not
 * interchangeable and stored times have more values: two faults, a kill and a decision together would not fit into memory.
 */
function fullBounds(name: string): Partial<Bounds>[] {
  const { clocks, jumps } = { ...usual, ...changes[name] };
  const haveOwnClocks =
    jumps.length > 0 || (clocks.ofStore === undefined && clocks.processes[0] !== clocks.processes[1]);
  if (!haveOwnClocks) return [{ faults: 2, kills: 1, decisions: 1 }];
  return [
    { faults: 2, kills: 1 },
    { faults: 1, decisions: 1 },
  ];
}

/** Each world at full bounds, two equal payments, and all pairs, for the nightly run. */
export const fullCases: readonly Case[] = [
  ...names.flatMap((name) =>
    withPolicies((policy) => fullBounds(name).map((bounds) => caseOf([name], bounds, policy))).flat(),
  ),
  equalCase({ answers: answers.lost }),
  caseOf(["usual"], { payments: 2, faults: 2 }),
  caseOf(["usual"], { payments: 2, faults: 2, kills: 1, decisions: 1, interruptions: 1, states: 2_000_000 }),
  ...pairs.map((pair) => caseOf(pair, {}, repeatAfter)),
];
