/** A result is garbage-collected together with its object. */

export function memoizeByKey<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const cache = new WeakMap<Key, Value>();
  return (key) => {
    const value = cache.get(key) ?? make(key);
    cache.set(key, value);
    return value;
  };
}
