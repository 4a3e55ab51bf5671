/** A picture of a lifecycle, with the same in a table. */
import type { Resource, State } from "../../contract/index.ts";
import {
  type Cause,
  finalValues,
  isAmbiguous,
  lifecycleInWords,
  type Transition,
  titleOf,
  transitionsOf,
} from "./lifecycle-data.ts";
import { type Arrow, type Box, type Drawing, drawLifecycle, numberRadius, shrunkWidth } from "./lifecycle-layout.ts";
import type { HrefOf } from "./links.ts";
import { Figure, Lines, NumberMark, Picture } from "./parts.tsx";
import { lineHeight } from "./text-size.ts";

interface Props {
  /** Unique on the page. */
  id: string;
  resource: Resource;
  state: State;
  /** As `causesOf` finds them. */
  causes?: readonly Cause[];
  hrefOf?: HrefOf;
}

/** How the values of a state follow each other. */
export function LifecycleDiagram({ id, resource, state, causes = [], hrefOf = () => undefined }: Props) {
  const transitions = transitionsOf(state, causes);
  const drawing = drawLifecycle(state, transitions);
  const title = titleOf(resource, state);
  return (
    <>
      <Figure label={title} isWide={drawing.width > shrunkWidth}>
        <LifecyclePicture id={id} title={title} description={lifecycleInWords(state, transitions)} drawing={drawing} />
      </Figure>
      <TransitionTable state={state} transitions={transitions} isNumbered={drawing.isNumbered} hrefOf={hrefOf} />
    </>
  );
}

interface LifecyclePictureProps {
  id: string;
  title: string;
  description: string;
  drawing: Drawing;
}

function LifecyclePicture({ id, title, description, drawing }: LifecyclePictureProps) {
  const { width, height, boxes, dot, arrows, isNumbered } = drawing;
  const head = `${id}-head`;
  return (
    <Picture id={id} title={title} description={description} width={width} height={height}>
      <defs>
        <marker
          id={head}
          class="diagram-head"
          viewBox="0 0 8 8"
          refX="8"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          orient="auto"
        >
          <path d="M0 0L8 4L0 8Z" />
        </marker>
      </defs>
      {arrows.map(({ path }) => (
        <path class="diagram-arrow" d={path} marker-end={`url(#${head})`} />
      ))}
      <circle class="diagram-dot" cx={dot.x} cy={dot.y} r={dot.width / 2} />
      {boxes.map((box) => (
        <ValueBox box={box} />
      ))}
      {arrows.map((arrow) => (
        <Label arrow={arrow} isNumbered={isNumbered} />
      ))}
    </Picture>
  );
}

function ValueBox({ box: { x, y, width, height, lines, isFinal } }: { box: Box }) {
  const [left, top] = [x - width / 2, y - height / 2];
  return (
    <>
      <rect class="diagram-box" x={left} y={top} width={width} height={height} rx={isFinal ? 7 : 5} />
      {isFinal && <rect class="diagram-inner" x={left + 3} y={top + 3} width={width - 6} height={height - 6} rx="4" />}
      <Lines class="diagram-value" lines={lines} x={x} y={y - ((lines.length - 1) * lineHeight) / 2 + 4} />
    </>
  );
}

function Label({ arrow: { label, transition }, isNumbered }: { arrow: Arrow; isNumbered: boolean }) {
  if (label === undefined) return null;
  const { x, y, width, height, lines } = label;
  if (isNumbered) return <NumberMark x={x} y={y} number={transition.number} radius={numberRadius} />;
  return (
    <>
      <rect class="diagram-back" x={x - width / 2} y={y - height / 2} width={width} height={height} />
      <Lines class="diagram-words" lines={lines} x={x} y={y - ((lines.length - 1) * lineHeight) / 2 + 4} />
    </>
  );
}

interface TransitionTableProps {
  state: State;
  transitions: readonly Transition[];
  /** Whether the picture names the transitions by their numbers. */
  isNumbered: boolean;
  hrefOf: HrefOf;
}

/** The transitions of a state, and what is known to lead to each. */
function TransitionTable({ state, transitions, isNumbered, hrefOf }: TransitionTableProps) {
  const final = finalValues(state);
  return (
    <>
      <table class="diagram-table">
        <thead>
          <tr>
            {isNumbered && <th scope="col">No.</th>}
            <th scope="col">Transition</th>
            <th scope="col">What leads to it</th>
          </tr>
        </thead>
        <tbody>
          {transitions.map(({ number, from, to, causes }) => (
            <tr>
              {isNumbered && <td>{number}</td>}
              <td>
                {from === undefined ? "(new)" : <Value value={from} />} → <Value value={to} />
                {final.includes(to) && " (final)"}
              </td>
              <td>
                <Causes causes={causes} hrefOf={hrefOf} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isAmbiguous(transitions) && (
        <p class="diagram-note">
          The contract says to which value a call or an event leads, not from which one. Where a value is reached from
          several others, what leads to it may belong to some of the arrows only.
        </p>
      )}
    </>
  );
}

/** A value that can be broken behind its underscores. */
function Value({ value }: { value: string }) {
  const parts = value.split(/(?<=_)/);
  return (
    <code>
      {parts.map((part, index) => (
        <>
          {index > 0 && <wbr />}
          {part}
        </>
      ))}
    </code>
  );
}

function Causes({ causes, hrefOf }: { causes: readonly Cause[]; hrefOf: HrefOf }) {
  if (causes.length === 0) return <span class="diagram-unknown">Not stated</span>;
  return (
    <ul class="diagram-causes">
      {causes.map((cause) => (
        <li>
          <CauseWords cause={cause} hrefOf={hrefOf} />
        </li>
      ))}
    </ul>
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
