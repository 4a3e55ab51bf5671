/** All lengths are in px. */

import type { ComponentChildren } from "preact";
import type { Operation, Webhook } from "../../contract/model/index.ts";
import { Link } from "../components/link.tsx";
import { usePage } from "../components/page-context.ts";
import { expectedResponseOf, type Journey, operationOfStep, type Step } from "../content/journeys.ts";
import { operationOf } from "../content/subjects.ts";
import { Arrow, Box, Lines, NumberMark, Picture } from "./parts.tsx";
import { lineHeight, widthOf, wrapWords } from "./text-size.ts";

type Part = (y: number) => { height: number; picture: ComponentChildren };

const width = 328;
const lifelines = { partner: 46, service: 282 };
const headHeight = 26;
const textMargins = { start: lifelines.partner + 16, end: lifelines.service - 8 };
const responseHeight = 22;
const labelWidth = widthOf(["Webhook"], "words");

export function SequenceDiagram({ journey }: { journey: Journey }) {
  const { operations, webhooks } = usePage().site.contract;
  const webhooksSentBy = (step: Step) =>
    (step["x-webhooks"] ?? []).flatMap((webhookName) => webhooks.filter(({ name }) => name === webhookName));
  const parts = journey.steps.flatMap((step, index) => [
    partOfStep(step, index + 1, operations),
    ...webhooksSentBy(step).map(partOfWebhook),
  ]);
  let bottom = headHeight + 12;
  const pictures = parts.map((part) => {
    const { height, picture } = part(bottom);
    bottom += height;
    return picture;
  });
  return (
    <Picture
      id={journey.workflowId}
      title={`Sequence: ${journey.summary}, as the steps below have it`}
      width={width}
      height={bottom + 4}
      hasLinks
      caption="The webhooks are those that follow a step. Several deliveries of one are shown once."
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
      {pictures}
    </Picture>
  );
}

/** Distance from the top of a text to the baseline of its first line. */
const baselineOffset = lineHeight - 3;

function partOfStep(step: Step, number: number, operations: readonly Operation[]): Part {
  const { source, operationId: name } = operationOfStep(step);
  if (source === "mock") return partOfExternalEvent(step.description, number);
  const { summary } = operationOf(name, { operations });
  const lines = wrapWords(summary, textMargins.end - textMargins.start);
  const { status, code } = expectedResponseOf(step);
  return (y) => {
    const arrowY = y + lines.length * lineHeight + 6;
    const responseY = arrowY + responseHeight;
    const response = (
      <Lines class="diagram-end" lines={[`${status} ${code}`.trim()]} x={textMargins.end} y={responseY - 5} />
    );
    const picture = (
      <>
        <Link to="operation" name={name}>
          <Lines lines={lines} x={textMargins.start} y={y + baselineOffset} />
        </Link>
        <Message kind="call" receiver="service" y={arrowY} />
        {code === "" ? response : <Link to="error" name={code} children={response} />}
        <Message kind="response" receiver="partner" y={responseY} />
        <NumberMark x={lifelines.partner} y={arrowY} number={number} />
      </>
    );
    return { height: responseY + 14 - y, picture };
  };
}

function partOfExternalEvent(description: string, number: number): Part {
  const lines = wrapWords(`Outside: ${description}`, width - textMargins.start - 10);
  const height = lines.length * lineHeight + 12;
  return (y) => ({
    height: height + 10,
    picture: (
      <>
        <rect class="diagram-band" x="0.5" y={y} width={width - 1} height={height} rx="5" />
        <Lines lines={lines} x={textMargins.start} y={y + baselineOffset + 5} />
        <NumberMark x={lifelines.partner} y={y + height / 2} number={number} />
      </>
    ),
  });
}

function partOfWebhook({ name, summary }: Webhook): Part {
  const lines = wrapWords(summary, textMargins.end - textMargins.start - labelWidth);
  return (y) => {
    const arrowY = y + lines.length * lineHeight + 6;
    const picture = (
      <>
        <Lines class="diagram-kind" lines={["Webhook"]} x={textMargins.start} y={y + baselineOffset} />
        <Link to="webhook" name={name}>
          <Lines class="diagram-end" lines={lines} x={textMargins.end} y={y + baselineOffset} />
        </Link>
        <Message kind="webhook" receiver="partner" y={arrowY} />
      </>
    );
    return { height: arrowY + 14 - y, picture };
  };
}

interface MessageProps {
  kind: "call" | "response" | "webhook";
  receiver: keyof typeof lifelines;
  y: number;
}

function Message({ kind, receiver, y }: MessageProps) {
  const { partner, service } = lifelines;
  const [start, end, x] = receiver === "service" ? [partner, service, 1] : [service, partner, -1];
  return <Arrow class={`diagram-${kind}`} path={`M${start} ${y}H${end}`} end={{ x: end, y }} direction={{ x, y: 0 }} />;
}
