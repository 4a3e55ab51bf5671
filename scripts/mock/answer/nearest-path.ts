/** The path of the contract that somebody may have meant. */

/** A path with more segments than that, or with longer ones, resembles none. */
const mostSegments = 12;
const longestSegment = 64;

/**
 * The path template that looks most like a path; undefined when none has half of its segments.
 *
 * @param segments of the path, decoded.
 */
export function nearestPath(segments: readonly string[], templates: readonly string[]): string | undefined {
  if (segments.length > mostSegments || segments.some(({ length }) => length > longestSegment)) return undefined;
  let nearest: string | undefined;
  let least = Math.max(2, segments.length) / 2;
  for (const template of templates) {
    const distance = pathDistance(segments.slice(1), template.split("/").slice(1));
    if (distance >= least) continue;
    least = distance;
    nearest = template;
  }
  return nearest;
}

/** How many segments are missing, left over or another; a segment that is nearly right counts for a part. */
function pathDistance(segments: readonly string[], parts: readonly string[]): number {
  return editDistance(segments, parts, (segment, part) => {
    if (part.startsWith("{")) return segment === "" ? 1 : 0.25;
    if (segment === part) return 0;
    const letters = editDistance([...segment.toLowerCase()], [...part.toLowerCase()], (a, b) => (a === b ? 0 : 1));
    return Math.min(1, letters / Math.max(part.length, 1));
  });
}

/** The cost of turning one list into another one: 1 for each that is added or removed, `replace` for each that is replaced. */
function editDistance<Item>(
  from: readonly Item[],
  to: readonly Item[],
  replace: (from: Item, to: Item) => number,
): number {
  let above = to.map((_, index) => index + 1);
  above.unshift(0);
  for (const [row, item] of from.entries()) {
    const current = [row + 1];
    for (const [column, other] of to.entries()) {
      current.push(
        Math.min((above[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1, (above[column] ?? 0) + replace(item, other)),
      );
    }
    above = current;
  }
  return above.at(-1) ?? 0;
}
