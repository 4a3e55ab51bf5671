/** In px. The build cannot measure text, so this file uses the widths of a wide font (DejaVu). */

export const lineHeight = 15;

type Font = "code" | "words";

/** Widths at the font size of diagrams.css, 12 px. */
const codeWidth = 7.3;
const wordWidths: readonly [characters: RegExp, width: number][] = [
  [/[ijlI.,:;'|!()[\]]/, 4],
  [/[ tfr]/, 4.9],
  [/[mwMW@%]/, 11.7],
  [/[A-Z]/, 8.6],
  [/[acegkosvxyz]/, 7.2],
];
const otherWidth = 7.7;

export function widthOf(lines: readonly string[], font: Font): number {
  const widthOfLine = (line: string): number =>
    font === "code"
      ? line.length * codeWidth
      : [...line].reduce((sum, character) => sum + widthOfCharacter(character), 0);
  return Math.max(0, ...lines.map(widthOfLine));
}

function widthOfCharacter(character: string): number {
  return wordWidths.find(([characters]) => characters.test(character))?.[1] ?? otherWidth;
}

/** Only a single word can be wider than `width` px. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const extendedLine = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf([extendedLine], "words") <= width) lines[lines.length - 1] = extendedLine;
    else lines.push(word);
  }
  return lines;
}

/** Breaks after the underscore that makes the longer line shortest. */
export function breakValue(value: string): string[] {
  const halves = [...value.matchAll(/_/g)].map(({ index }) => [value.slice(0, index + 1), value.slice(index + 1)]);
  return halves.reduce(
    (bestLines, lines) => (widthOf(lines, "code") < widthOf(bestLines, "code") ? lines : bestLines),
    [value],
  );
}

/** One decimal place keeps the SVG short. */
export function roundCoordinate(coordinate: number): number {
  return Math.round(coordinate * 10) / 10;
}
