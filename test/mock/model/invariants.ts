import type { MockWorldControl } from "../../../scripts/mock/control/functions.ts";
import type { InProcessMock } from "../../../scripts/mock/host/mock.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { exampleCall, operationNamed, send } from "../codes/calls.ts";
import type { StepResponse } from "./known.ts";

export type State = ReturnType<MockWorldControl["state"]>;

interface Entity {
  readonly resource: string;
  readonly id: string;
  readonly owner: string | null;
  readonly createdAt: number;
  readonly states: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: the invariants read fields of plain data.
  readonly data: any;
}

export function problemsOfResponse({ step, status, text }: StepResponse): string[] {
  if ("control" in step) return status < 500 ? [] : [`the control interface answered ${status} ${text}`];
  const { operation } = step.call;
  const body = JSON.parse(text) as { errorCode?: string };
  if (body.errorCode === "P500" || status >= 500) return [`${operation.operationId} answered ${status} ${text}`];
  const validator = operation.responseValidators[`${status} application/json`];
  if (validator === undefined) return [`${operation.operationId} answered ${status}, which it does not document`];
  return validator(body) ? [] : [`${operation.operationId} ${status}: ${JSON.stringify(validator.errors)}`];
}

export function problemsOfState(plan: Plan, state: State): string[] {
  const entities = state.entities as readonly Entity[];
  return [
    ...problemsOfMoney(state, entities),
    ...problemsOfClaims(state, entities),
    ...problemsOfIdentity(plan, entities),
  ];
}

function balancesOf(state: State): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  for (const { from, to, currency, units } of state.postings) {
    for (const [account, sign] of [
      [from, -1n],
      [to, 1n],
    ] as const) {
      const key = `${account} ${currency}`;
      balances.set(key, (balances.get(key) ?? 0n) + sign * BigInt(units));
    }
  }
  return balances;
}

function problemsOfMoney(state: State, entities: readonly Entity[]): string[] {
  const balances = balancesOf(state);
  const expectedUnits = new Map<string, bigint>();
  const add = (key: string, units: string, factor = 1n) =>
    expectedUnits.set(key, (expectedUnits.get(key) ?? 0n) + factor * BigInt(units));
  for (const { id, owner, states, data } of entities.filter(({ resource }) => resource === "transaction")) {
    const account = owner === null ? "partner" : `user ${owner}`;
    const isSuccessful = states.status === "SUCCESSFUL";
    // An exchange debits the sold currency immediately, and credits the bought currency when it completes.
    const outgoingUnits = data.unitsFrom === undefined ? (BigInt(data.units) < 0n ? data.units : null) : data.unitsFrom;
    const outgoingCurrency = data.currencyFrom ?? data.currency;
    if (outgoingUnits !== null && (isSuccessful || data.held !== null))
      add(`${account} ${outgoingCurrency}`, outgoingUnits);
    if (BigInt(data.units) > 0n && isSuccessful) add(`${account} ${data.currency}`, data.units);
    if (data.held !== null) add(`${data.held} ${outgoingCurrency}`, outgoingUnits ?? "0", -1n);
    if (data.held !== null && /SUCCESSFUL$/.test(states.status ?? ""))
      expectedUnits.set(`held by a record that ended: ${id}`, 1n);
  }
  const totals = new Map<string, bigint>();
  const problems: string[] = [];
  for (const [key, units] of balances) {
    const [currency = ""] = key.split(" ").slice(-1);
    totals.set(currency, (totals.get(currency) ?? 0n) + units);
    if (/^(user|partner|held)\b/.test(key)) {
      if (units < 0n) problems.push(`${key} is ${units}`);
      if (units !== (expectedUnits.get(key) ?? 0n))
        problems.push(`${key} is ${units}, its records say ${expectedUnits.get(key) ?? 0n}`);
      expectedUnits.delete(key);
    } else if (/^transfer\b/.test(key) && units !== 0n) problems.push(`${key} keeps ${units}`);
  }
  for (const [key, units] of expectedUnits) if (units !== 0n) problems.push(`${key} is 0, its records say ${units}`);
  for (const [currency, units] of totals)
    if (units !== 0n) problems.push(`the ledger has ${units} ${currency} too much`);
  return problems;
}

function problemsOfClaims(state: State, entities: readonly Entity[]): string[] {
  const presentUsers = entities.filter(({ resource, states }) => resource === "user" && states.access !== "deleted");
  const values = presentUsers.flatMap(({ id, data }) =>
    Object.entries({
      phone: data.attributes.phone,
      email: data.attributes.email?.toLowerCase(),
      documentNumber: data.documentNumber,
    }).flatMap(([kind, value]) => (value == null ? [] : [[`${kind} ${value}`, id] as const])),
  );
  const problems = values
    .filter(([key, id], index) =>
      values.some(([other, holder], otherIndex) => otherIndex < index && other === key && holder !== id),
    )
    .map(([key]) => `two users have the ${key.split(" ")[0]}`);
  const sortedText = (pairs: readonly (readonly [string, string])[]) => JSON.stringify([...pairs].sort());
  if (sortedText(values) !== sortedText(state.claims))
    problems.push("the claims are not those of the users who are there");
  return problems;
}

function problemsOfIdentity(plan: Plan, entities: readonly Entity[]): string[] {
  const keys = entities.map(({ resource, id }) => `${resource} ${id}`);
  const problems = keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `there are two of ${key}`);
  const unknownEntities = entities.filter(({ resource }) => plan.resources[resource] === undefined);
  return [...problems, ...unknownEntities.map(({ resource }) => `the contract has no ${resource}`)];
}

export function problemsOfTransitions(plan: Plan, stateBefore: State, stateAfter: State): string[] {
  const earlierEntities = new Map(
    (stateBefore.entities as readonly Entity[]).map((entity) => [`${entity.resource} ${entity.id}`, entity]),
  );
  return (stateAfter.entities as readonly Entity[]).flatMap((entity) => {
    const earlierEntity = earlierEntities.get(`${entity.resource} ${entity.id}`);
    earlierEntities.delete(`${entity.resource} ${entity.id}`);
    // A new verification attempt has the id of the earlier attempt.
    const isNew =
      earlierEntity === undefined ||
      earlierEntity.createdAt !== entity.createdAt ||
      earlierEntity.data.number !== entity.data.number;
    return Object.entries(plan.resources[entity.resource]?.states ?? {}).flatMap(
      ([state, { initial, transitions }]) => {
        const to = entity.states[state] ?? "";
        const from = isNew ? initial : [earlierEntity.states[state] ?? ""];
        return from.some((value) => isReachable(transitions, value, to))
          ? []
          : [`the ${state} of ${entity.resource} ${entity.id} went from ${from.join(" or ")} to ${to}`];
      },
    );
  });
}

function isReachable(transitions: Readonly<Record<string, readonly string[]>>, from: string, to: string): boolean {
  const reachedValues = new Set([from]);
  for (const value of reachedValues) for (const nextValue of transitions[value] ?? []) reachedValues.add(nextValue);
  return reachedValues.has(to);
}

/** Reads in another mock, `reader`, because reading can change a world: the first read of the partner's balance creates this balance. */
export async function findReadingProblems(
  reader: InProcessMock,
  plan: Plan,
  { state, owner }: { state: State; owner: string | null },
): Promise<string[]> {
  reader.restore(state);
  const now = reader.clock.now.toISOString();
  const values = { externalUserId: owner, year: now.slice(0, 4), month: now.slice(5, 7) };
  const read = async (userOperation: string, partnerOperation: string) => {
    const operation = operationNamed(plan, owner === null ? partnerOperation : userOperation);
    const response = await send(reader, exampleCall(operation, reader.apiKey, values));
    return { status: response.status, body: await response.json() };
  };
  const balances = await read("getUserBalances", "getPartnerBalances");
  if (balances.status !== 200) return [];
  const problems: string[] = [];
  const ledger = balancesOf(state);
  for (const { name, amount } of [...balances.body.fiatBalances, ...balances.body.cryptoBalances]) {
    const units = ledger.get(`${owner === null ? "partner" : `user ${owner}`} ${name}`) ?? 0n;
    if (BigInt(amount.replace(".", "")) !== units)
      problems.push(`the balance ${name} of ${owner} is shown as ${amount}`);
  }
  const shownRecords = (await read("getUserTransactionHistory", "getPartnerTransactionHistory")).body as {
    id: string;
  }[];
  const records = (state.entities as readonly Entity[])
    .filter(({ resource, owner: recordOwner }) => resource === "transaction" && recordOwner === owner)
    .filter(({ createdAt }) => new Date(createdAt).toISOString().startsWith(now.slice(0, 7)));
  const formatRecords = (list: readonly { id: string; status?: string }[]) =>
    list.map(({ id, status }) => `${id} ${status}`).join();
  const expectedRecords = formatRecords(records.map(({ id, states }) => ({ id, status: states.status ?? "" })));
  if (formatRecords(shownRecords) !== expectedRecords)
    problems.push(`the history of ${owner} is not that of its records`);
  for (const record of shownRecords as { id: string; amount: number; currency: string }[]) {
    const { data } = records.find(({ id }) => id === record.id) ?? {};
    const { decimals = 0 } = plan.assumptions.currencies.list[record.currency] ?? {};
    if (Math.round(record.amount * 10 ** decimals) !== Number(data?.units))
      problems.push(`the amount of ${record.id} is wrong`);
  }
  return problems;
}
