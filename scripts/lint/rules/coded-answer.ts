import type { Answer, Place } from "../../contract/index.ts";
import type { Rule } from "../rule.ts";
import { errorWithoutCode, isJson, type SourceContract } from "../source-contract.ts";

export const codedAnswer: Rule = {
  name: "coded-answer",
  states:
    "Every 4xx and 5xx answer of an operation is JSON: a `oneOf` of P-codes from the catalogue or, where the service gives no code, the schema ErrorWithoutCode. An answer with P-codes and another status has the same form. 401 has no code.",
  why: "Then `error.errorCode` narrows to exactly the codes that the operation can return.",
  wrong: `
application/json:
  schema:
    $ref: ../../errors/P403.yaml`,
  right: `
application/json:
  schema:
    oneOf:
      - $ref: ../../errors/P403.yaml`,
  judge(contract, check) {
    for (const { label, answers } of contract.operations) {
      for (const answer of answers.filter((candidate) => isErrorOrCoded(candidate, contract))) {
        const { key, place, bodies, codes } = answer;
        check(
          bodies.length > 0 && bodies.every(({ mediaType }) => isJson(mediaType)),
          place,
          `The ${key} answer of ${label} is not JSON only`,
          "Describe the error in application/json, and in nothing else",
        );
        for (const body of bodies) {
          const branches = body.schema.at("oneOf").items();
          check(
            isWithoutCode(answer) ||
              (branches.length > 0 && branches.every((branch) => isCatalogued(branch, contract))),
            body.place.own("schema"),
            `The ${key} answer of ${label} is no oneOf of P-codes`,
            `List the files of its codes in openapi/errors/ under oneOf, or refer to ${errorWithoutCode}.yaml when it has none`,
          );
        }
        check(
          key !== "401" || codes.length === 0,
          place,
          `The 401 answer of ${label} carries a P-code, but a missing or wrong key has none`,
          "Refer to responses/Unauthorized.yaml",
        );
      }
    }
  },
};

function isErrorOrCoded({ key, bodies }: Answer, contract: SourceContract): boolean {
  return (
    /^[45]/.test(key) ||
    bodies.some(({ schema }) => {
      return [schema, ...schema.at("oneOf").items()].some((place) => isCatalogued(place, contract));
    })
  );
}

/** Whether a schema refers to a file of the catalogue, whatever the file is called. */
function isCatalogued(schema: Place, { catalogue }: SourceContract): boolean {
  const { target } = schema;
  return catalogue.some(({ id }) => id === target.id);
}

function isWithoutCode({ bodies }: Answer): boolean {
  return bodies.every(({ schema }) => schema.target.name === errorWithoutCode);
}
