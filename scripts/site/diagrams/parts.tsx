/** All lengths are in px. */
import type { ComponentChildren } from "preact";
import { lineHeight } from "./text-size.ts";

export interface Point {
  x: number;
  y: number;
}

/** A rectangle. `x` and `y` are the coordinates of its centre. */
export interface Area extends Point {
  width: number;
  height: number;
}

interface PictureProps {
  id: string;
  /** The name for screen readers: the content, and where the page has the same content as text. */
  title: string;
  width: number;
  height: number;
  /** Elements with the role `img` hide their content from screen readers, so a picture with links needs another role. */
  hasLinks?: boolean;
  isWide?: boolean;
  caption?: string | undefined;
  children: ComponentChildren;
}

export function Picture({ id, title, width, height, children, ...displayOptions }: PictureProps) {
  const { hasLinks, isWide, caption } = displayOptions;
  const picture = (
    <svg
      class="diagram-picture"
      role={hasLinks ? "group" : "img"}
      aria-labelledby={`${id}-title`}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      <title id={`${id}-title`}>{title}</title>
      {children}
    </svg>
  );
  return (
    <figure class="diagram">
      {isWide ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
        <section class="scroll" aria-label={title} tabIndex={0} children={picture} />
      ) : (
        picture
      )}
      {caption !== undefined && <figcaption class="quiet">{caption}</figcaption>}
    </figure>
  );
}

interface LinesProps extends Point {
  class?: string;
  lines: readonly string[];
}

/** `y` is the baseline of the first line. */
export function Lines({ class: name, lines, x, y }: LinesProps) {
  return (
    <text class={name} x={x} y={y}>
      {lines.length === 1
        ? lines[0]
        : lines.map((line, index) => <tspan x={x} dy={index && lineHeight} children={line} />)}
    </text>
  );
}

export function Box({ class: name, lines, ...area }: Area & { class: string; lines: readonly string[] }) {
  const { x, y, width, height } = area;
  return (
    <>
      <rect class={name} x={x - width / 2} y={y - height / 2} width={width} height={height} rx="5" />
      <Lines class="diagram-middle" lines={lines} x={x} y={y - ((lines.length - 1) * lineHeight) / 2 + 4} />
    </>
  );
}

interface ArrowProps {
  class: string;
  path: string;
  end: Point;
  /** The direction at the end: one coordinate is 0, the other is 1 or -1. */
  direction: Point;
}

/** The arrowhead is a separate path, because not every browser lets an SVG marker inherit the line's colour. */
export function Arrow({ class: name, path, end, direction: { x, y } }: ArrowProps) {
  const [firstSide, secondSide] = [
    { x: 6 * x + 4 * y, y: 6 * y + 4 * x },
    { x: 6 * x - 4 * y, y: 6 * y - 4 * x },
  ];
  return (
    <g class={name}>
      <path d={path} />
      <path
        d={`M${end.x} ${end.y}m${-firstSide.x} ${-firstSide.y}l${firstSide.x} ${firstSide.y}l${-secondSide.x} ${-secondSide.y}`}
      />
    </g>
  );
}

export const numberRadius = 9;

export function NumberMark({ x, y, number }: Point & { number: number }) {
  return (
    <>
      <circle class="diagram-number" cx={x} cy={y} r={numberRadius} />
      <text class="diagram-digits" x={x} y={y + 4} children={number} />
    </>
  );
}
