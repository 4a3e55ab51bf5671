/** Places the parts of a journey below each other. */
import type { SequencePart } from "./sequence-data.ts";
import { lineHeight, widthOf, wrapWords } from "./text-size.ts";

/** Width of every picture, in px. */
export const sequenceWidth = 328;

/** Where the lines of both sides are, in px. */
export const lifelines = { partner: 46, service: 282 };

export const headHeight = 26;

/** Where the words between the lines begin and end, in px. */
export const words = { start: lifelines.partner + 16, end: lifelines.service - 8 };

export interface PlacedPart {
  part: SequencePart;
  lines: string[];
  /** The top of the part. */
  y: number;
  /** Where the arrow is, or the centre of what happens outside. */
  arrowY: number;
  height: number;
}

export interface Sequence {
  parts: PlacedPart[];
  height: number;
}

/** Places the parts. */
export function placeParts(parts: readonly SequencePart[]): Sequence {
  let y = headHeight + 12;
  const placed = parts.map((part): PlacedPart => {
    const one = placePart(part, y);
    y += one.height;
    return one;
  });
  return { parts: placed, height: y + 4 };
}

function placePart(part: SequencePart, y: number): PlacedPart {
  if (part.kind === "outside") {
    const lines = wrapWords(`Outside: ${part.words}`, sequenceWidth - words.start - 10);
    const height = lines.length * lineHeight + 12;
    return { part, lines, y, arrowY: y + height / 2, height: height + 10 };
  }
  const lines = wrapWords(part.words, words.end - words.start - (part.kind === "webhook" ? labelWidth : 0));
  const arrowY = y + lines.length * lineHeight + 6;
  return { part, lines, y, arrowY, height: arrowY - y + (part.kind === "call" ? answerHeight + 14 : 14) };
}

/** Distance between the arrow of a call and the one of its answer, in px. */
export const answerHeight = 22;

/** Width of the word before the name of a webhook, in px. */
const labelWidth = widthOf(["Webhook"], "words");
