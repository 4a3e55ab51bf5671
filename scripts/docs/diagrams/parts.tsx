/** Parts that all pictures have. */
import type { ComponentChildren } from "preact";
import { lineHeight } from "./text-size.ts";

/** Holds a picture. One that is too wide for a phone can be scrolled, with the keyboard as well. */
export function Figure({ label, isWide, children }: { label: string; isWide: boolean; children: ComponentChildren }) {
  if (!isWide) return <figure class="diagram">{children}</figure>;
  return (
    <figure class="diagram">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard */}
      <section class="diagram-scroll" aria-label={label} tabIndex={0}>
        {children}
      </section>
    </figure>
  );
}

interface PictureProps {
  /** Unique on the page. */
  id: string;
  title: string;
  /** The same in words. */
  description: string;
  width: number;
  height: number;
  /** An image hides what is in it, links too. */
  hasLinks?: boolean;
  children: ComponentChildren;
}

/** A picture with its title and its description. */
export function Picture({ id, title, description, width, height, hasLinks = false, children }: PictureProps) {
  return (
    <svg
      class="diagram-picture"
      role={hasLinks ? "group" : "img"}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-desc`}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-desc`}>{description}</desc>
      {children}
    </svg>
  );
}

interface LinesProps {
  class: string;
  lines: readonly string[];
  x: number;
  /** The base line of the first line. */
  y: number;
}

/** A text of several lines. */
export function Lines({ class: name, lines, x, y }: LinesProps) {
  if (lines.length === 1) return <text class={name} x={x} y={y} children={lines[0]} />;
  return (
    <text class={name} y={y}>
      {lines.map((line, index) => (
        <tspan x={x} dy={index === 0 ? undefined : lineHeight}>
          {line}
        </tspan>
      ))}
    </text>
  );
}

/** A number in a circle. */
export function NumberMark({ x, y, number, radius }: { x: number; y: number; number: number; radius: number }) {
  return (
    <>
      <circle class="diagram-number" cx={x} cy={y} r={radius} />
      <text class="diagram-digits" x={x} y={y + 4}>
        {number}
      </text>
    </>
  );
}
