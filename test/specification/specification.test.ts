/** The contract says what the interface specification states. Each part of the specification is a row of its own. */
import { beforeAll, describe, expect, it } from "vitest";
import { editions, type OpenApiDocument, readContract } from "../../scripts/contract/index.ts";
import { documentOf, sources } from "../support/contract.ts";
import { dereference } from "../support/schema.ts";
import { differences, parts } from "./compare.ts";
import { operations } from "./stated-operations.ts";
import { errorCodes, notShown } from "./stated-records.ts";

let document: OpenApiDocument;
beforeAll(async () => {
  document = dereference(await documentOf("test"));
});

it.each(parts.map((part) => [part.section, part.name, part] as const))(
  "%s %s is as the specification states it",
  (section, name, { differences }) => {
    expect(differences(document), `section ${section}, ${fileOf(name)}`).toEqual([]);
  },
);

it("both editions say the same of what the specification states", async () => {
  expect(differences(await documentOf("latest"))).toEqual(differences(await documentOf("test")));
});

describe.each(editions)("the edition %s", (edition) => {
  it("gives the specification as the provenance of exactly the stated operations and codes", async () => {
    const contract = readContract(await documentOf(edition));
    const stated = contract.operations.filter(({ provenance }) => provenance === "specification");
    expect(stated.map(({ operationId }) => operationId).sort()).toEqual(
      operations.map(({ operationId }) => operationId).sort(),
    );
    const codes = contract.errorCodes.filter(({ provenance }) => provenance === "specification");
    expect(codes.map(({ code }) => code)).toEqual(Object.keys(errorCodes));
  });
});

it("has a question for every sentence of the specification that says 'not shown'", () => {
  const quoted = Object.values(sources.registers().questions).filter(({ statedAs }) => statedAs !== undefined);
  expect(quoted).toHaveLength(notShown);
  expect(quoted.filter(({ statedAs }) => !statedAs?.includes("not shown"))).toEqual([]);
});

/** The file in which a part is written. */
function fileOf(name: string): string {
  const file = sources.paths.find((path) => path.endsWith(`/${name}.yaml`));
  return file === undefined ? "openapi/errors" : file.slice(file.indexOf("openapi/"));
}
