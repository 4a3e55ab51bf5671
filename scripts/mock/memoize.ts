/** The key is compared by identity. @param make must not return undefined. */
export function memoize<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    const cachedValue = values.get(key);
    if (cachedValue !== undefined) return cachedValue;
    const value = make(key);
    values.set(key, value);
    return value;
  };
}

export function memoizeTexts<Value>(
  maxEntries: number,
  maxLength: number,
  make: (text: string) => Value,
): (text: string) => Value {
  const values = new Map<string, Value>();
  return (text) => {
    const cachedValue = values.get(text);
    if (cachedValue !== undefined) return cachedValue;
    const value = make(text);
    if (values.size >= maxEntries) values.clear();
    if (text.length <= maxLength) values.set(text, value);
    return value;
  };
}
