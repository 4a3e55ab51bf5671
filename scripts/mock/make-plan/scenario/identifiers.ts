/** Maps the documented identifiers of the scenario to the identifiers that the mock generates, and back. */

/** Matches texts that count as identifiers, such as UUIDs and account numbers: at least ten characters with a digit, but no date. */
const identifierPattern = /^(?=.*\d)(?!\d{4}-\d\d-\d\d)[\w-]{10,}$/;

export class Identifiers {
  readonly #generated = new Map<string, string>();
  readonly #documented = new Map<string, string>();

  learn(generated: unknown, documented: unknown): void {
    if (typeof generated === "string" && typeof documented === "string") {
      if (generated === documented || !identifierPattern.test(generated) || !identifierPattern.test(documented)) return;
      if (this.#documented.has(generated)) return;
      this.#documented.set(generated, documented);
      this.#generated.set(documented, generated);
    } else if (
      typeof generated === "object" &&
      generated !== null &&
      typeof documented === "object" &&
      documented !== null
    ) {
      for (const [key, value] of Object.entries(documented)) this.learn(partOf(generated, key, value), value);
    }
  }

  toGenerated<Value>(value: Value): Value {
    return replaceIdentifiers(value, this.#generated);
  }

  toDocumented<Value>(value: Value): Value {
    return replaceIdentifiers(value, this.#documented);
  }
}

/** Finds the corresponding part of the generated value. Items of a list correspond by their `name`, because the scenario omits some items. */
function partOf(generated: object, key: string, documented: unknown): unknown {
  const { name } = (documented ?? {}) as { name?: unknown };
  const sameNamed =
    Array.isArray(generated) && name !== undefined ? generated.find((item) => item.name === name) : undefined;
  return sameNamed ?? (generated as Readonly<Record<string, unknown>>)[key];
}

/** Replaces identifiers, also inside texts such as URLs and event bodies. */
function replaceIdentifiers<Value>(value: Value, replacements: ReadonlyMap<string, string>): Value {
  if (value === undefined || replacements.size === 0) return value;
  const pattern = new RegExp([...replacements.keys()].join("|"), "g");
  return JSON.parse(JSON.stringify(value).replace(pattern, (found) => replacements.get(found) ?? found)) as Value;
}
