/** Texts such as UUIDs and account numbers: at least ten characters with a digit, but not dates. */
const identifierPattern = /^(?=.*\d)(?!\d{4}-\d\d-\d\d)[\w-]{10,}$/;

export class Identifiers {
  readonly #generatedByDocumented = new Map<string, string>();
  readonly #documentedByGenerated = new Map<string, string>();

  learn(generatedValue: unknown, documentedValue: unknown): void {
    if (typeof generatedValue === "string" && typeof documentedValue === "string") {
      if (
        generatedValue === documentedValue ||
        !identifierPattern.test(generatedValue) ||
        !identifierPattern.test(documentedValue)
      )
        return;
      if (this.#documentedByGenerated.has(generatedValue)) return;
      this.#documentedByGenerated.set(generatedValue, documentedValue);
      this.#generatedByDocumented.set(documentedValue, generatedValue);
    } else if (
      typeof generatedValue === "object" &&
      generatedValue !== null &&
      typeof documentedValue === "object" &&
      documentedValue !== null
    ) {
      for (const [key, value] of Object.entries(documentedValue)) this.learn(partOf(generatedValue, key, value), value);
    }
  }

  toGenerated<Value>(value: Value): Value {
    return replaceIdentifiers(value, this.#generatedByDocumented);
  }

  toDocumented<Value>(value: Value): Value {
    return replaceIdentifiers(value, this.#documentedByGenerated);
  }
}

/** List items are matched by their `name`, if any, because the scenario omits some. */
function partOf(generatedValue: object, key: string, documentedValue: unknown): unknown {
  const { name } = (documentedValue ?? {}) as { name?: unknown };
  const itemWithName =
    Array.isArray(generatedValue) && name !== undefined ? generatedValue.find((item) => item.name === name) : undefined;
  return itemWithName ?? (generatedValue as Readonly<Record<string, unknown>>)[key];
}

/** Replaces identifiers also inside texts such as URLs and event bodies. */
function replaceIdentifiers<Value>(value: Value, replacements: ReadonlyMap<string, string>): Value {
  if (value === undefined || replacements.size === 0) return value;
  const pattern = new RegExp([...replacements.keys()].join("|"), "g");
  return JSON.parse(
    JSON.stringify(value).replace(pattern, (identifier) => replacements.get(identifier) ?? identifier),
  ) as Value;
}
