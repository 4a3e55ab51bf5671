import { type Answer, alternativesOf, generalError, type Place } from "../../contract/index.ts";
import type { Rule } from "../rule.ts";
import { errorWithoutCode, isJson, type SourceContract } from "../source-contract.ts";

export const codedAnswer: Rule = {
  name: "coded-answer",
  states:
    "Every 4xx and 5xx answer of an operation is JSON. Where the specification states the codes of the operation, it is a `oneOf` of P-codes from the catalogue or, where the service gives no code, the schema ErrorWithoutCode. Everywhere else 400 and 404 are open: an `anyOf` of what is known and GeneralError. An answer with P-codes and another status is a `oneOf`. 401 has no code.",
  why: "`error.errorCode` narrows to exactly the codes that are stated, and knowing one code never makes an answer stricter than knowing none.",
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
    for (const { label, answers, provenance } of contract.operations) {
      for (const answer of answers.filter((candidate) => isErrorOrCoded(candidate, contract))) {
        const { key, place, bodies, codes } = answer;
        check(
          bodies.length > 0 && bodies.every(({ mediaType }) => isJson(mediaType)),
          place,
          `The ${key} answer of ${label} is not JSON only`,
          "Describe the error in application/json, and in nothing else",
        );
        // An operation that does not say where it comes from is reported by the rule provenance.
        const isOpen = !["specification", undefined].includes(provenance) && (key === "400" || key === "404");
        const keyword = isOpen ? "anyOf" : "oneOf";
        for (const body of bodies) {
          const branches = body.schema.at(keyword).items();
          const known = branches.filter(({ target }) => target.name !== generalError);
          const isWhole = isOpen
            ? known.length < branches.length && known.every((branch) => isKnown(branch, contract))
            : known.length > 0 && branches.every((branch) => isCatalogued(branch, contract));
          check(
            isWhole || (!isOpen && isWithoutCode(answer)),
            body.place.own("schema"),
            `The ${key} answer of ${label} is no ${keyword} of P-codes${isOpen ? ` and ${generalError}` : ""}`,
            isOpen
              ? `List the files of its known codes under anyOf, and ${generalError}.yaml as the last one`
              : `List the files of its codes in openapi/errors/ under oneOf, or refer to ${errorWithoutCode}.yaml when it has none`,
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
      return [schema, ...alternativesOf(schema)].some((place) => isCatalogued(place, contract));
    })
  );
}

/** Whether a schema refers to a file of the catalogue, whatever the file is called. */
function isCatalogued(schema: Place, { catalogue }: SourceContract): boolean {
  const { target } = schema;
  return catalogue.some(({ id }) => id === target.id);
}

function isKnown(schema: Place, contract: SourceContract): boolean {
  return schema.target.name === errorWithoutCode || isCatalogued(schema, contract);
}

function isWithoutCode({ bodies }: Answer): boolean {
  return bodies.every(({ schema }) => schema.target.name === errorWithoutCode);
}
