/** One tenant for each API key, each with its own world. A world that has changed is never removed to make room. */
import { hash } from "node:crypto";
import { ControlError } from "../checks/error.ts";
import { memoizeTexts } from "../memoize.ts";
import { BodyStore, RequestLog } from "./requests.ts";
import { type SavedWorld, Tenant, type TenantOptions } from "./tenant.ts";

export interface TenantsOptions extends TenantOptions {
  /** The accepted API keys; every key when left out. */
  readonly keys?: readonly string[] | undefined;
  /** Maximum number of worlds that have changed. */
  readonly maxWorlds?: number | undefined;
}

/** Maximum sizes of `#unchangedTenants`, `#logs` and `#truncatedKeys`. */
const maxUnchangedTenants = 100;
const maxLogs = 1000;
const maxTruncatedKeys = 100_000;

export class Tenants {
  readonly maxWorlds: number;
  readonly #options: TenantOptions;
  readonly #acceptedHashes: ReadonlySet<string> | undefined;
  readonly #bodies = new BodyStore();
  /** The keys of the three maps are hashes of API keys. `#unchangedTenants` and `#logs` begin with the least recently used entry. */
  readonly #changedTenants = new Map<string, Tenant>();
  readonly #unchangedTenants = new Map<string, Tenant>();
  /** The request logs of API keys without a changed world. */
  readonly #logs = new Map<string, RequestLog>();
  /** Hashes of API keys whose request log was dropped: the number of their requests is not known. */
  readonly #truncatedKeys = new Set<string>();
  #lastTenant: Tenant | undefined;

  constructor({ keys, maxWorlds = 1000, ...options }: TenantsOptions) {
    this.#options = options;
    this.maxWorlds = maxWorlds;
    this.#acceptedHashes = keys && new Set(keys.map(hashOf));
  }

  get size(): number {
    return this.#changedTenants.size;
  }

  isAccepted(key: string): boolean {
    return this.#acceptedHashes?.has(hashOf(key)) ?? true;
  }

  find(key: string): Tenant | undefined {
    const keyHash = hashOf(key);
    return this.#changedTenants.get(keyHash) ?? this.#unchangedTenants.get(keyHash);
  }

  /** Creates the tenant if necessary. @returns undefined when the API key is not accepted. */
  getOrCreate(key: string): Tenant | undefined {
    const keyHash = hashOf(key);
    if (this.#lastTenant?.hash === keyHash) return this.#lastTenant;
    if (this.#acceptedHashes?.has(keyHash) === false) return undefined;
    this.#lastTenant = this.#changedTenants.get(keyHash) ?? this.#useUnchanged(keyHash);
    return this.#lastTenant;
  }

  /** Afterwards, the world counts as changed only if a receiver of events was set while the mock ran. */
  reset(tenant: Tenant): void {
    tenant.reset();
    if (tenant.hasData) return;
    this.#changedTenants.delete(tenant.hash);
    touch(this.#unchangedTenants, tenant.hash, tenant, maxUnchangedTenants);
    this.#keepLog(tenant.hash, tenant.requests);
  }

  end(tenant: Tenant): void {
    tenant.end();
    for (const map of [this.#changedTenants, this.#unchangedTenants, this.#logs]) map.delete(tenant.hash);
    this.#options.onChange?.();
    if (this.#lastTenant === tenant) this.#lastTenant = undefined;
  }

  load({ tenant: keyHash, ...data }: SavedWorld): void {
    const tenant = this.#makeTenant(keyHash, new RequestLog(this.#bodies, this.#options.plan));
    this.#changedTenants.set(keyHash, tenant);
    tenant.load(data);
  }

  resume(): void {
    for (const tenant of this.#changedTenants.values()) tenant.resume();
  }

  *worlds(): Iterable<SavedWorld> {
    for (const tenant of this.#changedTenants.values()) yield tenant.toSavedWorld();
  }

  close(): void {
    for (const tenant of [...this.#changedTenants.values(), ...this.#unchangedTenants.values()]) tenant.close();
    for (const map of [this.#changedTenants, this.#unchangedTenants, this.#logs]) map.clear();
    this.#lastTenant = undefined;
  }

  /** @throws {ControlError} with 503 when there is no room for another changed world. */
  #admit(tenant: Tenant): void {
    if (this.size >= this.maxWorlds) {
      throw new ControlError(
        `There is no room for another world: ${this.maxWorlds} have data, which is the maximum. End one with DELETE /__mock/world and its API key, or start the mock with a higher --worlds (in a program: the option worlds).`,
        503,
      );
    }
    this.#changedTenants.set(tenant.hash, tenant);
    this.#unchangedTenants.delete(tenant.hash);
    this.#logs.delete(tenant.hash);
  }

  #makeTenant(keyHash: string, requests: RequestLog): Tenant {
    return new Tenant(keyHash, { ...this.#options, requests, admit: (tenant) => this.#admit(tenant) });
  }

  #useUnchanged(keyHash: string): Tenant {
    const isTruncated = this.#truncatedKeys.size >= maxTruncatedKeys || this.#truncatedKeys.has(keyHash);
    const log = this.#logs.get(keyHash) ?? new RequestLog(this.#bodies, this.#options.plan, isTruncated);
    const tenant = this.#unchangedTenants.get(keyHash) ?? this.#makeTenant(keyHash, log);
    touch(this.#unchangedTenants, keyHash, tenant, maxUnchangedTenants)?.[1].close();
    this.#keepLog(keyHash, log);
    return tenant;
  }

  #keepLog(keyHash: string, log: RequestLog): void {
    this.#truncatedKeys.delete(keyHash);
    const [droppedHash = "", { isEmpty = true } = {}] = touch(this.#logs, keyHash, log, maxLogs) ?? [];
    if (!isEmpty && this.#truncatedKeys.size < maxTruncatedKeys) this.#truncatedKeys.add(droppedHash);
  }
}

/** Adds an entry, or makes it the most recently used one. @returns the removed, least recently used entry, if the map exceeded `maxSize`. */
function touch<Value>(
  map: Map<string, Value>,
  key: string,
  value: Value,
  maxSize: number,
): [string, Value] | undefined {
  map.delete(key);
  map.set(key, value);
  if (map.size <= maxSize) return undefined;
  const [oldestEntry] = map;
  if (oldestEntry !== undefined) map.delete(oldestEntry[0]);
  return oldestEntry;
}

/** SHA-256 of an API key. The state file contains this hash instead of the key. */
const hashOf = memoizeTexts(1024, 1024, (key) => hash("sha256", key));
