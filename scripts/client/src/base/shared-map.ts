/** The ES and CommonJS copies of a module share the map, because one process can load both. `name` is unique in this package. */
export function sharedMap<Key extends object, Value>(name: string): WeakMap<Key, Value> {
  const globals = globalThis as unknown as { [key: symbol]: WeakMap<Key, Value> | undefined };
  const key = Symbol.for(`partner-wallet-api.${name}`);
  globals[key] ??= new WeakMap();
  return globals[key];
}
