import { openBalances } from "../behaviours/balances.ts";
import type { MockWorld } from "../behaviours/behaviour.ts";
import { availableUnits, endTransaction, recordTransaction } from "../behaviours/funds.ts";
import { eventTriggers } from "../behaviours/index.ts";
import { verifyNow } from "../behaviours/kyc.ts";
import { existingUser, requireUser } from "../behaviours/users.ts";
import { findCurrency } from "../behaviours/values.ts";
import { openWallet } from "../behaviours/wallets.ts";
import { ControlError } from "../checks/error.ts";
import { readObject } from "../checks/fields.ts";
import { readUnits, toDecimalText } from "../kernel/money.ts";
import type { Balances, ExchangeLock, Funds, User, UserOptions } from "../plan/control.ts";
import type { PlanOperation } from "../plan/plan.ts";
import { brokenRules } from "../request/rules.ts";
import { runBehaviour } from "../tenants/act.ts";
import { Refusal } from "../tenants/requirements.ts";

export function makeUser(world: MockWorld, externalUserId: string, options: UserOptions): User {
  const { attributes = {}, funds = {}, verified = false, extended = false, suspended } = options;
  if (existingUser(world, externalUserId) === undefined) createUser(world, externalUserId, attributes);
  else if (options.attributes !== undefined) {
    throw new ControlError(
      `${externalUserId} exists. attributes are those of a new user; change them with updateUser.`,
    );
  }
  const user = world.records.get("user", externalUserId);
  if ((verified || extended) && user.states.verification === "unverified") {
    verifyNow(world, externalUserId);
    completeAccount(world, externalUserId);
  }
  if (extended && user.states.verification === "verified") world.move(user, "extended", "verification");
  if (Object.keys(funds).length > 0) openBalances(world, externalUserId);
  addFunds(world, externalUserId, funds);
  const access = suspended === undefined ? user.states.access : suspended ? "suspended" : "active";
  if (access !== undefined && access !== user.states.access) world.move(user, access, "access");
  return stateOfUser(world, externalUserId);
}

export function usersOf(world: MockWorld): User[] {
  const existingUsers = world.records.list("user").filter(({ id }) => existingUser(world, id) !== undefined);
  return existingUsers.slice(-1000).map(({ id }) => stateOfUser(world, id));
}

function stateOfUser(world: MockWorld, externalUserId: string): User {
  const { verification = "", access = "" } = world.records.get("user", externalUserId).states;
  return { externalUserId, verification, access, funds: fundsOf(world, externalUserId) };
}

/** The history shows each amount as a deposit. @param owner null for the partner. */
export function addFunds(world: MockWorld, owner: string | null, funds: Funds): void {
  for (const [name, amount] of Object.entries(funds)) {
    const currency = name.toLowerCase();
    const units = unitsOf(world, String(amount), currency, `funds.${name}`);
    if (units === 0n) continue;
    const isFiat = findCurrency(world, currency)?.kind === "fiat";
    const type = isFiat ? "fiatDeposit" : "cryptoDeposit";
    const { id } = recordTransaction(world, { owner, type, currency, units });
    endTransaction(world, id, true);
  }
}

export function fundsOf(world: MockWorld, owner: string | null): Balances {
  const entries = Object.entries(world.assumptions.currencies.list).flatMap(([code, { decimals }]) => {
    const units = availableUnits(world, owner, code);
    return units === 0n ? [] : [[code, toDecimalText(units, decimals)]];
  });
  return Object.fromEntries(entries);
}

export function makeExchangeLock(
  world: MockWorld,
  externalUserId: string | null,
  exchange: Omit<ExchangeLock, "externalUserId">,
): object {
  const query = { ...exchange, amount: String(exchange.amount) };
  if (externalUserId === null) return runOperation(world, "createPartnerExchangeRateLock", { query });
  const { id } = requireUser(world, externalUserId);
  return runOperation(world, "createExchangeRateLock", { query: { externalUserId: id, ...query } });
}

/** Wallets and the bank account are created without their usual delay after the verification. */
function completeAccount(world: MockWorld, externalUserId: string): void {
  for (const currency of world.assumptions.wallets.ofUsers) openWallet(world, externalUserId, currency);
  // If the user already had money, the bank account may already exist, or may have been rejected.
  const status = world.records.find("iban", externalUserId)?.states.status ?? "PENDING";
  if (status === "PENDING") eventTriggers["fiatBalance.balanceIsActivated"]?.(world, { externalUserId });
}

function createUser(world: MockWorld, externalUserId: string, attributes: Readonly<Record<string, unknown>>): void {
  const operation = world.plan.operations.find(({ operationId }) => operationId === "createUserAccount");
  const [body] = operation?.requestBody?.bodies ?? [];
  const examples = Object.values(body?.examples ?? {}) as object[];
  const [example] = examples;
  const allowedNames = [...new Set(examples.flatMap((item) => Object.keys(item)))].filter(
    (name) => name !== "externalUserId",
  );
  readObject(attributes, "attributes", allowedNames);
  const generatedAttributes = { email: `user-${world.ids.hex(12)}@users.example`, phone: `999${world.ids.digits(12)}` };
  const requestBody = { ...example, ...generatedAttributes, ...attributes, externalUserId };
  if (body?.validator(requestBody) === false) {
    const problems = brokenRules(body.validator.errors ?? []).map(({ path, rule }) => `${path.join(".")} ${rule}`);
    throw new ControlError(`The user: ${problems.join("; ").trim()}.`);
  }
  runOperation(world, "createUserAccount", { body: requestBody });
}

function runOperation(
  world: MockWorld,
  operationId: "createUserAccount" | "createExchangeRateLock" | "createPartnerExchangeRateLock",
  { query = {}, body = {} }: { query?: Readonly<Record<string, string>>; body?: Readonly<Record<string, unknown>> },
): object {
  const operation = world.plan.operations.find((candidate) => candidate.operationId === operationId);
  const call = { operation: operation as PlanOperation, path: {}, query, body, amounts: {}, files: {} };
  try {
    return runBehaviour(world, call).body as object;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const meaning = world.plan.codes[error.code ?? ""]?.meaning ?? "";
    throw new ControlError(`${error.code ?? ""} ${meaning}: ${error.message}`.trim());
  }
}

function unitsOf(world: MockWorld, amount: string, currency: string, name: string): bigint {
  const { list } = world.assumptions.currencies;
  if (!Object.hasOwn(list, currency)) {
    throw new ControlError(`${name}: there is no such currency. Possible are ${Object.keys(list).join(", ")}.`);
  }
  const units = readUnits(amount, list[currency]?.decimals ?? 0);
  if (typeof units === "string") throw new ControlError(`${name} ${units}.`);
  return units;
}
