/**
 * Compares the quotes in this folder with the interface specification. It must contain each quote, and each of its texts must be quoted,
 * except headings and heads of tables. The specification is not part of the repository: the test reads it from a folder `shared` beside the
 * checkout, and is skipped without it.
 */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import { sentences } from "./compare-texts.ts";
import { errorFormat, errorLines } from "./stated-errors.ts";
import { statedNames, webhookLines } from "./stated-names.ts";
import { operations, webhook } from "./stated-operations.ts";
import {
  card,
  deposit,
  lock,
  transaction,
  transactionStatuses,
  transferEvent,
  user,
  valueSentences,
} from "./stated-records.ts";

const { sentencesByPlace, checkedElsewhere, background, notShown } = sentences;

const file = `${projectRoot}/../shared/interface-specification.md`;

const quotes: string[] = [
  ...operations.flatMap(({ heading, call, parameters = [], body, success, errors }) => [
    ...[heading, call, errors],
    ...[...parameters, ...success, ...(body === undefined ? [] : [body, ...body.fields])].map(({ quote }) => quote),
  ]),
  ...[webhook.heading, webhook.call, webhook.body.quote, webhook.response.quote],
  ...[user, transaction, card, lock, deposit, transferEvent]
    .flat()
    .flatMap(({ quote, alwaysPresentQuote = quote }) => [quote, alwaysPresentQuote]),
  ...transactionStatuses,
  ...Object.values(valueSentences),
  ...[...errorLines, errorFormat.quote, ...webhookLines],
  ...statedNames.map(({ line }) => line),
  ...[...Object.values(sentencesByPlace).flat(), ...checkedElsewhere].map(({ quote }) => quote),
  ...background,
  ...notShown,
];

const isPresent = existsSync(file);
describe.skipIf(!isPresent)(
  isPresent ? "the specification" : "the specification (not at hand: quotes are not compared)",
  () => {
    const lines = isPresent ? readFileSync(file, "utf8").split("\n") : [];

    it("contains every quote literally", () => {
      const missingQuotes = quotes.filter((quote) => !lines.some((line) => line.includes(quote)));
      expect(missingQuotes).toEqual([]);
    });

    it("contains no text that no row quotes", () => {
      const longestFirst = [...new Set(quotes)].sort((a, b) => b.length - a.length);
      const unquotedLines = lines
        .filter((line, index) => !isFrame(line, lines[index + 1]))
        .flatMap((line) => {
          const restOfLine = longestFirst.reduce((text, quote) => text.replaceAll(quote, ""), line);
          return /[a-z]/i.test(restOfLine) ? [restOfLine] : [];
        });
      expect(unquotedLines).toEqual([]);
    });

    it('contains "not shown" as often as the list', () => {
      const count = lines.join("\n").split("not shown").length - 1;
      expect(notShown).toHaveLength(count);
    });
  },
);

function isFrame(line: string, next = ""): boolean {
  return line.startsWith("#") || /^\|(-+\|)+$/.test(line) || /^\|(-+\|)+$/.test(next);
}
