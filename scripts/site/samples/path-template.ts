const parameter = /\{(\w+)\}/g;

/** @param values by name, not yet encoded. A missing value becomes empty. */
export function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(parameter, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}

/**
 * @param address a URL without query, which ends with the filled template.
 * @returns the part before the path, and the decoded values. If the address does not match the template: the whole address, and empty
 * values.
 */
export function readPath(template: string, address: string): { base: string; values: Record<string, string> } {
  const [firstPart = "", ...rest] = template
    .split(/\{\w+\}/)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const match = new RegExp(`${[firstPart, ...rest].join("([^/]*)")}$`).exec(address);
  const names = [...template.matchAll(parameter)].map(([, name = ""]) => name);
  return {
    base: address.slice(0, match?.index ?? address.length),
    values: Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match?.[index + 1] ?? "")])),
  };
}
