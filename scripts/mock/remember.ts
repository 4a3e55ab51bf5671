/** What was made once and is needed again. */

/**
 * Makes a function give what it has given for the same object before, as long as the object is there.
 *
 * @param make gives anything but undefined.
 */
export function onceFor<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/** The same for texts, of which the last ones are remembered, so many at most, and none that is longer. */
export function rememberTexts<Value>(
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
