import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { editions } from "../../../scripts/base/index.ts";
import { publish } from "../../../scripts/contract/bundle/index.ts";
import { type OpenApiDocument, readContract } from "../../../scripts/contract/model/index.ts";
import { readPublication } from "../../../scripts/contract/sources/index.ts";
import { documentOf, sources } from "../../support/contract.ts";

const errorBody = (errorCode: string) => ({
  errorCode,
  errorMessage: "Something that nobody has described",
  timestamp: "2026-03-02T09:12:07.318Z",
});

function makeCompiler(document: OpenApiDocument): (pointer: string) => (body: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, allowUnionTypes: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: "contract", ...document });
  return (pointer) => {
    const validate = ajv.getSchema(`contract${pointer}`);
    if (validate === undefined) throw new Error(`There is nothing at ${pointer}.`);
    return (body) => validate(body) === true;
  };
}

describe.each(editions)("in the published edition %s", async (edition) => {
  const document = publish(await documentOf(edition), readPublication(sources));
  const compile = makeCompiler(document);
  const { operations, errorCodes } = readContract(document);
  const responses = operations.flatMap(({ operationId, provenance, responses: all }) =>
    all
      .filter(({ key }) => key === "400" || key === "404")
      .map((response) => ({
        name: `${operationId} ${response.key}`,
        isStated: provenance === "specification",
        response,
      })),
  );
  const acceptorOf = ({ response }: (typeof responses)[number]) => {
    const [body] = response.bodies;
    return compile(`${body?.schema.id.slice(body.schema.id.indexOf("#"))}`);
  };
  const openResponses = responses.filter(({ isStated }) => !isStated);
  const closedResponses = responses.filter(({ isStated }) => isStated);

  it("has 12 responses with stated codes, and more than 40 without", () => {
    expect(openResponses.length).toBeGreaterThan(40);
    expect(closedResponses.map(({ name }) => name)).toHaveLength(12);
  });

  it.each(openResponses.map((entry) => [entry.name, entry] as const))(
    "%s accepts any P-code in the error format",
    (_, entry) => {
      const isAccepted = acceptorOf(entry);
      for (const { code } of errorCodes) expect(isAccepted(errorBody(code)), code).toBe(true);
      expect(isAccepted(errorBody("P999"))).toBe(true);
      const hasExampleWithoutCode = entry.response.bodies.some(({ examples }) =>
        examples.some(({ value }) => !Object.hasOwn(value as object, "errorCode")),
      );
      if (!hasExampleWithoutCode) expect(isAccepted(errorBody("X999"))).toBe(false);
      expect(isAccepted({ errorCode: "P999" })).toBe(false);
    },
  );

  it.each(closedResponses.map((entry) => [entry.name, entry] as const))(
    "%s accepts the stated codes only",
    (_, entry) => {
      const isAccepted = acceptorOf(entry);
      const codes = errorCodes.map(({ code }) => code).filter((code) => isAccepted(errorBody(code)));
      if (entry.response.codes.length > 0) expect(codes.sort()).toEqual([...entry.response.codes].sort());
    },
  );
});
