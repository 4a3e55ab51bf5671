import type { PlanField } from "./plan.ts";

/**
 * Sets a member of a body. Dots in the name separate levels; a missing level is created.
 *
 * @param isText whether to use the text as it is; otherwise the text is parsed as JSON if possible.
 * @returns a description of the problem when a level is not an object or the name is invalid; otherwise undefined.
 */
export function setMember(
  body: Record<string, unknown>,
  name: string,
  text: string,
  isText: boolean,
): string | undefined {
  const names = name.split(".");
  if (names.some((part) => part === "" || part === "__proto__")) return `${name} is not the name of a member.`;
  const last = names.pop() as string;
  let inner = body;
  for (const part of names) {
    const next: unknown = (Object.hasOwn(inner, part) ? inner[part] : undefined) ?? {};
    if (typeof next !== "object" || Array.isArray(next)) return `${name} cannot be set: ${part} is not an object.`;
    inner[part] = next;
    inner = next as Record<string, unknown>;
  }
  inner[last] = isText ? text : jsonOf(text);
  return undefined;
}

export function setField(
  body: Record<string, unknown>,
  fields: readonly PlanField[],
  name: string,
  text: string,
): string | undefined {
  const names = name.split(".");
  const documented = fields.find((field) => {
    const parts = field.name.split(".");
    return parts.length === names.length && parts.every((part, at) => part === "<name>" || part === names[at]);
  });
  // In a field that is not documented, a number stays a text, so that `amount=25.50` keeps its last zero; other JSON is parsed.
  const isText = documented?.isText ?? !/^(true|false|null|[[{"].*)$/s.test(text);
  return setMember(body, name, text, isText);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
