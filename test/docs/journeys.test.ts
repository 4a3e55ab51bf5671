/** The section "Journeys" of the pages. */
import { describe, expect, it, test } from "vitest";
import { editions, readContract } from "../../scripts/contract/index.ts";
import { annotateDocument, operationOfStep, readJourneys } from "../../scripts/docs/index.ts";
import { possibleJourneys } from "../../scripts/docs/journeys.ts";
import { Sources } from "../../scripts/sources/index.ts";
import { bundles } from "./site-bundles.ts";
import { conditions, questions, smallDocument } from "./small-document.ts";

const journeys = readJourneys();
const registers = new Sources().registers();

/** The lines of a journey in the section. */
function linesOf(section: string, summary: string): string[] {
  const [, text = ""] = section.split(`## ${summary} {%`);
  return (text.split("\n## ")[0] ?? "").split("\n").filter((line) => /^\d+\. /.test(line));
}

describe.each(editions)("the page of %s", (edition) => {
  const { document } = bundles[edition];
  const contract = readContract(structuredClone(document));
  const possible = possibleJourneys(journeys, contract);
  const annotated = annotateDocument(document, { ...registers, guides: "", journeys });
  const section = annotated.tags?.find(({ name }) => name === "Journeys")?.description ?? "";

  it("has the steps of each possible journey in their order, with links to the operations", () => {
    for (const { summary, steps } of possible) {
      const lines = linesOf(section, summary);
      expect(lines, summary).toHaveLength(steps.length);
      for (const [index, step] of steps.entries()) {
        const { source, operationId } = operationOfStep(step);
        const start = source === "mock" ? "_Outside:_ " : "[";
        const line = lines[index] ?? "";
        expect(line).toMatch(new RegExp(`^${index + 1}\\. ${start.replace("[", "\\[")}`));
        if (source !== "mock") expect(line).toContain(`/${operationId.toLowerCase()})`);
      }
    }
  });

  it("says which calls are refused, with what", () => {
    expect(section).toMatch(/\(400, \[P433\]\(#\/errors\/p433\)\): The balance covers 60\.00 euro, and not 60\.01\./);
  });

  it("is listed in the side bar, before the errors", () => {
    expect((annotated as { "x-tagGroups"?: unknown })["x-tagGroups"]).toMatchObject([
      {},
      { tags: ["Journeys", "Errors", "Open questions"] },
    ]);
  });
});

test("the page of test has every journey, that of latest those without operations that it does not have", () => {
  const namesOf = (edition: "latest" | "test") =>
    possibleJourneys(journeys, readContract(structuredClone(bundles[edition].document))).map(
      ({ workflowId }) => workflowId,
    );
  expect(namesOf("test")).toEqual(journeys.map(({ workflowId }) => workflowId));
  expect(namesOf("latest")).toEqual(["cryptoWithdrawal", "hostedKyc", "onboarding", "transfer"]);
});

test("a page without possible journeys has no section", () => {
  const annotated = annotateDocument(smallDocument(), { questions, conditions, resources: [], guides: "", journeys });
  expect(annotated.tags?.map(({ name }) => name)).not.toContain("Journeys");
});
