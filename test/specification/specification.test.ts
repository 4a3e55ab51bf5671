import { basename } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { listedRows } from "../../scripts/contract/model/index.ts";
import { documentOf, sources } from "../support/contract.ts";
import { parts, type Subject, subjectOf, unstatedElements } from "./compare.ts";
import { matches, sentences, textDifferences } from "./compare-texts.ts";

describe("the contract", () => {
  let subject: Subject;
  beforeAll(async () => {
    subject = subjectOf(await documentOf("test"));
  });

  it.each(parts.map((part) => [part.section, part.name, part] as const))(
    "%s %s is as the specification states it",
    (section, name, { differences }) => {
      expect(differences(subject), `section ${section}, ${fileOf(name)}`).toEqual([]);
    },
  );

  it("has the provenance `specification` only for what a line states", () => {
    const remedy = "Set x-provenance, or add the line to stated-records.ts or stated-operations.ts";
    expect(unstatedElements(subject), remedy).toEqual([]);
  });

  it.each(
    Object.entries(sentences.sentencesByPlace).flatMap(([place, rows]) =>
      rows.map(({ quote, patterns }) => [place, quote, patterns] as const),
    ),
  )("states in %s: %s", (place, _quote, patterns) => {
    expect(textDifferences(subject, place, patterns)).toEqual([]);
  });

  it.each(sentences.unstated)("does not state in $place: $pattern", ({ place, pattern, statedInstead }) => {
    expect(matches(subject, place, pattern), statedInstead).toBe(false);
  });
});

it("has a question for every sentence of the specification with 'not shown', and quotes it", () => {
  const questions = Object.values(sources.registers().questions);
  const rows = questions.flatMap((entry) => [entry, ...listedRows(entry), ...Object.values(entry.notes ?? {})]);
  const quotedSentences = rows.flatMap(({ statedAs }) => statedAs ?? []);
  const countQuoting = (quote: string) => quotedSentences.filter((candidate) => candidate === quote).length;
  const { notShown: quotes } = sentences;
  // A sentence must be quoted at least as often as it occurs.
  const unaskedQuotes = quotes.filter(
    (quote) => countQuoting(quote) < quotes.filter((candidate) => candidate === quote).length,
  );
  const unknownQuotes = quotedSentences.filter((quote) => !quotes.includes(quote));
  expect({ unasked: unaskedQuotes, madeUp: unknownQuotes }).toEqual({ unasked: [], madeUp: [] });
});

function fileOf(name: string): string {
  const file = sources.paths.find((path) => basename(path, ".yaml").split("-").includes(name));
  return file === undefined ? "openapi/errors" : file.slice(file.indexOf("openapi/"));
}
