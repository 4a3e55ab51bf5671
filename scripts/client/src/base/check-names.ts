export function checkNames(
  kind: string,
  object: object,
  knownNames: readonly string[],
  hintFor: (name: string) => string = () => "",
): void {
  for (const name of Object.keys(object)) {
    if (knownNames.includes(name)) continue;
    // A name that does not look like an option may be data that was passed in place of options, so it is not printed.
    const isName = /^(?!.{31})[a-z]+\d?[a-z]*$/i.test(name);
    const intendedName = knownNames.find(
      (knownName) => knownName.toLowerCase() === name.replace(/[_-]/g, "").toLowerCase(),
    );
    const printedName = isName || intendedName ? ` "${name}"` : " with a name that is not shown";
    const hint = intendedName ? ` Write ${intendedName}.` : hintFor(name);
    throw new TypeError(`There is no ${kind}${printedName}.${hint} There are ${knownNames.join(", ")}.`);
  }
}
