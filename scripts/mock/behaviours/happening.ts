/** Something that cannot happen outside: what is wrong with it, and what is possible. The control interface answers with it. */
export class HappeningError extends Error {
  override readonly name = "HappeningError";
}

/** What a happening is given, read with clear errors. */
export interface Given {
  /** @throws {HappeningError} when it is given and no string, or missing without a default. */
  text(name: string, otherwise?: string): string;
  /** One of some values. @throws {HappeningError} when it is another one. */
  choice(name: string, values: readonly string[], otherwise?: string): string;
  /** A decimal string or a number. @throws {HappeningError} when it is neither. */
  decimal(name: string, otherwise?: string): string;
}

/** Reads what a happening is given. */
export function read(about: Readonly<Record<string, unknown>>): Given {
  const text = (name: string, otherwise?: string): string => {
    const value = about[name] ?? otherwise;
    if (typeof value === "string" && value !== "") return value;
    throw new HappeningError(value === undefined ? `${name} is missing.` : `${name} must be a text that is not empty.`);
  };
  return {
    text,
    choice: (name, values, otherwise) => {
      const value = text(name, otherwise);
      if (!values.includes(value)) throw new HappeningError(`${name} must be one of ${values.join(", ")}.`);
      return value;
    },
    decimal: (name, otherwise) => {
      const value = about[name] ?? otherwise;
      const digits = typeof value === "number" ? String(value) : value;
      if (typeof digits === "string" && /^\d+(\.\d+)?$/.test(digits)) return digits;
      throw new HappeningError(`${name} must be an amount such as "250.00".`);
    },
  };
}
