/** Places the boxes and arrows of a lifecycle. */
import { Graph, layout } from "@dagrejs/dagre";
import type { State } from "../../contract/index.ts";
import { countCrossings, loop, type Point, verticalCurve } from "./curve.ts";
import { finalValues, type Transition } from "./lifecycle-data.ts";
import { breakValue, lineHeight, rounded, widthOf, wrapWords } from "./text-size.ts";

/** A rectangle by its centre, in px. */
export interface Area extends Point {
  width: number;
  height: number;
}

export interface Box extends Area {
  value: string;
  lines: string[];
  isFinal: boolean;
}

export interface Arrow {
  transition: Transition;
  path: string;
  /** What a curve goes through; undefined for an arrow from a box back to it. */
  points: Point[] | undefined;
  /** Undefined where the arrow has none. */
  label: (Area & { lines: string[] }) | undefined;
}

export interface Drawing {
  width: number;
  height: number;
  boxes: Box[];
  /** The dot that new resources come from. */
  dot: Area;
  arrows: Arrow[];
  /** Whether the labels are numbers of transitions, not words. */
  isNumbered: boolean;
}

/** What a phone of 360 px shows without scrolling, in px. */
export const phoneWidth = 328;

/** How wide a picture may be that a phone shows smaller, in px; its letters are 10.4 px high then. */
export const shrunkWidth = 1.15 * phoneWidth;

/** Radius of the circle around a number, in px. */
export const numberRadius = 9;

/** No value has a space in it. */
const dotName = "new resource";
const margin = 4;
const boxHeight = 14;

interface Style {
  hasNumbers: boolean;
  hasBrokenValues: boolean;
}

/** From words to numbers, from whole values to broken ones. */
const styles: readonly Style[] = [false, true].flatMap((hasNumbers) =>
  [false, true].map((hasBrokenValues) => ({ hasNumbers, hasBrokenValues })),
);

/**
 * Orders in which dagre gets the transitions, by a factor: how well it avoids crossings depends on that. Of 24 factors these
 * gave the best drawings of the present lifecycles; the first one keeps the order.
 */
const orders = [1, 9, 14, 23];

const drawn = new Map<string, Drawing>();

/**
 * The drawing with the most words that fits on a phone, with few crossings. Where none fits, it shrinks there, or scrolls. One
 * that was made before is taken again: the same lifecycle stands on several pages.
 */
export function drawLifecycle(state: State, transitions: readonly Transition[]): Drawing {
  const { values, moves } = state;
  const key = JSON.stringify([values, moves, transitions]);
  const drawing = drawn.get(key) ?? drawAnew(state, transitions);
  drawn.set(key, drawing);
  return drawing;
}

function drawAnew(state: State, transitions: readonly Transition[]): Drawing {
  const possible = styles.filter(({ hasNumbers }) => hasNumbers || transitions.every(hasShortWords));
  for (const style of possible) {
    const usual = draw(state, transitions, style);
    if (usual.width > phoneWidth) continue;
    return crossingsIn(usual) === 0 ? usual : drawInOrders(state, transitions, style, phoneWidth);
  }
  return drawInOrders(state, transitions, possible.at(-1) as Style, shrunkWidth);
}

/** The drawing with the fewest crossings that is at most `limit` px wide; where none is, the narrowest. */
function drawInOrders(state: State, transitions: readonly Transition[], style: Style, limit: number): Drawing {
  const drawings = orders.map((factor) => draw(state, inOtherOrder(transitions, factor), style));
  const narrow = drawings.filter(({ width }) => width <= limit);
  return narrow.length > 0 ? leastOf(narrow, crossingsIn) : leastOf(drawings, ({ width }) => width);
}

function inOtherOrder(transitions: readonly Transition[], factor: number): Transition[] {
  const keyOf = ({ number }: Transition): number => (number * factor) % 37;
  return [...transitions].sort((a, b) => keyOf(a) - keyOf(b));
}

function crossingsIn({ arrows }: Drawing): number {
  return countCrossings(arrows.map(({ points = [] }) => points));
}

/** The first of those with the least cost. */
function leastOf(drawings: readonly Drawing[], costOf: (drawing: Drawing) => number): Drawing {
  const costs = drawings.map(costOf);
  return drawings[costs.indexOf(Math.min(...costs))] as Drawing;
}

/** Whether the causes say enough on the arrow. One that leads to several values does not say which. */
function hasShortWords({ causes }: Transition): boolean {
  return causes.every(({ kind, to }) => kind === "operation" || to.length === 1) && wordsOn(causes).length <= 3;
}

function wordsOn(causes: Transition["causes"]): string[] {
  return causes.length === 0 ? [] : wrapWords(causes.map(({ words }) => words).join(" or "), 112);
}

function draw(state: State, transitions: readonly Transition[], { hasNumbers, hasBrokenValues }: Style): Drawing {
  const graph = new Graph({ multigraph: true });
  const ranksep = hasNumbers ? 42 : 34;
  graph.setGraph({ rankdir: "TB", nodesep: 14, edgesep: 10, ranksep, marginx: margin, marginy: margin });
  graph.setDefaultEdgeLabel(() => ({}));
  graph.setNode(dotName, { width: 12, height: 12 });
  const final = finalValues(state);
  for (const value of valuesInOrder(state, transitions)) {
    const lines = hasBrokenValues && value.length > 14 ? breakValue(value) : [value];
    const isFinal = final.includes(value);
    const size = { width: widthOf(lines, "code") + (isFinal ? 20 : 16), height: lines.length * lineHeight + boxHeight };
    graph.setNode(value, { ...size, lines, isFinal });
  }
  for (const transition of transitions) {
    const { from = dotName, to, number, causes } = transition;
    const lines = hasNumbers ? [String(number)] : wordsOn(causes);
    const words = { width: widthOf(lines, "words"), height: lines.length * lineHeight };
    const size = hasNumbers ? { width: 2 * numberRadius, height: 2 * numberRadius } : words;
    graph.setEdge(from, to, { ...size, labelpos: "c", lines, transition, weight: from === dotName ? 2 : 1 });
  }
  layout(graph);
  if (isReversed(graph)) mirror(graph);
  return readDrawing(graph, state, hasNumbers);
}

/** The values in the order in which they are reached, then those that nothing leads to. */
function valuesInOrder({ values }: State, transitions: readonly Transition[]): string[] {
  return [...new Set([...transitions.map(({ to }) => to), ...values])];
}

/** Whether arrows from the same box rather have their numbers from right to left. */
function isReversed(graph: Graph): boolean {
  const edges = edgesOf(graph);
  const balance = edges.flatMap((edge) =>
    edges
      .filter(({ transition: { from, number } }) => from === edge.transition.from && number > edge.transition.number)
      .map((later) => Math.sign(later.x - edge.x)),
  );
  return balance.reduce((sum, sign) => sum + sign, 0) < 0;
}

function mirror(graph: Graph): void {
  const { width } = graph.graph();
  const placed: Point[] = [
    ...graph.nodes().map((name: string) => graph.node(name)),
    ...edgesOf(graph).flatMap((edge) => [edge, ...edge.points]),
  ];
  for (const point of placed) point.x = width - point.x;
}

function edgesOf(graph: Graph): PlacedEdge[] {
  return graph.edges().map((edge: unknown) => graph.edge(edge));
}

type PlacedEdge = Area & { points: Point[]; lines: string[]; transition: Transition };

function readDrawing(graph: Graph, { values }: State, isNumbered: boolean): Drawing {
  const boxes = values.map((value): Box => ({ ...areaOf(graph.node(value)), value, ...partsOf(graph.node(value)) }));
  const dot = areaOf(graph.node(dotName));
  const edges = edgesOf(graph);
  const ports = portsOf(edges, (value) =>
    value === undefined ? dot : (boxes.find((box) => box.value === value) as Box),
  );
  const arrows = edges.map((edge): Arrow => {
    const { transition, lines, points } = edge;
    const label = lines.length === 0 ? undefined : { ...areaOf(edge), lines };
    if (transition.from === transition.to) {
      const box = boxes.find(({ value }) => value === transition.to) as Box;
      return { transition, label, points: undefined, path: loop({ x: box.x + box.width / 2, y: box.y }, edge.x) };
    }
    const inner = points.slice(1, -1).map(({ x, y }) => ({ x: rounded(x), y: rounded(y) }));
    const [start, end] = ports.get(edge) as [Point, Point];
    const curve = [start, ...inner, end];
    return { transition, label, points: curve, path: verticalCurve(curve) };
  });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const inOrder = arrows.sort((a, b) => a.transition.number - b.transition.number);
  return { width: Math.ceil(width), height: Math.ceil(height), boxes, dot, arrows: inOrder, isNumbered };
}

/** Where arrows leave and reach boxes: side by side along the upper and the lower border, in the order of where they go. */
function portsOf(
  edges: readonly PlacedEdge[],
  areaAt: (value: string | undefined) => Area,
): Map<PlacedEdge, [Point, Point]> {
  interface End {
    edge: PlacedEdge;
    index: 0 | 1;
    area: Area;
    next: Point;
  }
  const ends = edges
    .filter(({ transition }) => transition.from !== transition.to)
    .flatMap((edge): End[] => {
      const { points, transition } = edge;
      return [
        { edge, index: 0, area: areaAt(transition.from), next: points[1] as Point },
        { edge, index: 1, area: areaAt(transition.to), next: points.at(-2) as Point },
      ];
    });
  const ports = new Map(edges.map((edge): [PlacedEdge, [Point, Point]] => [edge, [edge, edge]]));
  for (const { edge, index, area, next } of ends) {
    const isBelow = next.y > area.y;
    const siblings = ends
      .filter((other) => other.area === area && other.next.y > area.y === isBelow)
      .sort((a, b) => a.next.x - b.next.x);
    const gap = Math.min(22, (area.width - 12) / siblings.length);
    const place = siblings.findIndex((other) => other.edge === edge && other.index === index);
    const isDot = area.width <= 12;
    const x = area.x + (isDot ? 0 : (place - (siblings.length - 1) / 2) * gap);
    const y = area.y + ((isBelow ? 1 : -1) * area.height) / 2;
    const both = ports.get(edge) as [Point, Point];
    ports.set(edge, index === 0 ? [{ x, y }, both[1]] : [both[0], { x, y }]);
  }
  return ports;
}

function areaOf({ x, y, width, height }: Partial<Area>): Area {
  return { x: rounded(x ?? 0), y: rounded(y ?? 0), width: rounded(width ?? 0), height: rounded(height ?? 0) };
}

function partsOf({ lines, isFinal }: { lines: string[]; isFinal: boolean }): Pick<Box, "lines" | "isFinal"> {
  return { lines, isFinal };
}
