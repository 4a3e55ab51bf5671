/** The tenants of the mock: one for each API key, each with its own world. No world that has changed is ended for another. */
import { hash } from "node:crypto";
import { ControlError } from "../checks/error.ts";
import { memoizeTexts } from "../memoize.ts";
import { Bodies, RequestLog } from "./requests.ts";
import { type SavedWorld, Tenant, type TenantOptions } from "./tenant.ts";

export interface TenantsOptions extends TenantOptions {
  /** The accepted API keys; every key when left out. */
  readonly keys?: readonly string[] | undefined;
  /** Maximum number of worlds that have changed. */
  readonly maxWorlds?: number | undefined;
}

/** Maximum numbers of unchanged worlds, of logs of keys without a changed world, and of keys whose dropped log is remembered. */
const maxUnchanged = 100;
const maxLogs = 1000;
const maxCut = 100_000;

export class Tenants {
  readonly maxWorlds: number;
  readonly #options: TenantOptions;
  readonly #accepted: ReadonlySet<string> | undefined;
  readonly #bodies = new Bodies();
  /** By the hash of the API key, like all maps here. In the maps of limited size, the least recently used key is first. */
  readonly #changed = new Map<string, Tenant>();
  readonly #unchanged = new Map<string, Tenant>();
  /** The logs of keys without a changed world. */
  readonly #logs = new Map<string, RequestLog>();
  /** Keys whose log was dropped, so that a count of their requests is not known. */
  readonly #cut = new Set<string>();
  #last: Tenant | undefined;

  constructor({ keys, maxWorlds = 1000, ...options }: TenantsOptions) {
    this.#options = options;
    this.maxWorlds = maxWorlds;
    this.#accepted = keys && new Set(keys.map(hashOf));
  }

  /** The number of worlds that have changed. */
  get size(): number {
    return this.#changed.size;
  }

  accepts(key: string): boolean {
    return this.#accepted?.has(hashOf(key)) ?? true;
  }

  find(key: string): Tenant | undefined {
    const keyHash = hashOf(key);
    return this.#changed.get(keyHash) ?? this.#unchanged.get(keyHash);
  }

  /** @returns undefined when the API key is not accepted. */
  of(key: string): Tenant | undefined {
    const keyHash = hashOf(key);
    if (this.#last?.hash === keyHash) return this.#last;
    if (this.#accepted?.has(keyHash) === false) return undefined;
    this.#last = this.#changed.get(keyHash) ?? this.#unchangedOf(keyHash);
    return this.#last;
  }

  /** Resets a world, which counts as changed afterwards only if a receiver of events was set. */
  reset(tenant: Tenant): void {
    tenant.reset();
    if (tenant.hasData) return;
    this.#changed.delete(tenant.hash);
    keep(this.#unchanged, tenant.hash, tenant, maxUnchanged);
    this.#keepLog(tenant.hash, tenant.requests);
  }

  end(tenant: Tenant): void {
    tenant.end();
    for (const map of [this.#changed, this.#unchanged, this.#logs]) map.delete(tenant.hash);
    this.#options.onChange?.();
    if (this.#last === tenant) this.#last = undefined;
  }

  load({ tenant: keyHash, ...data }: SavedWorld): void {
    const tenant = this.#make(keyHash, new RequestLog(this.#bodies, this.#options.plan));
    this.#changed.set(keyHash, tenant);
    tenant.load(data);
  }

  resume(): void {
    for (const tenant of this.#changed.values()) tenant.resume();
  }

  *worlds(): Iterable<SavedWorld> {
    for (const tenant of this.#changed.values()) yield tenant.saved();
  }

  close(): void {
    for (const tenant of [...this.#changed.values(), ...this.#unchanged.values()]) tenant.close();
    for (const map of [this.#changed, this.#unchanged, this.#logs]) map.clear();
    this.#last = undefined;
  }

  /** @throws {ControlError} with 503 when there is no room for another world. */
  #admit(tenant: Tenant): void {
    if (this.size >= this.maxWorlds) {
      throw new ControlError(
        `There is no room for another world: ${this.maxWorlds} have data, which is the maximum. End one with DELETE /__mock/world and its API key, or start the mock with a higher --worlds (in a program: the option worlds).`,
        503,
      );
    }
    this.#changed.set(tenant.hash, tenant);
    this.#unchanged.delete(tenant.hash);
    this.#logs.delete(tenant.hash);
  }

  #make(keyHash: string, requests: RequestLog): Tenant {
    return new Tenant(keyHash, { ...this.#options, requests, admit: (tenant) => this.#admit(tenant) });
  }

  #unchangedOf(keyHash: string): Tenant {
    const isCut = this.#cut.size >= maxCut || this.#cut.has(keyHash);
    const log = this.#logs.get(keyHash) ?? new RequestLog(this.#bodies, this.#options.plan, isCut);
    const tenant = this.#unchanged.get(keyHash) ?? this.#make(keyHash, log);
    keep(this.#unchanged, keyHash, tenant, maxUnchanged)?.[1].close();
    this.#keepLog(keyHash, log);
    return tenant;
  }

  #keepLog(keyHash: string, log: RequestLog): void {
    this.#cut.delete(keyHash);
    const [dropped = "", { isEmpty = true } = {}] = keep(this.#logs, keyHash, log, maxLogs) ?? [];
    if (!isEmpty && this.#cut.size < maxCut) this.#cut.add(dropped);
  }
}

/** Makes an entry the most recently used one. @returns the least recently used entry, removed because there are more than `max`. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value, max: number): [string, Value] | undefined {
  map.delete(key);
  map.set(key, value);
  if (map.size <= max) return undefined;
  const [oldest] = map;
  if (oldest !== undefined) map.delete(oldest[0]);
  return oldest;
}

/** The state file contains this hash instead of the API key. */
const hashOf = memoizeTexts(1024, 1024, (key) => hash("sha256", key));
