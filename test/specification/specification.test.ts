/** The contract says what the interface specification states. Each part of the specification is a row of its own. */
import { basename } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { listedRows } from "../../scripts/contract/index.ts";
import { documentOf, sources } from "../support/contract.ts";
import { parts, type Subject, subjectOf, unstated } from "./compare.ts";
import { textDifferences, textOf } from "./compare-texts.ts";
import { notShown, unstatedTexts } from "./stated-elsewhere.ts";
import { rules } from "./stated-rules.ts";

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

  it("gives the specification as the provenance of nothing that no line states", () => {
    expect(unstated(subject)).toEqual([]);
  });

  it.each(rules.map((rule) => [rule.in, rule.quote, rule] as const))("says in %s: %s", (_in, _quote, rule) => {
    expect(textDifferences(subject, rule)).toEqual([]);
  });

  it.each(unstatedTexts.map((row) => [row.in, row.text, row] as const))(
    "does not say in %s: %s",
    (where, text, row) => {
      expect(textOf(subject, where), row.instead).not.toMatch(text);
    },
  );
});

it("has a question for every sentence of the specification that says 'not shown', and quotes it", () => {
  const quoted = Object.values(sources.registers().questions).flatMap((entry) =>
    [entry, ...listedRows(entry)].flatMap(({ statedAs }) => statedAs ?? []),
  );
  const quotedBy = (quote: string) => quoted.filter((other) => other === quote).length;
  const quotes = notShown.map(({ quote }) => quote);
  // A sentence that stands in the specification twice is about two things; one sentence can leave several things open.
  const unasked = quotes.filter((quote) => quotedBy(quote) < quotes.filter((other) => other === quote).length);
  const madeUp = quoted.filter((quote) => !quotes.includes(quote));
  expect({ unasked, madeUp }).toEqual({ unasked: [], madeUp: [] });
});

/** The file in which a part is written. */
function fileOf(name: string): string {
  const file = sources.paths.find((path) => basename(path, ".yaml").split("-").includes(name));
  return file === undefined ? "openapi/errors" : file.slice(file.indexOf("openapi/"));
}
