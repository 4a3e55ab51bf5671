/**
 * A model of the service for calls that move money, made only from the interface specification and the open questions. Its functions take
 * and return immutable plain data: the effects so far, and the possible responses and changes. Times are minutes after the start of a story,
 * by a true clock that neither the processes nor the service can read.
 */

const minute = 60_000;

/** One way in which a call can end: the response that the process receives, and the effect at the service. */
export interface Answer {
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
  readonly isCreated?: true;
  /** The response states that the call had no effect. */
  readonly isRefusal?: true;
  /** Minutes from the call to its effect; undefined if the call has no effect. */
  readonly effectAfterMinutes?: number;
  readonly isFault: boolean;
}

const created: Answer = {
  description: "creates it",
  response: { status: 201 },
  isCreated: true,
  effectAfterMinutes: 0,
  isFault: false,
};
const eitherWay = (description: string, response: Answer["response"]): Answer[] => [
  { description: `${description}, without effect`, response, isFault: true },
  { description: `${description}, with effect`, response, effectAfterMinutes: 0, isFault: true },
];
const lostAnswers = eitherWay("loses the response", "broken");
const refusal = (status: number, code: string): Answer => ({
  description: `refuses it with ${code}`,
  response: { status, code },
  isRefusal: true,
  isFault: true,
});
const withoutCode = (status: number): Answer => ({
  description: `responds with ${status} and no code`,
  response: { status },
  isFault: true,
});
const notConnected: Answer = {
  description: "is not reached (connection refused)",
  response: "not-connected",
  isFault: true,
};
const failedElsewhere = eitherWay(
  "responds, and the partner's own code fails with a refused connection",
  "failed-elsewhere",
);
const lateAnswer: Answer = {
  description: "gets it 10 minutes after the caller gave up",
  response: "broken",
  effectAfterMinutes: 10,
  isFault: true,
};

/** Sets of ways in which a call can end. `few` has one of each kind that the engine must distinguish. */
export const answers = {
  few: [created, ...lostAnswers, refusal(400, "P433"), withoutCode(403), notConnected],
  lost: [created, ...lostAnswers],
  ineffective: [created, ...lostAnswers.slice(0, 1)],
  late: [created, ...lostAnswers, lateAnswer, notConnected],
  elsewhere: [created, ...failedElsewhere],
} satisfies Record<string, readonly Answer[]>;

/**
 * Answers with every status and code. After `refusals`, statuses and codes that the operation lists, there was no effect. Whether there was
 * an effect after another code or a proxy's status is not stated (Q-effect-after-error): each of these has an answer with and one without.
 */
export const allAnswers = (refusals: readonly (readonly [number, string])[]): readonly Answer[] => [
  ...answers.late,
  {
    description: "creates it, with a body that nobody can read",
    response: { status: 201 },
    effectAfterMinutes: 0,
    isFault: true,
  },
  ...refusals.map(([status, code]) => refusal(status, code)),
  ...[401, 403, 404, 429].map(withoutCode),
  ...["P500", "P501", "P999"].flatMap((code) => eitherWay(`responds with ${code}`, { status: 400, code })),
  ...[408, 409, 410, 422, 425, 499, 500, 502, 503, 504].flatMap((status) =>
    eitherWay(`responds with ${status}`, { status }),
  ),
  ...failedElsewhere,
];

export interface World {
  readonly name: string;
  /** The start of the story, ISO 8601 in UTC. */
  readonly start: string;
  /** The minutes at which steps of the story can happen. */
  readonly times: readonly number[];
  readonly operation: "fund" | "between" | "withdraw" | "sepa";
  readonly answers: readonly Answer[];
  /** The time zone of the months of the history, in hours ahead of UTC. */
  readonly zone: number;
  /** The time zone in which the service decides which months it accepts, in hours ahead of UTC. */
  readonly windowZone: number;
  /** The first month of the user's history, such as `2026-06`. Earlier months are refused. */
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
  /** The statuses in events and details: as listed in the contract, with an unlisted value for failures, or none. */
  readonly statuses: "listed" | "another" | "none";
  /** Whether a successful transfer can be returned. */
  readonly canReturn: boolean;
  /** How often each event is sent, at any time after its effect; 0: never. */
  readonly events: number;
  /** Whether events have only an identifier and a status. */
  readonly bareEvents: boolean;
  /** The member in which a record differs from its payment: an amount with a fee, a generic type, or a title in another spelling. */
  readonly recordsDiffer: "no" | "amount" | "type" | "title";
  /** Whether records have no currency. */
  readonly lacksCurrency: boolean;
  /** Whether the fee of a withdrawal is added to the amount of its record, or deducted from the amount of its event. */
  readonly fees: "none" | "added" | "deducted";
  /** Payments of another program: before the start or, with `at: "meanwhile"`, at any time after it. */
  readonly otherPayments: readonly Other[];
}

export interface Other {
  readonly at: number | "meanwhile";
  /** The minute at which the record appears. Default: at once. */
  readonly recordAppearsAt?: number;
  /** The member that differs from the payments of this program. Default: none. */
  readonly differingMember?: "amount" | "user" | "address";
}

export const usual: World = {
  name: "usual",
  start: "2026-06-15T12:00:00.000Z",
  times: [0, 20, 50],
  operation: "fund",
  answers: answers.few,
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
  events: 1,
  bareEvents: false,
  recordsDiffer: "no",
  lacksCurrency: false,
  fees: "none",
  otherPayments: [],
};

export type Status = "IN_PROGRESS" | "SUCCESSFUL" | "UNSUCCESSFUL";

/** A transfer at the service: in progress, successful, failed or returned. */
export interface Effect {
  /** The index of the payment that caused it; null for a payment of another program. */
  readonly payment: number | null;
  readonly differingMember?: Other["differingMember"];
  /** The minute of the effect, which can be in the future. */
  readonly effectAt: number;
  /** Minutes from the call to the record; null if there is no record. */
  readonly delay: number | null;
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

/** The request bodies. All payments of a story have the same body, and differ only in their references. */
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

/** The time at minute `at`, by a clock that is `ahead` minutes ahead, in milliseconds since 1970. */
export const timeAt = (world: World, at: number, ahead: number): number => startOf(world) + (at + ahead) * minute;

const monthIn = (time: number, zone: number): string => new Date(time + zone * 60 * minute).toISOString().slice(0, 7);

/** The effects at the start of a story. */
export function effectsBefore(world: World): Effect[] {
  return world.otherPayments.flatMap(({ at, ...otherPayment }) =>
    at === "meanwhile" ? [] : [effectOfOther(at, otherPayment, world)],
  );
}

export const effectOfOther = (
  at: number,
  otherPayment: Pick<Other, "differingMember" | "recordAppearsAt">,
  world: World,
): Effect => ({
  payment: null,
  ...(otherPayment.differingMember === undefined ? {} : { differingMember: otherPayment.differingMember }),
  effectAt: at,
  delay: 0,
  recordAppearsAt: otherPayment.recordAppearsAt ?? at,
  status: "SUCCESSFUL",
  isReturned: false,
  // Events of payments made more than 15 minutes before the start are still to come. Newer ones, which the engine could not distinguish from
  // events of this program, were delivered before the start.
  deliveredStatuses: at > -15 ? Array(world.events).fill("SUCCESSFUL") : [],
});

/** The possible effects of a call with `answer`, one for each delay of the record; only undefined for an answer without an effect. */
export function effectsOf(world: World, answer: Answer, payment: number, now: number): (Effect | undefined)[] {
  const { effectAfterMinutes } = answer;
  if (effectAfterMinutes === undefined) return [undefined];
  const at = now + effectAfterMinutes;
  return world.recordDelays.map((delay) => ({
    payment,
    effectAt: at,
    delay: delay === null ? null : effectAfterMinutes + delay,
    recordAppearsAt: delay === null ? null : at + delay,
    status: world.initialStatus,
    isReturned: false,
    deliveredStatuses: [],
  }));
}

/** The changes that the service makes without a call: a transfer ends, or is returned. */
export function movesOf(world: World, effect: Effect, now: number): { description: string; to: Effect }[] {
  if (effect.effectAt > now || effect.payment === null) return [];
  if (effect.status === "IN_PROGRESS") {
    return [
      { description: "succeeds", to: { ...effect, status: "SUCCESSFUL" } },
      { description: "fails", to: { ...effect, status: "UNSUCCESSFUL" } },
    ];
  }
  if (!world.canReturn || effect.isReturned || effect.status !== "SUCCESSFUL") return [];
  return [{ description: "is returned", to: { ...effect, status: "UNSUCCESSFUL", isReturned: true } }];
}

/** Whether an event with the present status of an effect can still be delivered. */
export const isTellable = (world: World, { effectAt, status, deliveredStatuses }: Effect, now: number): boolean =>
  effectAt <= now &&
  status !== "IN_PROGRESS" &&
  deliveredStatuses.filter((one) => one === status).length < world.events;

/** The identifier of the effect with this index or, with another `group`, of one of its records. */
export const idOf = (index: number, group = 4): string =>
  `00000000-0000-${group}000-8000-${String(index).padStart(12, "0")}`;

/** The members of the request that caused an effect. */
function membersOf(world: World, { differingMember }: Effect): Record<string, string> {
  const members: Record<string, string> = { ...requests[world.operation] };
  if (differingMember === "amount") members.amount = world.operation === "withdraw" ? "0.009" : "24.99";
  const users = ["sourceExternalUserId", "destinationExternalUserId"].filter((name) => members[name] === "user-1");
  if (differingMember === "user") for (const name of users) members[name] = "user-9";
  if (differingMember === "address") members.walletAddress = "tb1qother";
  return members;
}

const withdrawalFee = 0.0001;

/** The record of an effect in the history of `user`; none if the effect does not concern the user. */
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
    // The payer and the payee have different records.
    id: idOf(index, user === payer ? 8 : 9),
    createdAt: new Date(timeAt(world, effect.effectAt, world.clocks.service)).toISOString(),
    type: world.recordsDiffer === "type" ? "transaction" : type,
    amount: sign * (amount + (world.recordsDiffer === "amount" ? 0.35 : 0)),
    ...(world.lacksCurrency ? {} : { currency: members.currency as string }),
    status: effect.status,
    ...(world.operation === "sepa"
      ? {
          transferTitle:
            world.recordsDiffer === "title" ? titleOf(effect).toUpperCase().replace("-", " ") : titleOf(effect),
        }
      : {}),
  };
  return [record];
}

/** The title of a SEPA transfer is the reference of its payment. */
const titleOf = ({ payment }: Effect): string => (payment === null ? "another program" : referenceOf(payment));
export const referenceOf = (payment: number): string => `invoice-${payment + 1}`;

/** Whether events and details state this status as listed in the contract. */
export const isLegible = ({ statuses }: World, status: Status): boolean =>
  statuses === "listed" || (statuses === "another" && status !== "UNSUCCESSFUL");

/** The event of an effect: the name of the webhook, and the body that the partner's receiver gets. */
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
    if (world.bareEvents) return { name: "sepaTransfer", body: { id, status } };
    return { name: "sepaTransfer", body: { id, status, amount, currency, createdAt, transferTitle: titleOf(effect) } };
  }
  if (world.operation === "withdraw") {
    if (world.bareEvents) return { name: "cryptoWithdrawal", body: { id, status: effect.status } };
    const arrives = Number(amount) - (world.fees === "deducted" ? withdrawalFee : 0);
    const body = {
      id,
      amount: arrives,
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

/** The details of the resource `id`; undefined if the service responds with 404. */
export function detailsOf(world: World, effects: readonly Effect[], now: number, id: string): Fields | undefined {
  const index = effects.findIndex((_, at) => idOf(at) === id);
  const effect = effects[index];
  return effect === undefined || effect.effectAt > now
    ? undefined
    : eventOf({ ...world, bareEvents: false }, effect, index).body;
}
