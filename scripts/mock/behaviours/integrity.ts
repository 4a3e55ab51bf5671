/** Checks a world that was loaded from a state. */

import { latestTime } from "../checks/time.ts";
import type { Entity } from "../plan/data.ts";
import { accountOf, exchangeAccount, externalAccount, serviceAccount } from "./funds.ts";
import { type FieldForm, type FieldValues, fieldForms, type MockWorld, type ResourceName } from "./records.ts";
import { findCurrency } from "./values.ts";

type Reference = "currency" | "user" | "transaction" | "card" | "lock";
type Kind = Exclude<keyof FieldValues, Reference>;

export const unitsFields: readonly string[] = [
  ...new Set(
    Object.values(fieldForms).flatMap((fields) =>
      Object.entries(fields).flatMap(([name, form]) => ((form as FieldForm).startsWith("units") ? name : [])),
    ),
  ),
];

const fieldKinds: Readonly<Record<Kind, readonly [description: string, isValid: (value: unknown) => boolean]>> = {
  text: ["a text", isText],
  count: ["a whole number from 0", (value) => Number.isSafeInteger(value) && (value as number) >= 0],
  time: [
    "a time in milliseconds since 1970",
    (value) => typeof value === "number" && value >= 0 && value <= latestTime,
  ],
  decimal: ["a decimal string above zero", (value) => isText(value) && /^(?=.*[1-9])\d+(\.\d+)?$/.test(value)],
  units: ["whole minor units", (value) => typeof value === "bigint"],
  texts: ["a list of texts", (value) => Array.isArray(value) && value.every(isText)],
  numbers: ["an object of numbers", isObjectOf((value) => typeof value === "number")],
  namedTexts: ["an object of texts", isObjectOf(isText)],
  attributes: ["an object", isObjectOf(() => true)],
  flag: ["true or false", (value) => typeof value === "boolean"],
};

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isObjectOf(isValidPart: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(isValidPart);
}

export function worldProblem(world: MockWorld): string | undefined {
  for (const entity of world.records.dump().entities) {
    const problem = recordProblem(world, entity);
    if (problem !== undefined) return `${entity.resource} ${entity.id}: ${problem}`;
  }
  for (const [value, holder] of world.records.dump().claims) {
    if (world.records.find("user", holder) === undefined) return `claims: ${value}: there is no user ${holder}.`;
  }
  return ledgerProblem(world) ?? jobProblem(world);
}

function recordProblem(world: MockWorld, { resource, owner, createdAt, data }: Entity): string | undefined {
  if (owner !== null && world.records.find("user", owner) === undefined) return `there is no user ${owner}, its owner.`;
  if (!fieldKinds.time[1](createdAt)) return `createdAt must be ${fieldKinds.time[0]}.`;
  const fields = data as Readonly<Record<string, unknown>>;
  for (const [name, form] of Object.entries(fieldForms[resource as ResourceName] ?? {}) as [string, FieldForm][]) {
    const value = fields[name];
    const kind = form.replace(/\?|\|null/, "") as Kind | Reference;
    if (kind !== form && value == null) continue;
    const problem = fieldProblem(world, kind, value);
    if (problem !== undefined) return `${name}${problem}`;
  }
  return resource === "user" ? attributesProblem(world, fields.attributes as object) : undefined;
}

function fieldProblem(world: MockWorld, form: Kind | Reference, value: unknown): string | undefined {
  if (form in fieldKinds) {
    const [description, isValid] = fieldKinds[form as Kind];
    return isValid(value) ? undefined : ` must be ${description}.`;
  }
  if (!isText(value)) return " must be a text.";
  if (form === "currency") return findCurrency(world, value) ? undefined : `: there is no currency ${value}.`;
  const resources = form === "lock" ? ["exchangeLock", "orderLock"] : [form];
  const isFound = resources.some((resource) => world.records.findAny(resource, value) !== undefined);
  return isFound ? undefined : `: there is no ${form} ${value}.`;
}

/** Missing attributes are permitted, because users of the scenario lack some. */
function attributesProblem({ plan }: MockWorld, attributes: object): string | undefined {
  const operation = plan.operations.find(({ operationId }) => operationId === "createUserAccount");
  const validator = operation?.requestBody?.bodies[0]?.validator;
  if (validator === undefined || validator({ ...attributes, externalUserId: "user" })) return undefined;
  const error = validator.errors?.find(({ keyword }) => keyword !== "required");
  return error && `attributes${error.instancePath.replaceAll("/", ".")} ${error.message}.`;
}

function ledgerProblem(world: MockWorld): string | undefined {
  const { records, ledger } = world;
  const holdingTransactions = new Map(
    records.list("transaction").flatMap((item) => (item.data.held ? [[item.data.held, item]] : [])),
  );
  const usedAccounts = new Set<string>();
  for (const { reference, from, to, currency, at } of ledger.postings) {
    const location = `postings: ${reference}`;
    if (findCurrency(world, currency) === undefined) return `${location}: there is no currency ${currency}.`;
    if (!fieldKinds.time[1](at)) return `${location}: at must be ${fieldKinds.time[0]}.`;
    for (const account of [from, to]) {
      const [kind = "", id] = account.split(/ (.*)/s);
      const resource = kind === "held" ? "transaction" : kind;
      const isKnown =
        id === undefined
          ? [accountOf(null), externalAccount, exchangeAccount, serviceAccount].includes(account)
          : records.findAny(resource, id) !== undefined;
      if (!isKnown) return `${location}: there is no account ${account}.`;
      if (account !== externalAccount && account !== exchangeAccount) usedAccounts.add(`${currency} ${account}`);
    }
  }
  for (const key of usedAccounts) {
    const [currency = ""] = key.split(" ", 1);
    const account = key.slice(currency.length + 1);
    const units = ledger.balance(account, currency);
    if (units < 0n) return `postings: ${account} has spent more ${currency} than it had.`;
    if (units > 0n && account.startsWith("held ") && !holdingTransactions.has(account)) {
      return `postings: ${account} has ${currency} that no transaction holds.`;
    }
  }
  for (const [account, { id, data }] of holdingTransactions) {
    const { units, currency, unitsFrom = units, currencyFrom = currency } = data;
    if (ledger.balance(account, currencyFrom) === -unitsFrom) continue;
    return `transaction ${id}: ${account} does not have the amount that is held.`;
  }
  return undefined;
}

/** Runs all pending jobs, to find one that throws. The caller must pass a temporary copy of the world. */
function jobProblem(world: MockWorld): string | undefined {
  const { pendingJobs } = world.jobs;
  const misdatedJob = pendingJobs.find(({ due }) => !fieldKinds.time[1](due));
  if (misdatedJob !== undefined) return `jobs: ${misdatedJob.name}: due must be ${fieldKinds.time[0]}.`;
  try {
    world.runJobs(pendingJobs.at(-1)?.due ?? 0);
    return undefined;
  } catch (error) {
    return `jobs: one cannot be run: ${(error as Error).message}`;
  }
}
