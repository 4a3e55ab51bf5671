export function omit<Value extends object, Name extends keyof Value & string>(
  object: Value,
  ...names: Name[]
): Omit<Value, Name> {
  const entries = Object.entries(object).filter(([name]) => !names.includes(name as Name));
  return Object.fromEntries(entries) as Omit<Value, Name>;
}
