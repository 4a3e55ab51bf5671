/** Maps the identifiers of the scenario to the identifiers that the mock generates. */

/** Texts that count as identifiers, such as UUIDs and account numbers: ten or more characters with a digit, and not a date. */
const form = /^(?=.*\d)(?!\d{4}-\d\d-\d\d)[\w-]{10,}$/;

export class Identifiers {
  readonly #made = new Map<string, string>();
  readonly #shown = new Map<string, string>();

  /** Compares a value from the mock (`made`) with the value in the scenario (`shown`), and stores each pair of identifiers. */
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

  /** Replaces identifiers of the scenario by the mock's. */
  toMade<Value>(value: Value): Value {
    return replaced(value, this.#made);
  }

  /** Replaces identifiers of the mock by the scenario's. */
  toShown<Value>(value: Value): Value {
    return replaced(value, this.#shown);
  }
}

/** The member `key` of a value from the mock. In a list: the item with the `name` of `shown`, because the scenario omits some items. */
function partOf(made: object, key: string, shown: unknown): unknown {
  const { name } = (shown ?? {}) as { name?: unknown };
  const named = Array.isArray(made) && name !== undefined ? made.find((item) => item.name === name) : undefined;
  return named ?? (made as Readonly<Record<string, unknown>>)[key];
}

/** Replaces identifiers everywhere in a value, including inside texts such as URLs and event bodies. */
function replaced<Value>(value: Value, by: ReadonlyMap<string, string>): Value {
  if (value === undefined || by.size === 0) return value;
  const pattern = new RegExp([...by.keys()].join("|"), "g");
  return JSON.parse(JSON.stringify(value).replace(pattern, (found) => by.get(found) ?? found)) as Value;
}
