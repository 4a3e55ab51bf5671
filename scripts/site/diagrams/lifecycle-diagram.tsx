import { finalValues, type Resource, type State } from "../../contract/model/index.ts";
import { Link } from "../components/link.tsx";
import { BreakableCode } from "../components/operation-table.tsx";
import { usePage } from "../components/page-context.ts";
import { Table } from "../components/table.tsx";
import { type Cause, causesOf, type Transition, transitionsOf } from "../content/lifecycle-data.ts";
import { wordsOf } from "../text/words.ts";
import { drawLifecycle, shrunkWidth, smoothPath } from "./lifecycle-layout.ts";
import { Arrow, Box, NumberMark, Picture, type Point } from "./parts.tsx";

export function LifecycleDiagram({ resource, state }: { resource: Resource; state: State }) {
  const transitions = transitionsOf(state, causesOf(usePage().site.contract, resource, state));
  const finalStates = finalValues(state);
  const part = state.name === "status" ? "" : `, ${wordsOf(state.name)}`;
  const { width, height, boxes, dot, arrows, isNumbered } = drawLifecycle(state, transitions);
  return (
    <>
      <Picture
        id={`${resource.name}-${state.name}`}
        title={`Lifecycle of ${wordsOf(resource.name)}${part}, as the table below has it`}
        width={width}
        height={height}
        isWide={width > shrunkWidth}
      >
        {arrows.map(({ points }) => {
          const [pointBeforeEnd, end] = points.slice(-2) as [Point, Point];
          const direction = { x: 0, y: end.y < pointBeforeEnd.y ? -1 : 1 };
          return <Arrow class="diagram-arrow" path={smoothPath(points)} end={end} direction={direction} />;
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
              {from === undefined ? "(new)" : <BreakableCode parts={from.split(/(?<=_)/)} />} →{" "}
              <BreakableCode parts={to.split(/(?<=_)/)} />
              {finalStates.includes(to) && " (final)"}
            </>
          ),
          "What leads to it": transitions.every(({ causes: transitionCauses }) => transitionCauses.length === 0)
            ? undefined
            : (transition) =>
                transition.causes.length > 0 && (
                  <ul class="diagram-causes">
                    {transition.causes.map((cause) => (
                      <li key={cause.name}>
                        <CauseWords cause={cause} />
                      </li>
                    ))}
                  </ul>
                ),
        }}
      />
    </>
  );
}

function CauseWords({ cause: { kind, name, meaning, isLater } }: { cause: Cause }) {
  if (kind === "outside") return <>Outside: {meaning}</>;
  return (
    <>
      <Link to="operation" name={name} />
      {isLater && ", after the response"}
    </>
  );
}
