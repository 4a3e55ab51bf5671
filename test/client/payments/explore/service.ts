/**
 * A model of the service for calls that move money, from the interface specification and the open questions alone. It is immutable
 * plain data: each function takes what has happened and says what can happen next. Times are minutes after the start of a story, by
 * a true clock that nobody in the story can read.
 */

const minute = 60_000;

/** How a money call ends for the process that made it, and whether the service acted. */
export interface Answer {
  readonly says: string;
  /** The response, or how it failed: refused by the service's own address, broken after the request left, in a partner's code. */
  readonly response:
    | { readonly status: number; readonly code?: string }
    | "not-connected"
    | "broken"
    | "failed-elsewhere";
  /** `created` has the identifier in its body. */
  readonly isCreated?: true;
  /** The service states that the payment had no effect. */
  readonly isRefusal?: true;
  /** Minutes until it takes effect; without it, it never does. */
  readonly actsAfter?: number;
  readonly isFault: boolean;
}

const created: Answer = {
  says: "creates it",
  response: { status: 201 },
  isCreated: true,
  actsAfter: 0,
  isFault: false,
};
const eitherWay = (says: string, response: Answer["response"]): Answer[] => [
  { says: `${says}, without effect`, response, isFault: true },
  { says: `${says}, with effect`, response, actsAfter: 0, isFault: true },
];
const lost = eitherWay("loses the response", "broken");
const refusal = (status: number, code: string): Answer => ({
  says: `refuses it with ${code}`,
  response: { status, code },
  isRefusal: true,
  isFault: true,
});
const gate = (status: number): Answer => ({
  says: `responds with ${status} and no code`,
  response: { status },
  isFault: true,
});
const notConnected: Answer = { says: "is not reached (connection refused)", response: "not-connected", isFault: true };
const elsewhere = eitherWay("responds, and the partner's own code fails with a refused connection", "failed-elsewhere");
const late: Answer = {
  says: "gets it 10 minutes after the caller gave up",
  response: "broken",
  actsAfter: 10,
  isFault: true,
};

/** How a money call can end. `few` has one of each kind that a payment must tell apart. */
export const answers = {
  few: [created, ...lost, refusal(400, "P433"), gate(403), notConnected],
  lost: [created, ...lost],
  ineffective: [created, ...lost.slice(0, 1)],
  late: [created, ...lost, late, notConnected],
  elsewhere: [created, ...elsewhere],
} satisfies Record<string, readonly Answer[]>;

/**
 * Every status and code. `refusals` are the codes that the operation lists with the advice that they had no effect; whether a call with
 * another code or with a status of a proxy had one is not stated (Q-effect-after-error).
 */
export const allAnswers = (refusals: readonly (readonly [number, string])[]): readonly Answer[] => [
  ...answers.late,
  { says: "creates it, with a body that nobody can read", response: { status: 201 }, actsAfter: 0, isFault: true },
  ...refusals.map(([status, code]) => refusal(status, code)),
  ...[401, 403, 404, 429].map(gate),
  ...["P500", "P501", "P999"].flatMap((code) => eitherWay(`responds with ${code}`, { status: 400, code })),
  ...[408, 409, 410, 422, 425, 499, 500, 502, 503, 504].flatMap((status) =>
    eitherWay(`responds with ${status}`, { status }),
  ),
  ...elsewhere,
];

export interface World {
  readonly name: string;
  /** The start of the story, ISO 8601 in UTC. */
  readonly start: string;
  /** The minutes at which the story can stand. */
  readonly times: readonly number[];
  readonly operation: "fund" | "between" | "withdraw" | "sepa";
  readonly answers: readonly Answer[];
  /** Hours ahead of UTC of the time zone in which the history has its months. */
  readonly zone: number;
  /** Hours ahead of UTC of the time zone in which the service decides which months it accepts. */
  readonly windowZone: number;
  /** The first month that the history of this user has: `2026-06`. Earlier ones are refused. */
  readonly firstMonth?: string;
  /** Minutes by which a clock is ahead of the true time. A store that has a clock stamps with it. */
  readonly clocks: {
    readonly service: number;
    readonly processes: readonly [number, number];
    readonly ofStore?: number;
  };
  /** By how many minutes the clock of a process can jump. */
  readonly jumps: readonly number[];
  /** Minutes from an effect to its record; null: never. */
  readonly shows: readonly (number | null)[];
  /** Whether a response of the history can leave records out, and whether the response shows it. */
  readonly omits: "never" | "unseen" | "seen";
  /** Whether the history can fail with a 503. */
  readonly failsToRead: boolean;
  /** The status of a new transfer; one in progress ends either way. */
  readonly begins: "SUCCESSFUL" | "IN_PROGRESS";
  /** How events and details tell how a transfer ended: by the listed status, by another value for failures, or not at all. */
  readonly statuses: "listed" | "another" | "none";
  /** Whether a transfer that was successful can be returned. */
  readonly returns: boolean;
  /** How often each event is sent, at any time after its effect; 0: never. */
  readonly events: number;
  /** Whether an event can have no more than its identifier and its status. */
  readonly bareEvents: boolean;
  /** In which member a record differs from its payment: the amount has a fee, the type is a generic one, or the title is cut. */
  readonly recordsDiffer: "no" | "amount" | "type" | "title";
  /** The fields of a record that can be missing. */
  readonly sparse: boolean;
  /** What the record of a withdrawal has beside the amount. */
  readonly fees: "none" | "added" | "deducted";
  /** Payments of another program: before the start or, with `isMeanwhile`, at any time. */
  readonly others: readonly Other[];
}

export interface Other {
  readonly at: number | "meanwhile";
  /** The minute from which its record is there, if not at once. */
  readonly shows?: number;
  /** In which member it differs from the payment of this program; without it, in none. */
  readonly differs?: "amount" | "user" | "address";
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
  shows: [0],
  omits: "never",
  failsToRead: false,
  begins: "SUCCESSFUL",
  statuses: "listed",
  returns: false,
  events: 1,
  bareEvents: false,
  recordsDiffer: "no",
  sparse: false,
  fees: "none",
  others: [],
};

export type Status = "IN_PROGRESS" | "SUCCESSFUL" | "UNSUCCESSFUL";

/** Money that moved, moves or failed to move. */
export interface Effect {
  /** The payment that asked for it; null: another program's. */
  readonly of: number | null;
  readonly differs?: Other["differs"];
  /** The minute at which it takes effect, which can be ahead. */
  readonly at: number;
  /** Minutes from the call to the record; null: it never appears. */
  readonly delay: number | null;
  /** The minute from which its record is there; null: never. */
  readonly shows: number | null;
  readonly status: Status;
  readonly isReturned: boolean;
  /** The deliveries of its event so far, by status. */
  readonly told: readonly Status[];
}

/** What a record or an event has, in the words of the contract. */
export type Fields = Readonly<Record<string, string | number | null | Readonly<Record<string, string>>>>;

export type History =
  | { readonly is: "records"; readonly records: readonly Fields[]; readonly isWhole: boolean }
  | { readonly is: "refused"; readonly status: 400; readonly code: "P435" }
  | { readonly is: "failed" };

/** The payment of a story as the partner asks for it: both payments of a story are equal but for their references. */
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

/** The time of `clock` at a minute, in milliseconds since 1970. */
export const timeAt = (world: World, at: number, ahead: number): number => startOf(world) + (at + ahead) * minute;

const monthIn = (time: number, zone: number): string => new Date(time + zone * 60 * minute).toISOString().slice(0, 7);

/** The effects at the start of a story. */
export function effectsBefore(world: World): Effect[] {
  return world.others.flatMap(({ at, ...other }) => (at === "meanwhile" ? [] : [effectOfOther(at, other, world)]));
}

export const effectOfOther = (at: number, other: Pick<Other, "differs" | "shows">, world: World): Effect => ({
  of: null,
  ...(other.differs === undefined ? {} : { differs: other.differs }),
  at,
  delay: 0,
  shows: other.shows ?? at,
  status: "SUCCESSFUL",
  isReturned: false,
  // The events of what happened within the allowance of clocks cannot be told from those of this program: they were delivered before.
  told: at > -15 ? Array(world.events).fill("SUCCESSFUL") : [],
});

/** The effects that a response can stand for, one for each delay of the record. */
export function effectsOf(world: World, answer: Answer, of: number, now: number): (Effect | undefined)[] {
  const { actsAfter } = answer;
  if (actsAfter === undefined) return [undefined];
  const at = now + actsAfter;
  return world.shows.map((delay) => ({
    of,
    at,
    delay: delay === null ? null : actsAfter + delay,
    shows: delay === null ? null : at + delay,
    status: world.begins,
    isReturned: false,
    told: [],
  }));
}

/** The changes that the service makes without a call: a transfer ends, or is returned. */
export function movesOf(world: World, effect: Effect, now: number): { says: string; to: Effect }[] {
  if (effect.at > now || effect.of === null) return [];
  if (effect.status === "IN_PROGRESS") {
    return [
      { says: "succeeds", to: { ...effect, status: "SUCCESSFUL" } },
      { says: "fails", to: { ...effect, status: "UNSUCCESSFUL" } },
    ];
  }
  if (!world.returns || effect.isReturned || effect.status !== "SUCCESSFUL") return [];
  return [{ says: "is returned", to: { ...effect, status: "UNSUCCESSFUL", isReturned: true } }];
}

/** Whether the event of the effect's present status can be delivered (again) now. */
export const isTellable = (world: World, { at, status, told }: Effect, now: number): boolean =>
  at <= now && status !== "IN_PROGRESS" && told.filter((one) => one === status).length < world.events;

/** The identifier of the effect with this index, or of one of its records. */
export const idOf = (index: number, group = 4): string =>
  `00000000-0000-${group}000-8000-${String(index).padStart(12, "0")}`;

/** The members of the payment that the effect carries. */
function membersOf(world: World, { differs }: Effect): Record<string, string> {
  const members: Record<string, string> = { ...requests[world.operation] };
  if (differs === "amount") members.amount = world.operation === "withdraw" ? "0.009" : "24.99";
  const users = ["sourceExternalUserId", "destinationExternalUserId"].filter((name) => members[name] === "user-1");
  if (differs === "user") for (const name of users) members[name] = "user-9";
  if (differs === "address") members.walletAddress = "tb1qother";
  return members;
}

const withdrawalFee = 0.0001;

/** The record of the effect in the history of `user`, on whose side it stands. */
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
    // Each side of a transfer has a record of its own.
    id: idOf(index, user === payer ? 8 : 9),
    createdAt: new Date(timeAt(world, effect.at, world.clocks.service)).toISOString(),
    type: world.recordsDiffer === "type" ? "transaction" : type,
    amount: sign * (amount + (world.recordsDiffer === "amount" ? 0.35 : 0)),
    ...(world.sparse ? {} : { currency: members.currency as string }),
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
const titleOf = ({ of }: Effect): string => (of === null ? "another program" : referenceOf(of));
export const referenceOf = (payment: number): string => `invoice-${payment + 1}`;

/** Whether the status of events and details tells how the effect ended. */
export const isLegible = ({ statuses }: World, status: Status): boolean =>
  statuses === "listed" || (statuses === "another" && status !== "UNSUCCESSFUL");

/** The body of the event, which the partner's receiver gets. */
export function eventOf(world: World, effect: Effect, index: number): { name: string; body: Fields } {
  const { name, body } = listedEventOf(world, effect, index);
  if (isLegible(world, effect.status)) return { name, body };
  const { status: _, ...rest } = body;
  return { name, body: world.statuses === "none" ? rest : { ...rest, status: "DECLINED_BY_NIGHT" } };
}

function listedEventOf(world: World, effect: Effect, index: number): { name: string; body: Fields } {
  const { amount = "", currency = "", walletAddress = "", network = "", ...members } = membersOf(world, effect);
  const createdAt = new Date(timeAt(world, effect.at, world.clocks.service)).toISOString();
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

/** The possible responses of the history of `user` for a month (`2026-06`) at `now`. The first is the one without a fault. */
export function historiesOf(
  world: World,
  effects: readonly Effect[],
  now: number,
  user: string,
  month: string,
): History[] {
  const present = timeAt(world, now, world.clocks.service);
  const last = monthIn(present, world.windowZone);
  const first = world.firstMonth ?? `${Number(last.slice(0, 4)) - 1}${last.slice(4)}`;
  if (month > last || month < first) return [{ is: "refused", status: 400, code: "P435" }];
  const records = effects.flatMap((effect, index) => {
    const isShown = effect.shows !== null && effect.shows <= now;
    const isFiled = monthIn(timeAt(world, effect.at, world.clocks.service), world.zone) === month;
    return isShown && isFiled ? recordOf(world, effect, index, user) : [];
  });
  const all: History[] = [{ is: "records", records, isWhole: true }];
  if (world.failsToRead) all.push({ is: "failed" });
  if (world.omits !== "never" && records.length > 0)
    all.push({ is: "records", records: [], isWhole: world.omits === "unseen" });
  return all;
}

/** The response body of a call for the details of `id`; undefined for 404. */
export function detailsOf(world: World, effects: readonly Effect[], now: number, id: string): Fields | undefined {
  const index = effects.findIndex((_, at) => idOf(at) === id);
  const effect = effects[index];
  return effect === undefined || effect.at > now
    ? undefined
    : eventOf({ ...world, bareEvents: false }, effect, index).body;
}
