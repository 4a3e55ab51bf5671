export function checkMs(name: string, value: unknown, min: number, max: number = Infinity): void {
  if (typeof value === "number" && value >= min && value <= max) return;
  throw new TypeError(`${name} must be a number of milliseconds from ${min} to ${max}.`);
}
