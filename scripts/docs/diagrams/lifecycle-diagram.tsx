/** A picture of a lifecycle, with the same in a table. */
import type { Resource, State } from "../../contract/index.ts";
import { Table } from "../components/table.tsx";
import { type Cause, finalValues, type Transition, titleOf, transitionsOf } from "./lifecycle-data.ts";
import { drawLifecycle, shrunkWidth, smoothPath } from "./lifecycle-layout.ts";
import { Arrow, Box, type HrefOf, NumberMark, Picture, type Point } from "./parts.tsx";

interface Props {
  /** Unique on the page. */
  id: string;
  resource: Resource;
  state: State;
  /** As `causesOf` finds them. */
  causes: readonly Cause[];
  hrefOf: HrefOf;
}

/** How the values of a state follow each other. */
export function LifecycleDiagram({ id, resource, state, causes, hrefOf }: Props) {
  const transitions = transitionsOf(state, causes);
  const final = finalValues(state);
  const { width, height, boxes, dot, arrows, isNumbered } = drawLifecycle(state, transitions);
  return (
    <>
      <Picture
        id={id}
        title={`${titleOf(resource, state)}, as the table below has it`}
        width={width}
        height={height}
        isWide={width > shrunkWidth}
      >
        {arrows.map(({ points }) => {
          const [before, end] = points.slice(-2) as [Point, Point];
          const towards = { x: 0, y: end.y < before.y ? -1 : 1 };
          return <Arrow class="diagram-arrow" path={smoothPath(points)} end={end} towards={towards} />;
        })}
        <circle class="diagram-dot" cx={dot.x} cy={dot.y} r={dot.width / 2} />
        {boxes.map(({ isFinal, value, ...box }) => (
          <>
            <Box class="diagram-box" {...box} />
            {isFinal && <Box class="diagram-inner" {...box} width={box.width - 6} height={box.height - 6} lines={[]} />}
          </>
        ))}
        {arrows.map(({ x, y, width, height, lines, transition: { number } }) => {
          if (lines.length === 0) return null;
          if (isNumbered) return <NumberMark x={x} y={y} number={number} />;
          return <Box class="diagram-back" lines={lines} x={x} y={y} width={width} height={height} />;
        })}
      </Picture>
      <Table
        rows={transitions}
        columns={{
          ...(isNumbered && { "No.": ({ number }: Transition) => number }),
          Transition: ({ from, to }) => (
            <>
              {from === undefined ? "(new)" : <Value value={from} />} → <Value value={to} />
              {final.includes(to) && " (final)"}
            </>
          ),
          "What leads to it": transitions.every(({ causes: known }) => known.length === 0)
            ? undefined
            : (transition) =>
                transition.causes.length > 0 && (
                  <ul class="diagram-causes">
                    {transition.causes.map((cause) => (
                      <li key={cause.name}>
                        <CauseWords cause={cause} hrefOf={hrefOf} />
                      </li>
                    ))}
                  </ul>
                ),
        }}
      />
    </>
  );
}

/** A value that can be broken behind its underscores. */
function Value({ value }: { value: string }) {
  const [first, ...others] = value.split(/(?<=_)/);
  return (
    <code>
      {first}
      {others.map((part) => [<wbr key={part} />, part])}
    </code>
  );
}

function CauseWords({ cause: { kind, name, words, meaning, isLater }, hrefOf }: { cause: Cause; hrefOf: HrefOf }) {
  if (kind === "outside") return <>Outside: {meaning}</>;
  const href = hrefOf({ kind, name });
  return (
    <>
      {href === undefined ? words : <a href={href}>{words}</a>}
      {isLater && ", after the response"}
    </>
  );
}
