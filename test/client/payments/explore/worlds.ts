import { contract } from "../../../../generated/client/contract.ts";
import { createTransfer } from "../../../../generated/client/operation-table.ts";
import type { Policy } from "../../../../scripts/client/src/payments/protocol.ts";
import type { Bounds } from "./model.ts";
import { policyOf } from "./policy.ts";
import { allCallEndings, callEndings, usualWorld, type World } from "./service.ts";

export type WorldChange = Partial<World> & { readonly policy?: Partial<Policy> };

/** The statuses and P-codes that show that a transfer was refused and had no effect. */
const refusals = [400, 404].flatMap((status) =>
  (createTransfer.responses[status] ?? [])
    .filter((code) => [...contract.codes.never, ...contract.codes["after-change"]].includes(code))
    .map((code) => [status, code] as const),
);

const withClocks = (service: number, firstProcess: number, secondProcess: number, ofStore?: number): WorldChange => ({
  clocks: { service, processes: [firstProcess, secondProcess], ...(ofStore === undefined ? {} : { ofStore }) },
});

/** A start 10 minutes before (negative zones) or 10 minutes after (other zones) a month begins in the zone of the history. */
const atMonthBoundary = (zone: number, change: WorldChange = {}): WorldChange => ({
  start: new Date(
    Date.parse(zone < 0 ? "2026-05-31T23:50:00Z" : "2026-06-01T00:10:00Z") - zone * 3_600_000,
  ).toISOString(),
  zone,
  windowZone: zone,
  ...change,
});

/** Worlds that differ in clocks, months or histories. */
const clockWorlds: Readonly<Record<string, WorldChange>> = {
  usual: {},
  "the service's clock is 14 minutes ahead": withClocks(14, 0, 0),
  "the service's clock is 14 minutes behind": withClocks(-14, 0, 0),
  "the clocks of the processes are 14 minutes apart": withClocks(0, 0, 14),
  "the store has a clock, 14 minutes ahead": withClocks(0, 7, 0, 14),
  "a clock jumps ahead by 14 minutes": { jumps: [14] },
  "a clock jumps back by 14 minutes": { jumps: [-14] },
  "a month ends, UTC": atMonthBoundary(0),
  "a month ends, zone +2": atMonthBoundary(2),
  "a month ends, zone -8": atMonthBoundary(-8),
  "a month ends, zone +14": atMonthBoundary(14),
  "a month ends, zone -12": atMonthBoundary(-12),
  "a month ends in +2, the window is in UTC": atMonthBoundary(2, { windowZone: 0 }),
  "a month ends in UTC, the window is in -8": atMonthBoundary(0, { windowZone: -8 }),
  "the user was created this month": { start: "2026-06-01T00:10:00.000Z", firstMonth: "2026-06" },
  "records come late": { recordDelays: [0, 24] },
  "records can come later than repeatAfter": { recordDelays: [0, 40] },
  "records can be missing for ever": { recordDelays: [0, null] },
  "a history can leave records out, and shows it": { omission: "seen" },
  "a history can leave records out, unseen": { omission: "unseen" },
  "a history can fail": { canFailHistory: true },
};

/** All worlds: `clockWorlds`, and worlds that differ in records, events, endings of calls, other programs or operations. */
const worldChanges: Readonly<Record<string, WorldChange>> = {
  ...clockWorlds,
  "records have no currency": { recordsLackCurrency: true },
  "records have a fee in their amount": { recordDifference: "amount" },
  "records have a generic type": { recordDifference: "type" },
  "SEPA transfer, records have another spelling of the title": { operation: "sepa", recordDifference: "title" },
  "events never come": { deliveriesPerEvent: 0 },
  "events come twice": { deliveriesPerEvent: 2 },
  "transfers are in progress, then succeed or fail": { initialStatus: "IN_PROGRESS" },
  "transfers are in progress, then succeed or fail with another status": {
    initialStatus: "IN_PROGRESS",
    statuses: "another",
  },
  "transfers are in progress, then succeed or fail, without a status": {
    initialStatus: "IN_PROGRESS",
    statuses: "none",
  },
  "transfers are returned": { canReturn: true },
  "every answer": { callEndings: allCallEndings(refusals) },
  "calls arrive late": { callEndings: callEndings.late },
  "another program paid the same an hour ago": { otherPayments: [{ paidAt: -60 }] },
  "another program paid the same an hour ago, its record comes late": {
    otherPayments: [{ paidAt: -60, recordAppearsAt: 10 }],
  },
  "another program paid the same 10 minutes ago": { otherPayments: [{ paidAt: -10 }] },
  "another program pays the same meanwhile": { otherPayments: [{ paidAt: "meanwhile" }] },
  "another program pays the same meanwhile, identifiers": {
    otherPayments: [{ paidAt: "meanwhile" }],
    policy: { evidence: "identifiers" },
  },
  "another amount is paid meanwhile": { otherPayments: [{ paidAt: "meanwhile", differingMember: "amount" }] },
  "another user is paid meanwhile": { otherPayments: [{ paidAt: "meanwhile", differingMember: "user" }] },
  "between users": { operation: "between", otherPayments: [{ paidAt: "meanwhile", differingMember: "user" }] },
  withdrawal: { operation: "withdraw" },
  "withdrawal, fees added": {
    operation: "withdraw",
    fees: "added",
    otherPayments: [{ paidAt: "meanwhile", differingMember: "amount" }],
  },
  "withdrawal, fees deducted": {
    operation: "withdraw",
    fees: "deducted",
    otherPayments: [{ paidAt: "meanwhile", differingMember: "address" }],
  },
  "withdrawal, bare events": { operation: "withdraw", hasBareEvents: true },
  "SEPA transfer": { operation: "sepa" },
  "SEPA transfer, bare events of failures": { operation: "sepa", hasBareEvents: true, initialStatus: "IN_PROGRESS" },
};

export interface Case {
  readonly name: string;
  readonly world: World;
  readonly policy: Partial<Policy>;
  readonly bounds: Bounds;
}

const defaultBounds: Bounds = {
  payments: 1,
  faults: 1,
  kills: 0,
  decisions: 0,
  jumps: 0,
  interruptions: 0,
  states: 10_000_000,
};

export function caseOf(names: readonly string[], bounds: Partial<Bounds>, policy: Partial<Policy> = {}): Case {
  const { policy: worldPolicy = {}, ...change } = Object.assign(
    {},
    ...names.map((name) => worldChanges[name]),
  ) as WorldChange;
  const world = { ...usualWorld, ...change, name: names.join("; ") };
  const allBounds: Bounds = { ...defaultBounds, jumps: world.jumps.length > 0 ? 1 : 0, ...bounds };
  const repeatText = policy.repeatAfterMs ? ", repeatAfter" : "";
  const limits = ["faults", "kills", "decisions"] as const;
  const boundTexts = limits
    .filter((name) => allBounds[name] > 0)
    .map((name) => `${allBounds[name]} ${allBounds[name] === 1 ? name.slice(0, -1) : name}`)
    .join(", ");
  return {
    name: `${world.name} (${[allBounds.payments === 1 ? "one payment" : "two payments", boundTexts].filter(Boolean).join(", ")}${repeatText})`,
    world,
    policy: { ...policy, ...worldPolicy },
    bounds: allBounds,
  };
}

export const repeatAfter = { repeatAfterMs: 25 * 60_000 };

const names = Object.keys(worldChanges);
const forBothPolicies = <Result>(make: (policy: Partial<Policy>) => Result): Result[] => [make({}), make(repeatAfter)];

/** Whether the changes agree in every member that both have, and the clocks differ by at most what the engine allows. */
function canCombine(a: WorldChange, b: WorldChange): boolean {
  const members = Object.keys(a) as (keyof WorldChange)[];
  if (!members.every((member) => !(member in b) || JSON.stringify(a[member]) === JSON.stringify(b[member])))
    return false;
  const { clocks, jumps } = { ...usualWorld, ...a, ...b };
  const leads = clocks.processes.flatMap((lead) => [lead, ...jumps.map((jump) => lead + jump)]);
  const comparedLeads = clocks.ofStore === undefined ? [clocks.service, ...leads] : [clocks.service, clocks.ofStore];
  return (Math.max(...comparedLeads) - Math.min(...comparedLeads)) * 60_000 <= policyOf().allowanceMs;
}

const pairs: readonly (readonly [string, string])[] = names.flatMap((a, index) =>
  names.slice(index + 1).flatMap((b) => {
    const [firstChange, secondChange] = [worldChanges[a] as WorldChange, worldChanges[b] as WorldChange];
    return a !== "usual" && canCombine(firstChange, secondChange) ? [[a, b] as const] : [];
  }),
);

/** A case with two equal payments, in which a person decides about one while a process reads evidence for the other. */
export function equalCase(change: Partial<World>): Case {
  const usualCase = caseOf(["usual"], { payments: 2, decisions: 1, interruptions: 1 });
  return {
    ...usualCase,
    name: "two equal payments, interrupted reading",
    world: { ...usualCase.world, times: [0], ...change },
  };
}

/** The cases of `npm run test:all`, with one fault: worlds that differ in clocks or histories, but not in months, and two equal payments. */
export const quickCases: readonly Case[] = [
  caseOf(["usual"], {}),
  ...Object.keys(clockWorlds)
    .filter((name) => !name.includes("month"))
    .map((name) => caseOf([name], {}, repeatAfter)),
  equalCase({ callEndings: callEndings.ineffective, deliveriesPerEvent: 0 }),
];

/**
 * The bounds for exploring a world alone. If the clocks of the processes differ, there are more states, because processes are not
 * interchangeable and stored times have more values: two faults, a kill and a decision together would not fit into memory.
 */
function fullBounds(name: string): Partial<Bounds>[] {
  const { clocks, jumps } = { ...usualWorld, ...worldChanges[name] };
  const haveOwnClocks =
    jumps.length > 0 || (clocks.ofStore === undefined && clocks.processes[0] !== clocks.processes[1]);
  if (!haveOwnClocks) return [{ faults: 2, kills: 1, decisions: 1 }];
  return [
    { faults: 2, kills: 1 },
    { faults: 1, decisions: 1 },
  ];
}

/** Takes 20 minutes, and more memory than two processes may have. */
export const longCases: readonly Case[] = [caseOf(["usual"], { payments: 2, faults: 2, states: 20_000_000 })];

/** Each world at full bounds, two equal payments, and the pairs of worlds that can be combined. A twelfth of these cases runs each night. */
export const fullCases: readonly Case[] = [
  ...names.flatMap((name) =>
    forBothPolicies((policy) => fullBounds(name).map((bounds) => caseOf([name], bounds, policy))).flat(),
  ),
  equalCase({ callEndings: callEndings.lost }),
  caseOf(["usual"], { payments: 2, faults: 2, kills: 1, decisions: 1, interruptions: 1, states: 2_000_000 }),
  ...pairs.map((pair) => caseOf(pair, {}, repeatAfter)),
];
