/** Memoizes functions of objects and of texts. */

/** Memoizes a function of an object. The result is kept until the object is garbage-collected. @param make must not return undefined. */
export function memoize<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/**
 * Memoizes a function of a text. When the limit is reached, the cache is emptied.
 *
 * @param most the maximum number of cached texts.
 * @param longest the length in characters above which a text is not cached.
 */
export function memoizeTexts<Value>(
  most: number,
  longest: number,
  make: (text: string) => Value,
): (text: string) => Value {
  const made = new Map<string, Value>();
  return (text) => {
    const known = made.get(text);
    if (known !== undefined) return known;
    const value = make(text);
    if (made.size >= most) made.clear();
    if (text.length <= longest) made.set(text, value);
    return value;
  };
}
