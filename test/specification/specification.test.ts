import { basename } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { listedRows } from "../../scripts/contract/model/index.ts";
import { documentOf, sources } from "../support/contract.ts";
import { parts, type Subject, subjectOf, unstated } from "./compare.ts";
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

  it("gives the specification as provenance only of what a line states", () => {
    const remedy = "Set x-provenance, or add the line to stated-records.ts or stated-operations.ts";
    expect(unstated(subject), remedy).toEqual([]);
  });

  it.each(
    Object.entries(sentences.says).flatMap(([where, all]) =>
      all.map(({ quote, says }) => [where, quote, says] as const),
    ),
  )("states in %s: %s", (where, _quote, says) => {
    expect(textDifferences(subject, where, says)).toEqual([]);
  });

  it.each(sentences.unstated)("does not state in $in: $text", ({ in: where, text, instead }) => {
    expect(matches(subject, where, text), instead).toBe(false);
  });
});

it("has a question for every sentence of the specification with 'not shown', and quotes it", () => {
  const questions = Object.values(sources.registers().questions);
  const rows = questions.flatMap((entry) => [entry, ...listedRows(entry), ...Object.values(entry.notes ?? {})]);
  const quoted = rows.flatMap(({ statedAs }) => statedAs ?? []);
  const quotedBy = (quote: string) => quoted.filter((other) => other === quote).length;
  const { notShown: quotes } = sentences;
  // Each occurrence of a sentence needs a separate question; several questions can quote the same sentence.
  const unasked = quotes.filter((quote) => quotedBy(quote) < quotes.filter((other) => other === quote).length);
  const madeUp = quoted.filter((quote) => !quotes.includes(quote));
  expect({ unasked, madeUp }).toEqual({ unasked: [], madeUp: [] });
});

function fileOf(name: string): string {
  const file = sources.paths.find((path) => basename(path, ".yaml").split("-").includes(name));
  return file === undefined ? "openapi/errors" : file.slice(file.indexOf("openapi/"));
}
