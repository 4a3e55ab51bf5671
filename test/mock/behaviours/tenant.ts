import { beforeEach, expect } from "vitest";
import { openBalances } from "../../../scripts/mock/behaviours/balances.ts";
import type { MockWorld, UploadedFile } from "../../../scripts/mock/behaviours/behaviour.ts";
import { accountOf } from "../../../scripts/mock/behaviours/funds.ts";
import { eventTriggers } from "../../../scripts/mock/behaviours/index.ts";
import { Clock } from "../../../scripts/mock/kernel/clock.ts";
import type { Entity } from "../../../scripts/mock/plan/data.ts";
import { type AcceptedCall, executeCall, makeWorld } from "../../../scripts/mock/tenants/act.ts";
import { plan } from "../../support/plan.ts";
import { exampleCall, type Fields, operationNamed, withValues } from "../codes/calls.ts";

export const startTime = Date.parse("2026-04-01T07:00:00.000Z");

export function tenantForEach(prepare: (tenant: Tenant) => void = () => {}): Tenant {
  const tenant = new Tenant();
  beforeEach(() => {
    tenant.begin();
    prepare(tenant);
  });
  return tenant;
}

// biome-ignore lint/suspicious/noExplicitAny: each test reads the members that it expects.
export type Body = any;

export class Tenant {
  world: MockWorld = newWorld();
  #seenCount = 0;

  begin(): void {
    this.world = newWorld();
    this.#seenCount = 0;
  }

  addUser(id: string): void {
    const attributes = { externalUserId: id, firstName: "Lena", lastName: "Vogel" };
    const noVerification = { documentNumber: null, verifiedUntil: null, attempts: 0, files: [] };
    const data = { userId: id, attributes, poaRequiredForExtended: false, ...noVerification };
    this.runNow(() => {
      const user = this.world.create("user", { id, owner: id, data });
      this.world.move(user, "verified", "verification");
      openBalances(this.world, id);
    });
  }

  addExtendedUser(id: string): void {
    this.addUser(id);
    this.runNow(() => this.world.move(this.world.records.get("user", id), "extended", "verification"));
  }

  fund(owner: string | null, amount: string): void {
    this.triggerEvent("sepaDeposit.depositArrives", { externalUserId: owner, amount, status: "SUCCESSFUL" });
    this.advance(1);
  }

  setAccess(user: string, newValue: string): void {
    this.runNow(() => this.world.move(this.world.records.get("user", user), newValue, "access"));
  }

  /** Executes the example request of the contract. `values` replaces some of its parameters and fields (see {@link withValues}). */
  call(
    operationId: string,
    values: Fields = {},
    extraParts: Partial<AcceptedCall> = {},
  ): { status: number; code: string | undefined; notes: readonly string[]; body: Body } {
    const operation = operationNamed(plan, operationId);
    const { path, query, body } = withValues(exampleCall(operation, "key"), values);
    const call = { operation, path, query, body, files: {}, ...extraParts };
    const amounts = Object.fromEntries(Object.entries(call.body ?? {}).map(([name, value]) => [name, String(value)]));
    const { response, ...outcome } = executeCall(this.world, { ...call, amounts });
    return { status: response.status, code: response.code, ...outcome };
  }

  createUser(externalUserId: string, changes: Fields = {}) {
    const contact = { email: `${externalUserId}@mail.example`, phone: `447700${externalUserId.replace(/\D/g, "")}` };
    return this.call("createUserAccount", { externalUserId, ...contact, country: "PT", ...changes });
  }

  upload(operationId: string, externalUserId: string, names: string[], changes: Partial<UploadedFile> = {}) {
    const file = { contentType: "image/jpeg", size: 1000, ...changes };
    return this.call(
      operationId,
      { externalUserId },
      { files: Object.fromEntries(names.map((name) => [name, [file]])) },
    );
  }

  uploadPassport(externalUserId: string, changes: Partial<UploadedFile> = {}) {
    return this.upload("addKycFiles", externalUserId, ["front_id", "selfie"], changes);
  }

  verify(externalUserId: string, changes: Fields = {}) {
    const document = { documentNumber: `ZS-${externalUserId}`, documentExpirationDate: "2029-12-12" };
    return this.call("addUserVerification", { externalUserId, documentType: "PASSPORT", ...document, ...changes });
  }

  prepare(externalUserId: string, country = "PT"): void {
    this.createUser(externalUserId, { country });
    this.uploadPassport(externalUserId);
    this.advance(10);
    this.takeNewEvents();
  }

  triggerEvent(name: string, eventFields: Record<string, unknown> = {}): Entity {
    const trigger = eventTriggers[name];
    if (trigger === undefined) throw new Error(`There is no external event ${name}.`);
    return this.runNow(() => trigger(this.world, eventFields));
  }

  runNow<T>(work: () => T): T {
    this.world.runJobs(this.world.clock.now);
    return this.world.runAt(this.world.clock.now, work);
  }

  advance(seconds: number): void {
    this.world.clock.freeze(this.world.clock.now + seconds * 1000);
    this.world.runJobs(this.world.clock.now);
  }

  eventsOf(webhook: string): Body[] {
    return this.world.outbox.events.filter((event) => event.webhook === webhook).map(({ body }) => JSON.parse(body));
  }

  takeNewEvents(): [webhook: string, body: Body][] {
    const newEvents = this.world.outbox.events.slice(this.#seenCount);
    this.#seenCount += newEvents.length;
    return newEvents.map(({ webhook, body }) => [webhook, JSON.parse(body)]);
  }

  unitsOf(owner: string | null, currency: string): bigint {
    return this.world.ledger.balance(accountOf(owner), currency);
  }

  eurosOf(owner: string | null): string {
    const [balance] = this.readBalances(owner).fiatBalances;
    return balance.amount;
  }

  readBalances(owner: string | null): Body {
    if (owner === null) return this.call("getPartnerBalances").body;
    return this.call("getUserBalances", { externalUserId: owner }).body;
  }

  readHistory(owner: string | null, month = "04", year = "2026"): Body[] {
    if (owner === null) return this.call("getPartnerTransactionHistory", { month, year }).body;
    return this.call("getUserTransactionHistory", { externalUserId: owner, month, year }).body;
  }

  expectBalancesMatchHistory(...owners: (string | null)[]): void {
    for (const currency of Object.keys(plan.assumptions.currencies.list)) {
      for (const owner of owners) {
        const sum = this.world.records
          .listOwned("transaction", owner)
          .filter((record) => record.data.currency === currency)
          .filter(({ states, data }) => states.status === "SUCCESSFUL" || data.held !== null)
          .reduce((total, { data }) => total + data.units, 0n);
        expect(this.world.ledger.balance(accountOf(owner), currency)).toBe(sum);
      }
    }
  }
}

function newWorld(): MockWorld {
  const clock = new Clock(() => startTime);
  clock.freeze();
  return makeWorld(plan, { seed: "tenant", clock });
}

export function attemptsOf(events: [string, Body][]): unknown[] {
  return events.flatMap(([name, body]) => (name === "kycVerificationStatus" ? [body] : []));
}
