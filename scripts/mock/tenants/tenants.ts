/** The tenants of the mock: one for each API key, created on first use, each with its own data. */
import { hash } from "node:crypto";
import { memoizeTexts } from "../memoize.ts";
import { Bodies } from "./requests.ts";
import { type SavedWorld, Tenant, type TenantOptions } from "./tenant.ts";

export interface TenantsOptions extends Omit<TenantOptions, "bodies"> {
  /** The accepted API keys; every key when left out. */
  readonly keys?: readonly string[] | undefined;
}

const mostTenants = 1000;

export class Tenants {
  readonly #options: TenantOptions;
  readonly #accepted: ReadonlySet<string> | undefined;
  /** Tenants by the hash of their API key. The most recently used tenant is last. */
  readonly #byHash = new Map<string, Tenant>();
  #last: Tenant | undefined;

  constructor(options: TenantsOptions) {
    this.#options = { ...options, bodies: new Bodies() };
    this.#accepted = options.keys && new Set(options.keys.map(hashOf));
  }

  get size(): number {
    return this.#byHash.size;
  }

  accepts(key: string): boolean {
    return this.#accepted?.has(hashOf(key)) ?? true;
  }

  find(key: string): Tenant | undefined {
    return this.#byHash.get(hashOf(key));
  }

  /** Above the maximum number, the least recently used tenant is removed. */
  of(key: string): Tenant | undefined {
    const keyHash = hashOf(key);
    if (this.#last?.hash === keyHash) return this.#last;
    if (this.#accepted?.has(keyHash) === false) return undefined;
    const known = this.#byHash.get(keyHash);
    if (known === undefined) this.#makeRoom();
    this.#byHash.delete(keyHash);
    this.#last = known ?? new Tenant(keyHash, this.#options);
    this.#byHash.set(keyHash, this.#last);
    return this.#last;
  }

  end(tenant: Tenant): void {
    tenant.end();
    this.#byHash.delete(tenant.hash);
    this.#options.onChange?.();
    if (this.#last === tenant) this.#last = undefined;
  }

  load({ tenant: keyHash, ...unit }: SavedWorld): void {
    const tenant = new Tenant(keyHash, this.#options);
    this.#byHash.set(keyHash, tenant);
    tenant.load(unit);
  }

  resume(): void {
    for (const tenant of this.#byHash.values()) tenant.resume();
  }

  *worlds(): Iterable<SavedWorld> {
    for (const tenant of this.#byHash.values()) if (tenant.isChanged) yield tenant.saved();
  }

  close(): void {
    for (const tenant of this.#byHash.values()) tenant.close();
    this.#byHash.clear();
    this.#last = undefined;
  }

  #makeRoom(): void {
    const [oldest] = this.#byHash.values();
    if (oldest === undefined || this.#byHash.size < mostTenants) return;
    this.end(oldest);
    if (!oldest.hasData) return;
    this.#options.onNote?.(
      `There are ${mostTenants} worlds, and one more API key: the world that was unused for longest has ended (key ${oldest.name}). A test ends its own with DELETE /__mock/world.`,
    );
  }
}

/** The state file contains this hash instead of the API key. */
const hashOf = memoizeTexts(1024, 1024, (key) => hash("sha256", key));
