import type { PlanField } from "./plan.ts";

/**
 * @param name dots separate levels; a missing level is created.
 * @param isText whether to use the text as it is; otherwise the text is parsed as JSON if possible.
 * @returns a description of the problem when a level is not an object or the name is invalid.
 */
export function setMember(
  body: Record<string, unknown>,
  name: string,
  text: string,
  isText: boolean,
): string | undefined {
  const names = name.split(".");
  if (names.some((part) => part === "" || part === "__proto__")) return `${name} is not the name of a member.`;
  const lastName = names.pop() as string;
  let container = body;
  for (const part of names) {
    const child: unknown = (Object.hasOwn(container, part) ? container[part] : undefined) ?? {};
    if (typeof child !== "object" || Array.isArray(child)) return `${name} cannot be set: ${part} is not an object.`;
    container[part] = child;
    container = child as Record<string, unknown>;
  }
  container[lastName] = isText ? text : jsonOf(text);
  return undefined;
}

export function setField(
  body: Record<string, unknown>,
  fields: readonly PlanField[],
  name: string,
  text: string,
): string | undefined {
  const names = name.split(".");
  const documentedField = fields.find((field) => {
    const parts = field.name.split(".");
    return parts.length === names.length && parts.every((part, index) => part === "<name>" || part === names[index]);
  });
  // In a field without a documented type, a number stays a text, so that `amount=25.50` keeps its last zero; other JSON is parsed.
  const isText = documentedField?.isText ?? !/^(true|false|null|[[{"].*)$/s.test(text);
  return setMember(body, name, text, isText);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
