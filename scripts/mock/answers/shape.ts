import { hash } from "node:crypto";
import type { Assumptions } from "../plan/assumptions.ts";
import type { BodyChange } from "../plan/control.ts";

type Body = Readonly<Record<string, unknown>>;

interface ShapeOptions {
  /** The keys of the section `bodies` that apply, such as an operationId. */
  readonly bodyKeys: readonly string[];
  readonly isValid: (body: unknown) => boolean;
  /** The documented bodies. With `nulls: always`, each of their members that a body lacks is added as null. */
  readonly examples: readonly unknown[];
}

export function applyShape(shapes: Assumptions["shapes"], body: unknown, options: ShapeOptions): unknown {
  if (Array.isArray(body)) {
    const { isValid, examples } = options;
    const itemOptions = { isValid: (item: unknown) => isValid([item]), examples: examples.flat() };
    return body.map((item) => applyShape(shapes, item, { ...options, ...itemOptions }));
  }
  if (typeof body !== "object" || body === null) return body;
  const changes = options.bodyKeys.flatMap((key) => Object.entries(shapes.bodies[key] ?? {}));
  return applyChanges(adjustPresence(shapes, body as Body, options), changes);
}

/** A field stays as it is if its change would make the body invalid. */
function adjustPresence(
  { optional, nulls }: Assumptions["shapes"],
  body: Body,
  { isValid, examples }: ShapeOptions,
): Body {
  let result = body;
  const setIfValid = (newBody: Body) => {
    if (isValid(newBody)) result = newBody;
  };
  for (const [name, value] of Object.entries(body)) {
    if (optional === "fewest" || (nulls === "never" && value === null)) setIfValid(omitField(result, name));
  }
  if (nulls !== "always") return result;
  const names = new Set(examples.flatMap((example) => Object.keys(example ?? {})));
  for (const name of names) if (!(name in result)) setIfValid({ ...result, [name]: null });
  return result;
}

function applyChanges(body: Body, changes: readonly [field: string, change: BodyChange][]): Body {
  const applicableChanges = changes.filter(([, { when = {} }]) =>
    Object.entries(when).every(([name, value]) => (body[name] ?? null) === value),
  );
  return applicableChanges.reduce(
    (result, [field, change]) => changeField(result, field.split("."), change, body),
    body,
  );
}

function changeField(
  body: Body,
  [name = "", ...innerPath]: readonly string[],
  change: BodyChange,
  wholeBody: Body,
): Body {
  const value = body[name];
  if (innerPath.length > 0) {
    if (typeof value !== "object" || value === null) return body;
    return { ...body, [name]: changeField(value as Body, innerPath, change, wholeBody) };
  }
  if ("to" in change) return { ...body, [name]: change.to };
  if (value === undefined || change.gone) return omitField(body, name);
  const replacement =
    change.form === undefined ? mapValue(value, change.values, wholeBody) : valueForms[change.form](value);
  return { ...(change.as === undefined ? body : omitField(body, name)), [change.as ?? name]: replacement };
}

function mapValue(value: unknown, values: BodyChange["values"] = {}, body: Body): unknown {
  const mappedValue = Object.hasOwn(values, String(value)) ? values[String(value)] : undefined;
  if (!Array.isArray(mappedValue)) return mappedValue ?? value;
  // The value is chosen by the identifiers in the body, so that repeated reads of a resource show the same value.
  const ids = Object.entries(body).filter(([name]) => /id$/i.test(name));
  return mappedValue[digest(JSON.stringify(ids)).readUInt8() % mappedValue.length];
}

const valueForms: Readonly<Record<NonNullable<BodyChange["form"]>, (value: unknown) => unknown>> = {
  seconds: (time) => mapText(time, (text) => text.replace(/\.\d+(?=Z)/, "")),
  offset: (time) => mapText(time, (text) => text.replace(/(\.\d+)?Z$/, "+00:00")),
  space: (time) => mapText(time, (text) => text.replace("T", " ").replace(/(\.\d+)?Z$/, "")),
  number: (amount) => mapText(amount, Number),
  text: (amount) => (typeof amount === "number" ? String(amount) : amount),
  list: (value) => (value === null ? [] : [value]),
  otherId: (id) => mapText(id, (text) => `${digest(text).toString("hex").slice(0, 8)}${text.slice(8)}`),
};

function mapText(value: unknown, change: (text: string) => unknown): unknown {
  return typeof value === "string" ? change(value) : value;
}

function digest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

function omitField(body: Body, name: string): Body {
  const { [name]: _, ...rest } = body;
  return rest;
}
