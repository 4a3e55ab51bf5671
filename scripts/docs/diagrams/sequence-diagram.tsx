/** A picture of a journey: the partner's server, the service, and what they send each other. */
import type { ComponentChildren } from "preact";
import type { Contract } from "../../contract/index.ts";
import type { Journey } from "../site/journeys.ts";
import type { DiagramTarget, HrefOf } from "./links.ts";
import { Figure, Lines, NumberMark, Picture } from "./parts.tsx";
import { type SequencePart, sequenceInWords, sequenceOf } from "./sequence-data.ts";
import {
  answerHeight,
  headHeight,
  lifelines,
  type PlacedPart,
  placeParts,
  sequenceWidth,
  words,
} from "./sequence-layout.ts";
import { lineHeight } from "./text-size.ts";

interface Props {
  /** Unique on the page. */
  id: string;
  journey: Journey;
  contract: Contract;
  hrefOf?: HrefOf;
}

/** The calls of a journey and what follows them, with the numbers of its steps. */
export function SequenceDiagram({ id, journey, contract, hrefOf = () => undefined }: Props) {
  const sequence = sequenceOf(journey, contract);
  const { parts, height } = placeParts(sequence);
  const title = `Sequence: ${journey.summary}`;
  const isLinked = sequence.some((part) => targetsOf(part).some((target) => hrefOf(target) !== undefined));
  return (
    <Figure label={title} isWide={false}>
      <Picture
        id={id}
        title={title}
        description={sequenceInWords(sequence)}
        width={sequenceWidth}
        height={height}
        hasLinks={isLinked}
      >
        <Heads id={id} />
        <Lifeline x={lifelines.partner} name="Your server" height={height} />
        <Lifeline x={lifelines.service} name="The service" height={height} />
        {parts.map((part) => (
          <Part id={id} placed={part} hrefOf={hrefOf} />
        ))}
      </Picture>
      {sequence.some(({ kind }) => kind === "webhook") && (
        <figcaption class="diagram-note">
          The webhooks are those that the contract lets follow a step. An arrow can stand for several deliveries.
        </figcaption>
      )}
    </Figure>
  );
}

function targetsOf(part: SequencePart): DiagramTarget[] {
  if (part.kind === "outside") return [];
  const target = { kind: part.kind === "call" ? ("operation" as const) : part.kind, name: part.name };
  return part.kind === "call" && part.code !== "" ? [target, { kind: "error", name: part.code }] : [target];
}

function Heads({ id }: { id: string }) {
  return (
    <defs>
      {(["call", "answer", "webhook"] as const).map((kind) => (
        <marker
          id={`${id}-${kind}`}
          class={`diagram-head-${kind}`}
          viewBox="0 0 8 8"
          refX="8"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          orient="auto"
        >
          <path d={kind === "answer" ? "M1 0.5L7.5 4L1 7.5" : "M0 0L8 4L0 8Z"} />
        </marker>
      ))}
    </defs>
  );
}

function Lifeline({ x, name, height }: { x: number; name: string; height: number }) {
  return (
    <>
      <path class="diagram-lifeline" d={`M${x} ${headHeight}V${height}`} />
      <rect class="diagram-box" x={x - 45.5} y="0.5" width="91" height={headHeight} rx="5" />
      <text class="diagram-party" x={x} y="18">
        {name}
      </text>
    </>
  );
}

interface PartProps {
  id: string;
  placed: PlacedPart;
  hrefOf: HrefOf;
}

function Part({ id, placed, hrefOf }: PartProps) {
  const { part, lines, arrowY, y } = placed;
  const textY = y + lineHeight - 3;
  if (part.kind === "outside") return <Outside placed={placed} number={part.number} />;
  if (part.kind === "webhook") {
    return (
      <>
        <text class="diagram-kind" x={words.start} y={textY}>
          Webhook
        </text>
        <Linked target={{ kind: "webhook", name: part.name }} hrefOf={hrefOf}>
          <Lines class="diagram-end" lines={lines} x={words.end} y={textY} />
        </Linked>
        <Arrow id={id} kind="webhook" from={lifelines.service} to={lifelines.partner} y={arrowY} />
      </>
    );
  }
  return (
    <>
      <Linked target={{ kind: "operation", name: part.name }} hrefOf={hrefOf}>
        <Lines class="diagram-start" lines={lines} x={words.start} y={textY} />
      </Linked>
      <Arrow id={id} kind="call" from={lifelines.partner} to={lifelines.service} y={arrowY} />
      <Answer part={part} y={arrowY + answerHeight - 5} hrefOf={hrefOf} />
      <Arrow id={id} kind="answer" from={lifelines.service} to={lifelines.partner} y={arrowY + answerHeight} />
      <NumberMark x={lifelines.partner} y={arrowY} number={part.number} radius={9} />
    </>
  );
}

interface AnswerProps {
  part: Extract<SequencePart, { kind: "call" }>;
  y: number;
  hrefOf: HrefOf;
}

function Answer({ part: { status, code }, y, hrefOf }: AnswerProps) {
  if (code === "") return <text class="diagram-end" x={words.end} y={y} children={status} />;
  return (
    <>
      <text class="diagram-end" x={words.end - 36} y={y}>
        {status}
      </text>
      <Linked target={{ kind: "error", name: code }} hrefOf={hrefOf}>
        <text class="diagram-end diagram-code" x={words.end} y={y}>
          {code}
        </text>
      </Linked>
    </>
  );
}

function Arrow({ id, kind, from, to, y }: { id: string; kind: string; from: number; to: number; y: number }) {
  return <path class={`diagram-${kind}`} d={`M${from} ${y}H${to}`} marker-end={`url(#${id}-${kind})`} />;
}

/** A band over both lines. */
function Outside({ placed: { lines, y, height, arrowY }, number }: { placed: PlacedPart; number: number }) {
  return (
    <>
      <rect class="diagram-band" x="0.5" y={y} width={sequenceWidth - 1} height={height - 10} rx="5" />
      <Lines class="diagram-start" lines={lines} x={words.start} y={y + lineHeight + 2} />
      <NumberMark x={lifelines.partner} y={arrowY} number={number} radius={9} />
    </>
  );
}

function Linked({ target, hrefOf, children }: { target: DiagramTarget; hrefOf: HrefOf; children: ComponentChildren }) {
  const href = hrefOf(target);
  return href === undefined ? children : <a href={href}>{children}</a>;
}
