import { dirname } from "node:path";
import { getLineColLocation } from "@redocly/openapi-core";
import { isCode, isData, type SourceLocation } from "../../contract/model/index.ts";
import type { Judge } from "../rule.ts";
import type { SourceContract } from "../source-contract.ts";

const quotations = ["evidence", "condition", "pattern"];

/** Control characters except tabs and line breaks, and format characters: some reverse the text that follows (Unicode, UAX 9). */
const invisibleCharacter = /(?![\t\n\r])[\p{Cc}\p{Cf}]/u;

export const textRules: Record<string, Judge> = {
  "names-in-texts"(contract, check) {
    const codes = contract.errorCodes.map(({ code }) => code);
    const knownNames = new Set(contract.sources.paths.flatMap((file) => namesIn(contract.sources.location(file))));
    for (const text of textsOf(contract)) {
      for (const [name] of String(text.value).matchAll(/\bP\d{3}\b|\b[a-z]+[A-Z][A-Za-z]+\b/g)) {
        const isKnown = isCode(name) ? codes.includes(name) : knownNames.has(name);
        check(isKnown, text, `The text names ${name}, which the contract does not have`);
      }
    }
  },

  "text-plain"({ sources }, check) {
    const judge = (text: string, location: SourceLocation, kind: string) => {
      const [character] = invisibleCharacter.exec(text) ?? [];
      const name = character?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
      check(character === undefined, location, `The ${kind} contains the invisible character U+${name}`);
    };
    const visit = (location: SourceLocation) => {
      if (typeof location.value === "string") judge(location.value, location, "text");
      for (const [key, part] of location.children()) {
        judge(key, part, "key");
        visit(part);
      }
    };
    for (const file of sources.paths) visit(sources.location(file));
  },

  "text-whole"(contract, check) {
    for (const text of textsOf(contract, () => true)) {
      const { source, pointer, value } = text;
      const isOneWord = !isTextOfWords(String(value));
      // Finding the position of a value takes long.
      if (source === undefined || (isOneWord && !source.body.includes(`${value} #`))) continue;
      const { start, end = start } = getLineColLocation({ source, pointer, reportOnKey: false });
      const restAfter = ({ line, col }: typeof start) => source.getLines()[line - 1]?.slice(col - 1) ?? "";
      const restOfLine = restAfter(end);
      const isQuoted = /^["']/.test(restAfter(start));
      check(
        // After a single word, only a comment without a space looks like a part of the text.
        isQuoted || !(isOneWord ? /^ +#\S/ : /^ +#/).test(restOfLine),
        text,
        `The text ends before "${restOfLine.trim()}", which YAML reads as a comment`,
      );
    }
  },
};

const isTextOfWords = (value: string) => /\S\s+\S/.test(value);

/** By default, texts of several words. Journeys, guides, the scenario and the control interface are excluded. */
function textsOf({ sources }: SourceContract, isIncluded = isTextOfWords): SourceLocation[] {
  const { scenario, mockControl, journeys, guides } = sources.layout;
  const files = sources.paths.filter(
    (file) => ![scenario, mockControl].includes(file) && ![journeys, guides].includes(dirname(file)),
  );
  return files.flatMap((file) => textsIn(sources.location(file), isIncluded));
}

function textsIn(location: SourceLocation, isIncluded: (value: string) => boolean): SourceLocation[] {
  if (typeof location.value === "string") return isIncluded(location.value) ? [location] : [];
  const isQuoted = (key: string, { value }: SourceLocation) =>
    location.key !== "properties" && (quotations.includes(key) || isData(key, value));
  return location.children().flatMap(([key, part]) => (isQuoted(key, part) ? [] : textsIn(part, isIncluded)));
}

function namesIn(location: SourceLocation): string[] {
  if (typeof location.value === "string") return /\s/.test(location.value) ? [] : [location.value];
  return location.children().flatMap(([key, part]) => [key, ...namesIn(part)]);
}
