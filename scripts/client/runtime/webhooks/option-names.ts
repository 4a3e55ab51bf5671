/** Refuses options that do not exist, of a handler or a store. */

/**
 * Checks that there is no other option.
 *
 * @param hintFor what a message says besides of options with these names.
 * @throws {TypeError} naming those that are unknown, and all that are known.
 */
export function checkOptionNames(
  options: object,
  known: readonly string[],
  hintFor: (strange: readonly string[]) => string = () => "",
): void {
  const strange = Object.keys(options).filter((name) => !known.includes(name));
  if (strange.length === 0) return;
  throw new TypeError(`There is no option ${strange.join(", ")}.${hintFor(strange)} Options: ${known.join(", ")}.`);
}
