import { Graph, layout } from "@dagrejs/dagre";
import { finalValues, type State } from "../../contract/model/index.ts";
import type { Transition } from "../content/lifecycle-data.ts";
import { type Area, numberRadius, type Point } from "./parts.tsx";
import { breakValue, lineHeight, roundCoordinate, widthOf, wrapWords } from "./text-size.ts";

interface PlacedBox extends Area {
  value: string;
  lines: string[];
  isFinal: boolean;
}

/** The inherited area is the area of the label. An arrow without a label has an empty area. */
interface PlacedArrow extends Area {
  transition: Transition;
  points: Point[];
  lines: string[];
}

interface Drawing {
  width: number;
  height: number;
  boxes: PlacedBox[];
  dot: Area;
  arrows: PlacedArrow[];
  isNumbered: boolean;
}

/** Maximum width in px of a diagram that a phone of 360 px shows whole and unscaled. */
const phoneWidth = 328;

/** Maximum width in px of a diagram that a phone scales down to fit. Text of 12 px is 10.4 px high at this width. */
export const shrunkWidth = 1.15 * phoneWidth;

/** The name of the start node. The space makes it different from all values of states. */
const dotName = "new resource";

/** The most detailed drawing that fits on a phone. If no drawing fits, the narrowest drawing, which is scaled down or scrolls. */
export function drawLifecycle(state: State, transitions: readonly Transition[]): Drawing {
  const drawings = [false, true]
    .filter((hasNumbers) => hasNumbers || transitions.every(hasShortWords))
    .flatMap((hasNumbers) => [false, true].map((breaksValues) => draw(state, transitions, hasNumbers, breaksValues)));
  const fittingDrawing = drawings.find(({ width }) => width <= phoneWidth);
  return fittingDrawing ?? (drawings.sort((a, b) => a.width - b.width)[0] as Drawing);
}

/** An external event that can lead to several values needs an explanation, which does not fit on the arrow. */
function hasShortWords({ causes }: Transition): boolean {
  return causes.every(({ kind, to }) => kind === "operation" || to.length === 1) && linesOnArrow(causes).length <= 3;
}

function linesOnArrow(causes: Transition["causes"]): string[] {
  return causes.length === 0 ? [] : wrapWords(causes.map(({ label }) => label).join(" or "), 112);
}

function draw(state: State, transitions: readonly Transition[], hasNumbers: boolean, breaksValues: boolean): Drawing {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 14, edgesep: 10, ranksep: hasNumbers ? 42 : 34, marginx: 4, marginy: 4 });
  graph.setNode(dotName, { width: 12, height: 12 });
  const finalStates = finalValues(state);
  // Values in the order of the transitions that reach them, then values that no transition reaches.
  for (const value of new Set([...transitions.map(({ to }) => to), ...state.values])) {
    const lines = breaksValues && value.length > 14 ? breakValue(value) : [value];
    const isFinal = finalStates.includes(value);
    const size = { width: widthOf(lines, "code") + (isFinal ? 20 : 16), height: lines.length * lineHeight + 14 };
    graph.setNode(value, { ...size, value, lines, isFinal });
  }
  // dagre places the last edge leftmost, so the edges are added in reverse order.
  for (const transition of transitions.toReversed()) {
    const { from = dotName, to, number, causes } = transition;
    const lines = hasNumbers ? [String(number)] : linesOnArrow(causes);
    const labelSize = { width: widthOf(lines, "words"), height: lines.length * lineHeight };
    const size = hasNumbers ? { width: 2 * numberRadius, height: 2 * numberRadius } : labelSize;
    graph.setEdge(from, to, { ...size, labelpos: "c", lines, transition, weight: from === dotName ? 2 : 1 });
  }
  layout(graph);
  const { width, height } = graph.graph() as Area;
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    boxes: state.values.map((value) => roundNumbers(graph.node(value) as PlacedBox)),
    dot: roundNumbers(graph.node(dotName) as Area),
    arrows: graph.edges().map((edge: unknown) => {
      const arrow = graph.edge(edge) as PlacedArrow;
      const { from = dotName, to } = arrow.transition;
      const movedPoint = (value: string, index: number) =>
        moveToHorizontalBorder(graph.node(value) as Area, arrow.points.at(index) as Point);
      const points =
        from === to ? arrow.points : [movedPoint(from, 0), ...arrow.points.slice(1, -1), movedPoint(to, -1)];
      return { ...roundNumbers(arrow), points: points.map(roundNumbers) };
    }),
    isNumbered: hasNumbers,
  };
}

/** At the left or right border of a box, arrows are almost horizontal. */
function moveToHorizontalBorder(box: Area, { x, y }: Point): Point {
  const maxOffset = Math.max(0, box.width / 2 - 8);
  return {
    x: Math.min(Math.max(x, box.x - maxOffset), box.x + maxOffset),
    y: box.y + (Math.sign(y - box.y) * box.height) / 2,
  };
}

function roundNumbers<Placed extends Point>(element: Placed): Placed {
  const numbers = Object.entries(element).filter(([, value]) => typeof value === "number");
  return { ...element, ...Object.fromEntries(numbers.map(([name, value]) => [name, roundCoordinate(value)])) };
}

/** The curve is vertical at each point, so that it does not overshoot. */
export function smoothPath([firstPoint, ...otherPoints]: readonly Point[]): string {
  let { x, y } = firstPoint as Point;
  const curves = otherPoints.map((nextPoint) => {
    const middleY = (y + nextPoint.y) / 2;
    const curve = `C${formatPoint(x, middleY)} ${formatPoint(nextPoint.x, middleY)} ${formatPoint(nextPoint.x, nextPoint.y)}`;
    ({ x, y } = nextPoint);
    return curve;
  });
  return `M${formatPoint((firstPoint as Point).x, (firstPoint as Point).y)}${curves.join("")}`;
}

function formatPoint(x: number, y: number): string {
  return `${roundCoordinate(x)} ${roundCoordinate(y)}`;
}
