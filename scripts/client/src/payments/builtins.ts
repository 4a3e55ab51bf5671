/** The functions of Node's modules that payments use. They are declared here, because a partner's program may not have Node's types. */
import type { SqliteDatabase } from "../base/sqlite-database.ts";

interface Builtins {
  readonly "node:crypto": {
    createHash(algorithm: "sha256"): { update(text: string): { digest(encoding: "hex"): string } };
  };
  readonly "node:fs": {
    openSync(path: string, flags: string, mode: number): number;
    readSync(file: number, buffer: Uint8Array): number;
    closeSync(file: number): void;
  };
  readonly "node:sqlite": { readonly DatabaseSync: new (path: string) => SqliteDatabase };
}

interface Process {
  getBuiltinModule?<Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined;
}

/** Undefined when the runtime does not have the built-in module. */
export function builtinModule<Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined {
  return (globalThis as { process?: Process }).process?.getBuiltinModule?.(name);
}
