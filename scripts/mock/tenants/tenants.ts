/** The tenants of the mock: one for each API key, made on first use. None can see or change what is another's. */
import { hash } from "node:crypto";
import type { Recording } from "../journal/recording.ts";
import { Tenant, type TenantOptions } from "./tenant.ts";

export interface TenantsOptions extends TenantOptions {
  /** The keys that are accepted; every key where they are left out. */
  readonly keys?: readonly string[] | undefined;
  /** How many tenants there can be at once; 1,000 where it is left out. */
  readonly most?: number | undefined;
}

export class Tenants {
  readonly #options: TenantsOptions;
  readonly #accepted: ReadonlySet<string> | undefined;
  readonly #most: number;
  /** By the hash of the key, the one that was used last at the end. Keys themselves are not kept. */
  readonly #byHash = new Map<string, Tenant>();

  constructor(options: TenantsOptions) {
    this.#options = options;
    this.#accepted = options.keys && new Set(options.keys.map(hashOf));
    this.#most = options.most ?? 1000;
  }

  get recording(): Recording | undefined {
    return this.#options.recording;
  }

  get size(): number {
    return this.#byHash.size;
  }

  /** Those in use, the one that was used last at the end. */
  get list(): readonly Tenant[] {
    return [...this.#byHash.values()];
  }

  accepts(key: string): boolean {
    return this.#accepted?.has(hashOf(key)) ?? true;
  }

  /** The tenant of a key, if there is one. */
  find(key: string): Tenant | undefined {
    return this.#byHash.get(hashOf(key));
  }

  /** The tenant of a key, made on first use; undefined when the key is not accepted. */
  of(key: string): Tenant | undefined {
    const keyHash = hashOf(key);
    return this.#accepted?.has(keyHash) === false ? undefined : this.ofHash(keyHash);
  }

  /** The tenant of the hash of a key, as a journal has it. */
  ofHash(keyHash: string): Tenant {
    const known = this.#byHash.get(keyHash);
    this.#byHash.delete(keyHash);
    const tenant = known ?? new Tenant(keyHash, this.#options);
    this.#byHash.set(keyHash, tenant);
    if (known === undefined) {
      this.#options.recording?.begins(keyHash);
      this.#forgetOldest();
    }
    return tenant;
  }

  /** Forgets a tenant with all that it has. */
  forget(keyHash: string): void {
    this.#byHash.get(keyHash)?.close();
    this.#byHash.delete(keyHash);
  }

  close(): void {
    for (const tenant of this.#byHash.values()) tenant.close();
    this.#byHash.clear();
  }

  #forgetOldest(): void {
    const [oldest] = this.#byHash;
    if (this.#byHash.size <= this.#most || oldest === undefined) return;
    const [keyHash, tenant] = oldest;
    this.forget(keyHash);
    this.#options.recording?.ends(keyHash);
    this.#options.onNote?.(
      `There can be ${this.#most} tenants: tenant ${tenant.name}, unused for longest, was forgotten with all that it had.`,
    );
  }
}

/** The SHA-256 of a key, in hexadecimal digits. */
export function hashOf(key: string): string {
  return hash("sha256", key);
}
