/** Numbers that cannot be sent as they were meant. A call with one of them is refused before anything is sent. */

const decimalForm = /^-?\d+(?:\.\d+)?$/;

/**
 * What every text of JSON.stringify holds at the start of a value when one of its numbers was not finite or has more than
 * 15 digits. Most bodies hold neither.
 */
const suspicious = /(?:^|[:,[])(?:null|-?[\d.]{16})/;

/**
 * Finds a number in a JSON body that JSON cannot hold (`NaN`, `Infinity`, which are sent as `null`), or that has more
 * than 15 significant digits and is no safe integer: 0.1 + 0.2 is 0.30000000000000004.
 *
 * @param body the body before its serialisation.
 * @param text what JSON.stringify made of it.
 * @returns what is wrong and what to do, beginning with the JSON pointer (RFC 6901) of the first such number; undefined
 * when there is none.
 */
export function findUnsendableNumber(body: unknown, text: string): string | undefined {
  if (!suspicious.test(text)) return undefined;
  const pointers = new Map<unknown, string>();
  let problem: string | undefined;
  // Only JSON.stringify itself knows what it sends: it calls toJSON, and leaves out functions and undefined.
  JSON.stringify(body, function (this: unknown, key: string, value: unknown) {
    if (problem !== undefined) return undefined;
    const parent = pointers.get(this);
    const pointer = parent === undefined ? "" : `${parent}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    pointers.set(value, pointer);
    problem = problemOf(value, pointer || "The body");
    return value;
  });
  return problem;
}

/**
 * Finds an amount that is no decimal number: `"1e5"`, `" 250 "`, `"250,00"`; or a number that cannot be sent.
 *
 * @param names the names of the amounts.
 * @param values the query, or the body, of which only the top level is read.
 * @returns what is wrong and what to do, beginning with the name; undefined when nothing is.
 */
export function findMalformedAmount(names: readonly string[], values: unknown): string | undefined {
  for (const name of names) {
    const amount = asSent((values as Readonly<Record<string, unknown>> | null | undefined)?.[name], name);
    if (typeof amount === "string" && !decimalForm.test(amount)) {
      return `${name} is not a decimal number such as "250.00": send digits and at most one point, without blanks, commas or an exponent.`;
    }
    const problem = problemOf(amount, name);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Objects of decimal libraries are sent as what toJSON returns, which has an exponent for small and large numbers. */
function asSent(value: unknown, name: string): unknown {
  const { toJSON } = (value ?? {}) as { toJSON?: unknown };
  return typeof toJSON === "function" ? toJSON.call(value, name) : value;
}

function problemOf(value: unknown, place: string): string | undefined {
  const number = value instanceof Number ? Number(value) : value;
  if (typeof number !== "number" || Number.isSafeInteger(number)) return undefined;
  if (!Number.isFinite(number)) {
    return `${place} is ${number}, which JSON cannot hold. Check where it is calculated.`;
  }
  if (Number(number.toPrecision(15)) === number) return undefined;
  // A long integer may be the number of a document: it is not shown.
  const shown = Number.isInteger(number) ? "" : ` is ${number}, which`;
  return `${place}${shown} has more digits than a number can hold. Round it, or send a decimal string.`;
}
