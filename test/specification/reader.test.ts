import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bundleFile, projectRoot } from "../../scripts/base/index.ts";
import { plainText } from "../../scripts/site/components/markdown.tsx";
import { createSite } from "../../scripts/site/content/site.ts";
import { operationPages } from "../../scripts/site/pages/operation.tsx";
import { elementsWithClass, type ParsedPage, parsePages, textOf } from "../site/parsed-page.ts";
import { contractOf, sources } from "../support/contract.ts";
import { provenanceOf } from "./surface.ts";

const chosenOperations: [operationId: string, provenance: keyof typeof provenanceOf][] = [
  ["createUserAccount", "S"],
  ["createTransfer", "R"],
  ["getCryptoWithdrawalDetails", "O"],
  ["createPaymentLink", "P"],
];

const contract = await contractOf("test");
const registers = sources.registers();
const { questions } = registers;
const site = createSite(contract.document, { registers, guides: [], journeys: [], changelog: "" });
const pages = parsePages(
  operationPages(site).filter(({ ref }) => chosenOperations.some(([id]) => "name" in ref && ref.name === id)),
  site,
);
const client = readFileSync(`${projectRoot}/generated/client/clients.ts`, "utf8");

describe.each(chosenOperations)("%s (%s)", (operationId, letter) => {
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new Error(`${operationId} is missing`);
  const provenance = provenanceOf[letter];
  const { openQuestions } = operation;

  it("has its provenance in the editor's hover text of the call", () => {
    const hover = commentBefore(client, `  ${operationId}(options`);
    expect(hover.includes("@experimental")).toBe(provenance === "proposed");
    expect(hover).toMatch(
      {
        specification: /Stated in the interface specification/,
        reference: /public reference/,
        observed: /program that calls the service/,
        proposed: /to be confirmed/,
      }[provenance] as RegExp,
    );
    for (const id of openQuestions) expect(hover).toContain(`${id}: ${questions[id]?.question}`);
  });

  it("has its provenance on its page", () => {
    const { main } = pages.find(({ path: file }) => file === `operations/${operationId}.html`) as ParsedPage;
    expect(textOf(elementsWithClass(main, "origin")[0])).toMatch(
      {
        specification: /stated in the specification/i,
        reference: /seen in the public reference/i,
        observed: /observed/i,
        proposed: /proposed/i,
      }[provenance] as RegExp,
    );
    for (const id of openQuestions) expect(textOf(main)).toContain(plainText(questions[id]?.question ?? id));
  });
});

it("proposed parts of observed operations are marked in the bundle and in the types", () => {
  const types = readFileSync(`${projectRoot}/generated/client/types.ts`, "utf8");
  expect(readFileSync(bundleFile("test", "yaml"), "utf8")).toContain("x-provenance: proposed");
  expect(types).toContain("@experimental Proposed: to be confirmed");
});

function commentBefore(text: string, declaration: string): string {
  const end = text.indexOf(declaration);
  return text.slice(text.lastIndexOf("/**", end), end);
}
