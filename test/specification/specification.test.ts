import { describe, expect, it } from "vitest";
import { bundleContract } from "../../scripts/build/bundle.ts";
import { readContract } from "../../scripts/contract/contract.ts";
import { readOpenQuestions } from "../../scripts/contract/open-questions.ts";
import { editions } from "../../scripts/contract/project.ts";
import { differences } from "./compare.ts";
import { errorCodes, notShown, operations } from "./facts.ts";

describe.each(editions)("edition %s", async (edition) => {
  const document = await bundleContract(edition);

  it("says what the specification states", () => {
    expect(differences(document)).toEqual([]);
  });

  it("gives the specification as the provenance of exactly the stated operations and codes", () => {
    const contract = readContract(document);
    const stated = contract.operations.filter(({ provenance }) => provenance === "specification");
    expect(stated.map(({ operationId }) => operationId).sort()).toEqual(
      operations.map(({ operationId }) => operationId).sort(),
    );
    const codes = contract.errorCodes.filter(({ provenance }) => provenance === "specification");
    expect(codes.map(({ code }) => code)).toEqual(Object.keys(errorCodes));
  });
});

it("has a question for every 'not shown' of the specification", () => {
  const quoted = Object.values(readOpenQuestions()).filter(({ statedAs }) => statedAs !== undefined);
  expect(quoted).toHaveLength(notShown);
  expect(quoted.filter(({ statedAs }) => !statedAs?.includes("not shown"))).toEqual([]);
});
