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

/** The copy has no inherited properties. It is made only if `Object.prototype` is polluted, because the object itself is faster to read. */
export function ownProperties<T extends object>(object: T): T {
  return isObjectPrototypePolluted() ? Object.assign(Object.create(null), object) : object;
}

function isObjectPrototypePolluted(): boolean {
  for (const _ in Object.prototype) return true;
  return false;
}

/** Connection headers are refused: with them, `fetch` fails late, or waits for a body that never ends. */
const connectionHeaders = ["content-length", "expect", "keep-alive", "transfer-encoding", "upgrade"];

/** @throws {TypeError} if a header cannot be sent. The message does not contain the value of the header. */
export function toHeaders(headers: Headers | Readonly<Record<string, string>> | undefined): Headers {
  let result: Headers;
  try {
    result = new Headers(headers);
  } catch {
    throw new TypeError("headers has a name or a value that cannot be sent, such as a line break.");
  }
  const refusedName = connectionHeaders.find((name) => result.has(name));
  if (refusedName !== undefined) throw new TypeError(`headers has ${refusedName}, which only fetch itself can set.`);
  return result;
}

export function isLoopback({ hostname }: URL): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
