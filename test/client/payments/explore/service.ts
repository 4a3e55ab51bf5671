/**
 * A model of the service for calls that move money, made only from the interface specification and the open questions. Its functions take
 * and return immutable plain data: the effects so far, and the possible responses and changes. Times are minutes after the initial state,
 * by a true clock that neither the processes nor the service can read.
 */

const minute = 60_000;

/** One way in which a call can end: the response that the process receives, and the effect at the service. */
export interface CallEnding {
  readonly description: string;
  /**
   * The response, or how the call failed: the connection to the service was refused, the connection broke after the request was sent, or
   * the partner's own code failed.
   */
  readonly response:
    | { readonly status: number; readonly code?: string }
    | "not-connected"
    | "broken"
    | "failed-elsewhere";
  /** The response body contains the identifier of the created resource. */
  readonly hasIdentifier?: true;
  /** The response states that the call had no effect. */
  readonly isRefusal?: true;
  /** Minutes from the call to its effect; undefined if the call has no effect. */
  readonly effectAfterMinutes?: number;
  readonly isFault: boolean;
}

const createdEnding: CallEnding = {
  description: "creates it",
  response: { status: 201 },
  hasIdentifier: true,
  effectAfterMinutes: 0,
  isFault: false,
};
const endingsWithAndWithoutEffect = (description: string, response: CallEnding["response"]): CallEnding[] => [
  { description: `${description}, without effect`, response, isFault: true },
  { description: `${description}, with effect`, response, effectAfterMinutes: 0, isFault: true },
];
const lostResponseEndings = endingsWithAndWithoutEffect("loses the response", "broken");
const refusalEnding = (status: number, code: string): CallEnding => ({
  description: `refuses it with ${code}`,
  response: { status, code },
  isRefusal: true,
  isFault: true,
});
const endingWithoutCode = (status: number): CallEnding => ({
  description: `responds with ${status} and no code`,
  response: { status },
  isFault: true,
});
const notConnectedEnding: CallEnding = {
  description: "is not reached (connection refused)",
  response: "not-connected",
  isFault: true,
};
const failedElsewhereEndings = endingsWithAndWithoutEffect(
  "responds, and the partner's own code fails with a refused connection",
  "failed-elsewhere",
);
const lateEnding: CallEnding = {
  description: "gets it 10 minutes after the caller gave up",
  response: "broken",
  effectAfterMinutes: 10,
  isFault: true,
};

/** Sets of ways in which a call can end. `few` has one of each kind that the engine must distinguish. */
export const callEndings = {
  few: [createdEnding, ...lostResponseEndings, refusalEnding(400, "P433"), endingWithoutCode(403), notConnectedEnding],
  lost: [createdEnding, ...lostResponseEndings],
  ineffective: [createdEnding, ...lostResponseEndings.slice(0, 1)],
  late: [createdEnding, ...lostResponseEndings, lateEnding, notConnectedEnding],
  elsewhere: [createdEnding, ...failedElsewhereEndings],
} satisfies Record<string, readonly CallEnding[]>;

/**
 * All ways in which a call can end. There is no effect after the statuses and P-codes of `refusals`, and after 401, 403, 404 and 429 without
 * a P-code. Other failures occur with and without an effect, because their meaning is not stated (Q-effect-after-error).
 */
export const allCallEndings = (refusals: readonly (readonly [number, string])[]): readonly CallEnding[] => [
  ...callEndings.late,
  {
    description: "creates it, with a body that nobody can read",
    response: { status: 201 },
    effectAfterMinutes: 0,
    isFault: true,
  },
  ...refusals.map(([status, code]) => refusalEnding(status, code)),
  ...[401, 403, 404, 429].map(endingWithoutCode),
  ...["P500", "P501", "P999"].flatMap((code) =>
    endingsWithAndWithoutEffect(`responds with ${code}`, { status: 400, code }),
  ),
  ...[408, 409, 410, 422, 425, 499, 500, 502, 503, 504].flatMap((status) =>
    endingsWithAndWithoutEffect(`responds with ${status}`, { status }),
  ),
  ...failedElsewhereEndings,
];

export interface World {
  readonly name: string;
  /** The time of the initial state, ISO 8601 in UTC. */
  readonly start: string;
  /** The minutes at which steps can happen. */
  readonly times: readonly number[];
  readonly operation: "fund" | "between" | "withdraw" | "sepa";
  readonly callEndings: readonly CallEnding[];
  /** The time zone of the months of the history, in hours ahead of UTC. */
  readonly zone: number;
  /** The time zone in which the service decides which months it accepts, in hours ahead of UTC. */
  readonly windowZone: number;
  /** The first month of the user's history, such as `2026-06`. Earlier months are refused. Default: a year before the present month. */
  readonly firstMonth?: string;
  /** Minutes by which each clock is ahead of the true time. Without `ofStore`, the store has no clock. */
  readonly clocks: {
    readonly service: number;
    readonly processes: readonly [number, number];
    readonly ofStore?: number;
  };
  /** The jumps that the clock of a process can make, in minutes. */
  readonly jumps: readonly number[];
  /** Possible delays from an effect to its record, in minutes; null: there is no record. */
  readonly recordDelays: readonly (number | null)[];
  /** Whether a history response can leave out records: never, without a sign in the response (`unseen`), or with one (`seen`). */
  readonly omission: "never" | "unseen" | "seen";
  /** Whether a call for the history can fail with status 503. */
  readonly canFailHistory: boolean;
  /** The status of a new transfer. A transfer in progress later succeeds or fails. */
  readonly initialStatus: "SUCCESSFUL" | "IN_PROGRESS";
  /** The statuses in events and details. `listed`: those of the contract; `another`: a failure has an unlisted value; `none`: no status. */
  readonly statuses: "listed" | "another" | "none";
  /** Whether a successful transfer can be returned. */
  readonly canReturn: boolean;
  /** The number of times that each event is sent, at any time after its effect; 0: never. */
  readonly deliveriesPerEvent: number;
  /** Whether events of withdrawals and SEPA transfers have only an identifier and a status. */
  readonly hasBareEvents: boolean;
  /** The member in which a record differs from its payment: an amount with a fee, a generic type, or a title in another spelling. */
  readonly recordDifference: "no" | "amount" | "type" | "title";
  readonly recordsLackCurrency: boolean;
  /** How a withdrawal shows its fee: added to the amount of its record (`added`), or deducted from the amount of its event (`deducted`). */
  readonly fees: "none" | "added" | "deducted";
  /** Payments of another program: before the start or, with `paidAt: "meanwhile"`, at any time after it. */
  readonly otherPayments: readonly OtherPayment[];
}

export interface OtherPayment {
  /** The minute of the payment, negative before the start. */
  readonly paidAt: number | "meanwhile";
  /** The minute at which the record appears. Default: at once. */
  readonly recordAppearsAt?: number;
  /** The member that differs from the payments of this program. Default: none. */
  readonly differingMember?: "amount" | "user" | "address";
}

export const usualWorld: World = {
  name: "usual",
  start: "2026-06-15T12:00:00.000Z",
  times: [0, 20, 50],
  operation: "fund",
  callEndings: callEndings.few,
  zone: 0,
  windowZone: 0,
  clocks: { service: 0, processes: [0, 0] },
  jumps: [],
  recordDelays: [0],
  omission: "never",
  canFailHistory: false,
  initialStatus: "SUCCESSFUL",
  statuses: "listed",
  canReturn: false,
  deliveriesPerEvent: 1,
  hasBareEvents: false,
  recordDifference: "no",
  recordsLackCurrency: false,
  fees: "none",
  otherPayments: [],
};

export type Status = "IN_PROGRESS" | "SUCCESSFUL" | "UNSUCCESSFUL";

/** A transfer at the service: in progress, successful, failed or returned. */
export interface Effect {
  /** The index of the payment that caused it; null for a payment of another program. */
  readonly paymentIndex: number | null;
  readonly differingMember?: OtherPayment["differingMember"];
  /** The minute of the effect, which can be in the future. */
  readonly effectAt: number;
  /** Minutes from the call to the record; null if there is no record. */
  readonly recordDelay: number | null;
  /** The minute at which the record appears; null if there is no record. */
  readonly recordAppearsAt: number | null;
  readonly status: Status;
  readonly isReturned: boolean;
  /** The statuses of the events that were delivered so far. */
  readonly deliveredStatuses: readonly Status[];
}

/** The members of a record or an event, as in the contract. */
export type Fields = Readonly<Record<string, string | number | null | Readonly<Record<string, string>>>>;

export type History =
  | { readonly kind: "records"; readonly records: readonly Fields[]; readonly isWhole: boolean }
  | { readonly kind: "refused"; readonly status: 400; readonly code: "P435" }
  | { readonly kind: "failed" };

/** The request bodies. All payments of an exploration have the same body, and differ only in their references. */
export const requests = {
  fund: { destinationExternalUserId: "user-1", amount: "25.00", currency: "eur" },
  between: { sourceExternalUserId: "user-1", destinationExternalUserId: "user-2", amount: "25.00", currency: "eur" },
  withdraw: {
    sourceExternalUserId: "user-1",
    amount: "0.01",
    currency: "btc",
    network: "btc",
    walletAddress: "tb1qexample",
    memo: "7",
    name: "Ada Example",
    walletType: "CUSTODIAL",
    receiverType: "NATURAL",
  },
  sepa: { sourceExternalUserId: "user-1", amount: "25.00", currency: "eur", destinationIban: "DE02120300000000202051" },
} as const satisfies Record<World["operation"], Fields>;

export const startOf = (world: World): number => Date.parse(world.start);

/** The time `minuteOfStory` minutes after the initial state, by a clock that is `leadMinutes` ahead, in milliseconds since 1970. */
export const timeAt = (world: World, minuteOfStory: number, leadMinutes: number): number =>
  startOf(world) + (minuteOfStory + leadMinutes) * minute;

const monthIn = (time: number, zone: number): string => new Date(time + zone * 60 * minute).toISOString().slice(0, 7);

export function effectsBefore(world: World): Effect[] {
  return world.otherPayments.flatMap(({ paidAt, ...otherPayment }) =>
    paidAt === "meanwhile" ? [] : [effectOfOther(paidAt, otherPayment, world)],
  );
}

export const effectOfOther = (
  effectAt: number,
  otherPayment: Pick<OtherPayment, "differingMember" | "recordAppearsAt">,
  world: World,
): Effect => ({
  paymentIndex: null,
  ...(otherPayment.differingMember === undefined ? {} : { differingMember: otherPayment.differingMember }),
  effectAt,
  recordDelay: 0,
  recordAppearsAt: otherPayment.recordAppearsAt ?? effectAt,
  status: "SUCCESSFUL",
  isReturned: false,
  // Events of payments made 15 minutes or more before the start are still to come. Those of newer payments count as delivered, because the
  // engine could not distinguish them from events of this program.
  deliveredStatuses: effectAt > -15 ? Array(world.deliveriesPerEvent).fill("SUCCESSFUL") : [],
});

/** The possible effects of a call, one for each delay of the record. If the call has no effect, undefined is the only element. */
export function effectsOf(world: World, ending: CallEnding, paymentIndex: number, now: number): (Effect | undefined)[] {
  const { effectAfterMinutes } = ending;
  if (effectAfterMinutes === undefined) return [undefined];
  const effectAt = now + effectAfterMinutes;
  return world.recordDelays.map((delay) => ({
    paymentIndex,
    effectAt,
    recordDelay: delay === null ? null : effectAfterMinutes + delay,
    recordAppearsAt: delay === null ? null : effectAt + delay,
    status: world.initialStatus,
    isReturned: false,
    deliveredStatuses: [],
  }));
}

/** The changes that the service makes without a call: a transfer ends, or is returned. */
export function movesOf(world: World, effect: Effect, now: number): { description: string; changedEffect: Effect }[] {
  if (effect.effectAt > now || effect.paymentIndex === null) return [];
  if (effect.status === "IN_PROGRESS") {
    return [
      { description: "succeeds", changedEffect: { ...effect, status: "SUCCESSFUL" } },
      { description: "fails", changedEffect: { ...effect, status: "UNSUCCESSFUL" } },
    ];
  }
  if (!world.canReturn || effect.isReturned || effect.status !== "SUCCESSFUL") return [];
  return [{ description: "is returned", changedEffect: { ...effect, status: "UNSUCCESSFUL", isReturned: true } }];
}

/** Whether an event with the present status of an effect can still be delivered. */
export const canDeliverEvent = (world: World, { effectAt, status, deliveredStatuses }: Effect, now: number): boolean =>
  effectAt <= now &&
  status !== "IN_PROGRESS" &&
  deliveredStatuses.filter((deliveredStatus) => deliveredStatus === status).length < world.deliveriesPerEvent;

/** The identifier of the effect with this index or, with another `group`, of one of its records. */
export const idOf = (index: number, group = 4): string =>
  `00000000-0000-${group}000-8000-${String(index).padStart(12, "0")}`;

function membersOf(world: World, { differingMember }: Effect): Record<string, string> {
  const members: Record<string, string> = { ...requests[world.operation] };
  if (differingMember === "amount") members.amount = world.operation === "withdraw" ? "0.009" : "24.99";
  const users = ["sourceExternalUserId", "destinationExternalUserId"].filter((name) => members[name] === "user-1");
  if (differingMember === "user") for (const name of users) members[name] = "user-9";
  if (differingMember === "address") members.walletAddress = "tb1qother";
  return members;
}

const withdrawalFee = 0.0001;

/** @returns one record; none if the effect does not concern the user. */
function recordOf(world: World, effect: Effect, index: number, user: string): Fields[] {
  const members = membersOf(world, effect);
  const { sourceExternalUserId: payer, destinationExternalUserId: payee } = members;
  if (user !== payer && user !== payee) return [];
  const sign = user === payer ? -1 : 1;
  const amount =
    Number(members.amount) + (world.operation === "withdraw" && world.fees === "added" ? withdrawalFee : 0);
  const type = { fund: "transfer", between: "transfer", withdraw: "cryptoWithdrawal", sepa: "sepaTransfer" }[
    world.operation
  ];
  const record: Fields = {
    // The records of the payer and of the payee have different ids.
    id: idOf(index, user === payer ? 8 : 9),
    createdAt: new Date(timeAt(world, effect.effectAt, world.clocks.service)).toISOString(),
    type: world.recordDifference === "type" ? "transaction" : type,
    amount: sign * (amount + (world.recordDifference === "amount" ? 0.35 : 0)),
    ...(world.recordsLackCurrency ? {} : { currency: members.currency as string }),
    status: effect.status,
    ...(world.operation === "sepa"
      ? {
          transferTitle:
            world.recordDifference === "title" ? titleOf(effect).toUpperCase().replace("-", " ") : titleOf(effect),
        }
      : {}),
  };
  return [record];
}

/** The title of a SEPA transfer is the reference of its payment. */
const titleOf = ({ paymentIndex }: Effect): string =>
  paymentIndex === null ? "another program" : referenceOf(paymentIndex);
export const referenceOf = (payment: number): string => `invoice-${payment + 1}`;

/** Whether events and details state this status as listed in the contract. */
export const isLegible = ({ statuses }: World, status: Status): boolean =>
  statuses === "listed" || (statuses === "another" && status !== "UNSUCCESSFUL");

export function eventOf(world: World, effect: Effect, index: number): { name: string; body: Fields } {
  const { name, body } = listedEventOf(world, effect, index);
  if (isLegible(world, effect.status)) return { name, body };
  const { status: _, ...otherMembers } = body;
  return { name, body: world.statuses === "none" ? otherMembers : { ...otherMembers, status: "DECLINED_BY_NIGHT" } };
}

function listedEventOf(world: World, effect: Effect, index: number): { name: string; body: Fields } {
  const { amount = "", currency = "", walletAddress = "", network = "", ...members } = membersOf(world, effect);
  const createdAt = new Date(timeAt(world, effect.effectAt, world.clocks.service)).toISOString();
  const id = idOf(index);
  if (world.operation === "sepa") {
    const status = effect.status === "UNSUCCESSFUL" ? "FAILED" : effect.status;
    if (world.hasBareEvents) return { name: "sepaTransfer", body: { id, status } };
    return { name: "sepaTransfer", body: { id, status, amount, currency, createdAt, transferTitle: titleOf(effect) } };
  }
  if (world.operation === "withdraw") {
    if (world.hasBareEvents) return { name: "cryptoWithdrawal", body: { id, status: effect.status } };
    const receivedAmount = Number(amount) - (world.fees === "deducted" ? withdrawalFee : 0);
    const body = {
      id,
      amount: receivedAmount,
      destination: walletAddress,
      status: effect.status,
      currency: { currency, network },
      createdAt,
    };
    return { name: "cryptoWithdrawal", body };
  }
  const { sourceExternalUserId = null, destinationExternalUserId = null } = members;
  return {
    name: "p2pTransfer",
    body: { id, sourceExternalUserId, destinationExternalUserId, amount, currency, status: effect.status, createdAt },
  };
}

/** The possible responses to a call for the history of `user` in a month, such as `2026-06`. The first response has no fault. */
export function historiesOf(
  world: World,
  effects: readonly Effect[],
  now: number,
  user: string,
  month: string,
): History[] {
  const presentTime = timeAt(world, now, world.clocks.service);
  const lastMonth = monthIn(presentTime, world.windowZone);
  const firstMonth = world.firstMonth ?? `${Number(lastMonth.slice(0, 4)) - 1}${lastMonth.slice(4)}`;
  if (month > lastMonth || month < firstMonth) return [{ kind: "refused", status: 400, code: "P435" }];
  const records = effects.flatMap((effect, index) => {
    const isShown = effect.recordAppearsAt !== null && effect.recordAppearsAt <= now;
    const isFiled = monthIn(timeAt(world, effect.effectAt, world.clocks.service), world.zone) === month;
    return isShown && isFiled ? recordOf(world, effect, index, user) : [];
  });
  const histories: History[] = [{ kind: "records", records, isWhole: true }];
  if (world.canFailHistory) histories.push({ kind: "failed" });
  if (world.omission !== "never" && records.length > 0)
    histories.push({ kind: "records", records: [], isWhole: world.omission === "unseen" });
  return histories;
}

/** @returns undefined if the service responds with 404. */
export function detailsOf(world: World, effects: readonly Effect[], now: number, id: string): Fields | undefined {
  const index = effects.findIndex((_, effectIndex) => idOf(effectIndex) === id);
  const effect = effects[index];
  return effect === undefined || effect.effectAt > now
    ? undefined
    : eventOf({ ...world, hasBareEvents: false }, effect, index).body;
}
