import { basename } from "node:path";
import type { Rule } from "../rule.ts";
import { errorWithoutCode, isCatalogued, isJson, type SourceAnswer } from "../source-contract.ts";

/**
 * Every 4xx and 5xx answer of an operation is JSON: either a `oneOf` of P-codes from the catalogue, or, where the service
 * has no code, the schema ErrorWithoutCode. An answer with P-codes and another status has the same form. 401 has no code.
 *
 * Why: then `error.errorCode` narrows to exactly the codes that the operation can return.
 */
export const codedAnswer: Rule = {
  name: "coded-answer",
  judge({ operations }, check) {
    for (const { name, answers } of operations) {
      for (const answer of answers.filter(isRefusalOrCoded)) {
        const { status, place, media, codes } = answer;
        check(
          media.length > 0 && media.every(([type]) => isJson(type)),
          place,
          `The ${status} answer of ${name} is not JSON only`,
          "Describe the error in application/json, and in nothing else",
        );
        for (const [, type] of media) {
          const schema = type.at("schema");
          const branches = schema.at("oneOf").items();
          check(
            isWithoutCode(answer) || (branches.length > 0 && branches.every(isCatalogued)),
            schema,
            `The ${status} answer of ${name} is no oneOf of P-codes`,
            `List the files of its codes in openapi/errors/ under oneOf, or refer to ${errorWithoutCode} when it has none`,
          );
        }
        check(
          status !== "401" || codes.length === 0,
          place,
          `The 401 answer of ${name} carries a P-code, but a missing or wrong key has none`,
          "Refer to responses/Unauthorized.yaml",
        );
      }
    }
  },
};

function isRefusalOrCoded({ status, media }: SourceAnswer): boolean {
  return /^[45]/.test(status) || media.some(([, type]) => refersToCode(type.at("schema")));
}

function refersToCode(schema: SourceAnswer["place"]): boolean {
  return isCatalogued(schema) || schema.at("oneOf").items().some(isCatalogued);
}

function isWithoutCode({ media }: SourceAnswer): boolean {
  return media.every(([, type]) => basename(type.at("schema").target.file) === errorWithoutCode);
}
