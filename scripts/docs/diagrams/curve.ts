/** Draws arrows. */
import { rounded } from "./text-size.ts";

export interface Point {
  x: number;
  y: number;
}

/**
 * A smooth path through points that go only down or only up. It leaves and arrives vertically and does not swing beyond the
 * points (monotone cubic interpolation).
 */
export function verticalCurve(points: readonly Point[]): string {
  return [
    `M${pair(points[0] as Point)}`,
    ...segmentsOf(points).map(([, c1, c2, end]) => `C${pair(c1)} ${pair(c2)} ${pair(end)}`),
  ].join("");
}

/** A path from the right side of a box back to it. */
export function loop(side: Point, reach: number): string {
  const control = side.x + ((reach - side.x) * 4) / 3;
  const at = (x: number, dy: number): string => pair({ x, y: side.y + dy });
  return `M${at(side.x, -8)}C${at(control, -12)} ${at(control, 12)} ${at(side.x, 8)}`;
}

/** The points of a vertical curve, close to each other: what a test compares with boxes. */
export function pointsOnCurve(points: readonly Point[]): Point[] {
  const steps = Array.from({ length: 21 }, (_, step) => step / 20);
  return segmentsOf(points).flatMap((segment) => steps.map((at) => pointAt(segment, at)));
}

/** How often straight lines through the points of each cross each other. */
export function countCrossings(lines: readonly (readonly Point[])[]): number {
  const pairs = lines.flatMap((line, index) => lines.slice(index + 1).map((other) => [line, other] as const));
  return pairs.reduce((sum, [line, other]) => sum + crossingsOf(line, other), 0);
}

function crossingsOf(line: readonly Point[], other: readonly Point[]): number {
  const crosses = (a: Point, b: Point): boolean =>
    other.slice(1).some((d, index) => {
      const c = other[index] as Point;
      return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
    });
  return line.slice(1).filter((b, index) => crosses(line[index] as Point, b)).length;
}

/** On which side of the line from a to b a point is; 0 on it. */
function side(a: Point, b: Point, point: Point): number {
  return Math.sign((b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x));
}

type Segment = [start: Point, control1: Point, control2: Point, end: Point];

function segmentsOf(points: readonly Point[]): Segment[] {
  const slopes = slopesAt(points);
  return points.slice(1).map((end, index) => {
    const start = points[index] as Point;
    const third = (end.y - start.y) / 3;
    return [
      start,
      { x: start.x + third * (slopes[index] as number), y: start.y + third },
      { x: end.x - third * (slopes[index + 1] as number), y: end.y - third },
      end,
    ];
  });
}

/** How much x changes with y at each point. */
function slopesAt(points: readonly Point[]): number[] {
  return points.map((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (before === undefined || after === undefined) return 0;
    const [slopeBefore, slopeAfter] = [slope(before, point), slope(point, after)];
    if (slopeBefore * slopeAfter <= 0) return 0;
    const mean = (slopeBefore + slopeAfter) / 2;
    return Math.sign(mean) * Math.min(Math.abs(mean), 3 * Math.abs(slopeBefore), 3 * Math.abs(slopeAfter));
  });
}

function slope(from: Point, to: Point): number {
  return to.y === from.y ? 0 : (to.x - from.x) / (to.y - from.y);
}

function pointAt([p0, p1, p2, p3]: Segment, t: number): Point {
  const s = 1 - t;
  const mix = (key: "x" | "y") =>
    s ** 3 * p0[key] + 3 * s ** 2 * t * p1[key] + 3 * s * t ** 2 * p2[key] + t ** 3 * p3[key];
  return { x: mix("x"), y: mix("y") };
}

function pair({ x, y }: Point): string {
  return `${rounded(x)} ${rounded(y)}`;
}
