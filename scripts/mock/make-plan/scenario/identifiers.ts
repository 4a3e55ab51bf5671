/** The identifiers of the scenario, and those that the mock has made in their places. */

/** UUIDs, account numbers, addresses, hashes, titles of transfers: nothing else is so long, has a digit and is no time. */
const form = /^(?=.*\d)(?!\d{4}-\d\d-\d\d)[\w-]{10,}$/;

export class Identifiers {
  readonly #made = new Map<string, string>();
  readonly #shown = new Map<string, string>();

  /** Learns from something that the mock has made, and that the scenario shows with other identifiers. */
  learn(made: unknown, shown: unknown): void {
    if (typeof made === "string" && typeof shown === "string") {
      if (made === shown || !form.test(made) || !form.test(shown)) return;
      if (this.#shown.has(made) || this.#made.has(shown)) return;
      this.#shown.set(made, shown);
      this.#made.set(shown, made);
    } else if (typeof made === "object" && made !== null && typeof shown === "object" && shown !== null) {
      for (const [key, value] of Object.entries(shown)) this.learn(partOf(made, key, value), value);
    }
  }

  /** A value of the scenario with the identifiers of the mock. */
  toMade<Value>(value: Value): Value {
    return replaced(value, this.#made);
  }

  /** A value of the mock with the identifiers of the scenario. */
  toShown<Value>(value: Value): Value {
    return replaced(value, this.#shown);
  }
}

/** The scenario shows the balances of some currencies only. */
function partOf(made: object, key: string, shown: unknown): unknown {
  const { name } = (shown ?? {}) as { name?: unknown };
  const named = Array.isArray(made) && name !== undefined ? made.find((item) => item.name === name) : undefined;
  return named ?? (made as Readonly<Record<string, unknown>>)[key];
}

/** They stand within texts as well, such as URLs and the bodies of events. */
function replaced<Value>(value: Value, by: ReadonlyMap<string, string>): Value {
  if (value === undefined || by.size === 0) return value;
  const pattern = new RegExp([...by.keys()].join("|"), "g");
  return JSON.parse(JSON.stringify(value).replace(pattern, (found) => by.get(found) ?? found)) as Value;
}
