/** Maps the identifiers of the scenario to the identifiers that the mock generates. */

/** Texts that count as identifiers, such as UUIDs and account numbers: ten or more characters with a digit, and not a date. */
const form = /^(?=.*\d)(?!\d{4}-\d\d-\d\d)[\w-]{10,}$/;

export class Identifiers {
  readonly #made = new Map<string, string>();
  readonly #shown = new Map<string, string>();

  learn(made: unknown, shown: unknown): void {
    if (typeof made === "string" && typeof shown === "string") {
      if (made === shown || !form.test(made) || !form.test(shown)) return;
      if (this.#shown.has(made)) return;
      this.#shown.set(made, shown);
      this.#made.set(shown, made);
    } else if (typeof made === "object" && made !== null && typeof shown === "object" && shown !== null) {
      for (const [key, value] of Object.entries(shown)) this.learn(partOf(made, key, value), value);
    }
  }

  toMade<Value>(value: Value): Value {
    return replaced(value, this.#made);
  }

  toShown<Value>(value: Value): Value {
    return replaced(value, this.#shown);
  }
}

/** In a list, items correspond by their `name`, because the scenario omits some items. */
function partOf(made: object, key: string, shown: unknown): unknown {
  const { name } = (shown ?? {}) as { name?: unknown };
  const named = Array.isArray(made) && name !== undefined ? made.find((item) => item.name === name) : undefined;
  return named ?? (made as Readonly<Record<string, unknown>>)[key];
}

/** Also replaces identifiers inside texts, such as URLs and event bodies. */
function replaced<Value>(value: Value, by: ReadonlyMap<string, string>): Value {
  if (value === undefined || by.size === 0) return value;
  const pattern = new RegExp([...by.keys()].join("|"), "g");
  return JSON.parse(JSON.stringify(value).replace(pattern, (found) => by.get(found) ?? found)) as Value;
}
