/** The story of `openapi/scenario.yaml` as the plan carries it: steps with the bodies that they show. */
import { MockFault } from "../kernel/fault.ts";
import type { Plan } from "../plan/plan.ts";

/** A step of the timeline: an operation with its answer, a webhook with its body, or something that happens outside. */
export interface Step {
  /** UTC with milliseconds. */
  readonly at: string;
  readonly operation?: string;
  readonly webhook?: string;
  readonly happens?: string;
  readonly resource?: string;
  readonly id?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Body;
  readonly status?: number;
  readonly answer?: unknown;
}

export type Body = Readonly<Record<string, unknown>>;

interface CastUser {
  readonly externalUserId: string;
  readonly name?: string;
  readonly country?: string;
  readonly iban?: string;
  readonly transferTitle?: string;
}

export interface Scenario {
  readonly cast: {
    readonly users: Readonly<Record<string, CastUser>>;
    readonly partner: { readonly iban: string; readonly transferTitle: string };
  };
  readonly timeline: readonly Step[];
}

/** What a webhook of the story tells, or what can be read where none does: that a state of a resource has a value. */
export interface Told {
  readonly index: number;
  readonly resource: string;
  readonly id: string;
  readonly state: string;
  readonly value: string;
  readonly body: Body;
}

interface BalancesBody {
  readonly fiatBalances: readonly { readonly id: string }[];
  readonly cryptoBalances: readonly { readonly id: string; readonly name: string; readonly wallet: string | null }[];
}

/** What is shown of the balances of an owner. */
export interface ShownBalances {
  readonly id: string | undefined;
  readonly iban: string | undefined;
  readonly transferTitle: string | undefined;
  /** Ids of the crypto balances, and addresses of their wallets, by currency. */
  readonly cryptoIds: Readonly<Record<string, string>>;
  readonly wallets: Readonly<Record<string, string>>;
}

/** A record of a history. */
export interface ShownRecord {
  readonly id: string;
  readonly createdAt: string;
  readonly type?: string;
  readonly btId?: string;
  readonly issuer?: string;
}

export class Story {
  readonly timeline: readonly Step[];
  readonly told: readonly Told[];
  readonly #scenario: Scenario;
  readonly #records = new Map<string, ShownRecord>();

  /** @throws {MockFault} when the contract does not have the example of a step. */
  constructor(scenario: Scenario, plan: Plan) {
    this.#scenario = scenario;
    this.timeline = scenario.timeline;
    const unknown = scenario.timeline.find(({ operation, webhook, body, answer }) => {
      return (operation !== undefined && answer === undefined) || (webhook !== undefined && body === undefined);
    });
    if (unknown !== undefined) {
      const name = unknown.operation ?? unknown.webhook;
      throw new MockFault(`The story cannot be told: the example of ${name} is missing.`);
    }
    const told = scenario.timeline.flatMap((step, index) => toldBy(step, index, plan));
    const ids = new Set(told.map(({ id }) => id));
    const read = scenario.timeline.flatMap((step, index) => readIn(step, index, plan)).filter(({ id }) => !ids.has(id));
    this.told = [...told, ...read].sort((a, b) => a.index - b.index);
    for (const { operation = "", path = {}, answer } of scenario.timeline) {
      if (!operation.endsWith("TransactionHistory")) continue;
      for (const record of answer as ShownRecord[]) {
        this.#records.set(record.id, record);
        this.#records.set(recordKey(path.externalUserId ?? null, record.createdAt, record.type ?? ""), record);
      }
    }
  }

  /** What a call of the story sends besides its body: the cast says it, or another call of the same operation. */
  completed(step: Step): Body {
    const { operation, body = {} } = step;
    const user = this.#userOf(body.externalUserId);
    if (operation === "createUserAccount") {
      const [firstName, lastName] = user?.name?.split(" ") ?? [];
      return { firstName, lastName, country: user?.country, ...body };
    }
    if (operation !== "addUserVerification" || body.documentNumber !== undefined) return body;
    const another = this.timeline.find((other) => other.operation === operation && other.body?.documentNumber);
    return { ...another?.body, documentNumber: `STORY-${body.externalUserId}`, ...body };
  }

  /** The record of the history by its id. */
  record(id: string): ShownRecord | undefined {
    return this.#records.get(id);
  }

  /** The record of the history that an owner got at a time. */
  recordOf(owner: string | null, createdAt: string, type: string): ShownRecord | undefined {
    return this.#records.get(recordKey(owner, createdAt, type));
  }

  /** What the story shows of a resource that arrives from outside: the first event, the record and the details. */
  arrival({ resource, id = "", at }: Step): Body {
    const { body = {}, value } = this.told.find((told) => told.resource === resource && told.id === id) ?? {};
    const owner = (body.externalUserId as string | null | undefined) ?? null;
    const types = resource === "cardTransaction" ? ["cardTransaction", "partialRefund"] : [resource ?? ""];
    const record = types.map((type) => this.recordOf(owner, at, type)).find((found) => found !== undefined);
    const details = this.timeline.find((step) => step.query?.externalId === id)?.answer as Body | undefined;
    return {
      ...body,
      externalUserId: owner,
      amount: String(body.amount).replace("-", ""),
      status: value,
      type: record?.type,
      issuer: record?.issuer,
      from: details?.from,
    };
  }

  balances(owner: string | null): ShownBalances {
    const { id, iban, transferTitle } = { id: undefined, ...this.#accountOf(owner) };
    const shown = this.timeline.findLast(({ operation, path, answer }) => {
      const isOwners = owner === null ? operation === "getPartnerBalances" : path?.externalUserId === owner;
      return isOwners && operation?.endsWith("Balances") && answer !== undefined;
    })?.answer as BalancesBody | undefined;
    const crypto = shown?.cryptoBalances ?? [];
    const wallets = crypto.flatMap(({ name, wallet }) => (wallet === null ? [] : [[name, wallet] as const]));
    return {
      id: shown?.fiatBalances[0]?.id ?? id,
      iban,
      transferTitle,
      cryptoIds: Object.fromEntries(crypto.map((balance) => [balance.name, balance.id])),
      wallets: Object.fromEntries(wallets),
    };
  }

  #accountOf(owner: string | null): { iban?: string; transferTitle?: string } {
    const { iban, transferTitle } = owner === null ? this.#scenario.cast.partner : (this.#userOf(owner) ?? {});
    return { ...(iban ? { iban } : {}), ...(transferTitle ? { transferTitle } : {}) };
  }

  #userOf(id: unknown): CastUser | undefined {
    return Object.values(this.#scenario.cast.users).find(({ externalUserId }) => externalUserId === id);
  }
}

function recordKey(owner: string | null, createdAt: string, type: string): string {
  return `${owner ?? "the partner"} ${createdAt} ${type}`;
}

/** Nothing for a webhook that tells of no state, such as one with a code. */
function toldBy({ webhook: name, body = {} }: Step, index: number, { resources, webhooks }: Plan): Told[] {
  const webhook = webhooks.find((candidate) => candidate.name === name);
  if (webhook === undefined) return [];
  const { resource, state, fields } = webhook;
  const carrierOf = (field: string) => Object.entries(fields).find(([, carried]) => carried === field)?.[0] ?? field;
  const id = body[carrierOf(resources[resource]?.id ?? "")];
  const value = resource === "wallet" ? "created" : body[carrierOf(state)];
  if (typeof id !== "string" || typeof value !== "string") return [];
  return [{ index, resource, id, state, value, body }];
}

/** What the details of something show of its status. */
function readIn({ operation, path = {}, answer }: Step, index: number, { resources }: Plan): Told[] {
  const value = (answer as { status?: unknown } | undefined)?.status;
  if (!operation?.startsWith("get") || typeof value !== "string") return [];
  return Object.values(resources).flatMap(({ name, id: field, states }) => {
    const id = path[field];
    return id === undefined || states.status === undefined
      ? []
      : [{ index, resource: name, id, state: "status", value, body: answer as Body }];
  });
}
