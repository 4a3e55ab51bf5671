/** A number of things in words: `1 open question`, `2 open questions`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
