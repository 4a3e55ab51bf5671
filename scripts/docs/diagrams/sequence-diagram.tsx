/** A picture of a journey: calls with their answers, what happens outside, and the webhooks that follow. */
import type { ComponentChildren } from "preact";
import type { Contract } from "../../contract/index.ts";
import { expectedOf, type Journey, operationOfStep } from "../site/journeys.ts";
import { Arrow, Box, type DiagramTarget, type HrefOf, Lines, NumberMark, Picture } from "./parts.tsx";
import { lineHeight, widthOf, wrapWords } from "./text-size.ts";

/** A part of the picture, from top to bottom. The number is that of the step. */
type Part =
  | { kind: "call"; number: number; name: string; words: string; status: string; code: string }
  | { kind: "outside"; number: number; words: string }
  | { kind: "webhook"; number: number; name: string; words: string };

/** The parts of a journey. The webhooks are those that its steps name; one stands for any number of deliveries. */
function partsOf({ steps }: Journey, { operations, webhooks }: Contract): Part[] {
  return steps.flatMap((step, index): Part[] => {
    const number = index + 1;
    const { source, operationId: name } = operationOfStep(step);
    const words = operations.find(({ operationId }) => operationId === name)?.summary ?? name;
    const call = { kind: "call" as const, number, name, words, ...expectedOf(step) };
    const sent = (step["x-webhooks"] ?? []).flatMap((wanted) => webhooks.filter((webhook) => webhook.name === wanted));
    return [
      source === "mock" ? { kind: "outside", number, words: step.description } : call,
      ...sent.map((webhook) => ({ kind: "webhook" as const, number, name: webhook.name, words: webhook.summary })),
    ];
  });
}

/** Width of every picture, in px. */
const width = 328;
/** Where the lines of both sides are, in px. */
const lifelines = { partner: 46, service: 282 };
const headHeight = 26;
/** Where the words between the lines begin and end, in px. */
const words = { start: lifelines.partner + 16, end: lifelines.service - 8 };
/** Distance between the arrow of a call and the one of its answer, in px. */
const answerHeight = 22;
/** Width of the word before the name of a webhook, in px. */
const labelWidth = widthOf(["Webhook"], "words");

interface Placed {
  part: Part;
  lines: string[];
  /** The top of the part. */
  y: number;
  /** Where the arrow is, or the centre of what happens outside. */
  arrowY: number;
  height: number;
}

function place(part: Part, y: number): Placed {
  if (part.kind === "outside") {
    const lines = wrapWords(`Outside: ${part.words}`, width - words.start - 10);
    const height = lines.length * lineHeight + 12;
    return { part, lines, y, arrowY: y + height / 2, height: height + 10 };
  }
  const lines = wrapWords(part.words, words.end - words.start - (part.kind === "webhook" ? labelWidth : 0));
  const arrowY = y + lines.length * lineHeight + 6;
  return { part, lines, y, arrowY, height: arrowY - y + (part.kind === "call" ? answerHeight + 14 : 14) };
}

interface Props {
  /** Unique on the page. */
  id: string;
  journey: Journey;
  contract: Contract;
  hrefOf: HrefOf;
}

/** The calls of a journey and what follows them, with the numbers of its steps. */
export function SequenceDiagram({ id, journey, contract, hrefOf }: Props) {
  const parts = partsOf(journey, contract);
  let bottom = headHeight + 12;
  const placed = parts.map((part) => {
    const one = place(part, bottom);
    bottom += one.height;
    return one;
  });
  const caption = "The webhooks are those that follow a step. An arrow can stand for several deliveries.";
  return (
    <Picture
      id={id}
      title={`Sequence: ${journey.summary}, as the steps below have it`}
      width={width}
      height={bottom + 4}
      hasLinks
      caption={parts.some(({ kind }) => kind === "webhook") ? caption : undefined}
    >
      {Object.entries({ partner: "Your server", service: "The service" }).map(([side, name]) => {
        const x = lifelines[side as keyof typeof lifelines];
        return (
          <>
            <path class="diagram-lifeline" d={`M${x} ${headHeight}V${bottom + 4}`} />
            <Box class="diagram-box" lines={[name]} x={x} y={headHeight / 2 + 0.5} width={91} height={headHeight} />
          </>
        );
      })}
      {placed.map((one) => (
        <PartPicture placed={one} hrefOf={hrefOf} />
      ))}
    </Picture>
  );
}

function PartPicture({ placed: { part, lines, arrowY, y, height }, hrefOf }: { placed: Placed; hrefOf: HrefOf }) {
  const textY = y + lineHeight - 3;
  if (part.kind === "outside") {
    return (
      <>
        <rect class="diagram-band" x="0.5" y={y} width={width - 1} height={height - 10} rx="5" />
        <Lines lines={lines} x={words.start} y={textY + 5} />
        <NumberMark x={lifelines.partner} y={arrowY} number={part.number} />
      </>
    );
  }
  if (part.kind === "webhook") {
    return (
      <>
        <Lines class="diagram-kind" lines={["Webhook"]} x={words.start} y={textY} />
        <Linked target={part} hrefOf={hrefOf}>
          <Lines class="diagram-end" lines={lines} x={words.end} y={textY} />
        </Linked>
        <Message kind="webhook" to="partner" y={arrowY} />
      </>
    );
  }
  const answerY = arrowY + answerHeight;
  const { status, code } = part;
  return (
    <>
      <Linked target={{ kind: "operation", name: part.name }} hrefOf={hrefOf}>
        <Lines lines={lines} x={words.start} y={textY} />
      </Linked>
      <Message kind="call" to="service" y={arrowY} />
      <Lines class="diagram-end" lines={[status]} x={words.end - (code === "" ? 0 : 36)} y={answerY - 5} />
      {code !== "" && (
        <Linked target={{ kind: "error", name: code }} hrefOf={hrefOf}>
          <Lines class="diagram-end" lines={[code]} x={words.end} y={answerY - 5} />
        </Linked>
      )}
      <Message kind="answer" to="partner" y={answerY} />
      <NumberMark x={lifelines.partner} y={arrowY} number={part.number} />
    </>
  );
}

interface MessageProps {
  kind: "call" | "answer" | "webhook";
  to: keyof typeof lifelines;
  y: number;
}

function Message({ kind, to, y }: MessageProps) {
  const { partner, service } = lifelines;
  const [start, end, x] = to === "service" ? [partner, service, 1] : [service, partner, -1];
  return <Arrow class={`diagram-${kind}`} path={`M${start} ${y}H${end}`} end={{ x: end, y }} towards={{ x, y: 0 }} />;
}

function Linked({ target, hrefOf, children }: { target: DiagramTarget; hrefOf: HrefOf; children: ComponentChildren }) {
  const href = hrefOf(target);
  return href === undefined ? children : <a href={href}>{children}</a>;
}
