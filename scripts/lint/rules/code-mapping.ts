import type { Place } from "../place.ts";
import type { Rule } from "../rule.ts";
import { codeProperty, codeRefsOf } from "../source-contract.ts";

/**
 * Each `oneOf` of P-codes lists a code once and has a discriminator on `errorCode` whose mapping holds exactly the same
 * codes, each with the same file.
 *
 * Why: type generators, the mock and other people's tools pick the schema of an error by this mapping.
 */
export const codeMapping: Rule = {
  name: "code-mapping",
  judge(contract, check) {
    for (const media of contract.nodes("MediaType")) {
      const schema = media.at("schema").target;
      const refs = codeRefsOf(schema);
      if (refs.length === 0) continue;
      const discriminator = schema.own("discriminator");
      const property = discriminator.own("propertyName");
      check(
        property.value === codeProperty,
        discriminator.exists ? property : schema,
        `The codes have no discriminator on ${codeProperty}`,
        `Add discriminator with propertyName: ${codeProperty} and a mapping of all codes`,
      );
      if (!discriminator.exists) continue;
      const mapping = discriminator.own("mapping");
      for (const [index, { code, place }] of refs.entries()) {
        const isFirst = refs.findIndex((ref) => ref.code === code) === index;
        check(isFirst, place, `${code} is listed twice in this oneOf`, "Remove one of the two");
        const remedy = `Add ${code} with the same file as in the oneOf`;
        check(mapping.own(code).exists, mapping, `${code} is missing in the mapping`, remedy);
      }
      for (const [code, target] of mapping.entries()) {
        const ref = refs.find((candidate) => candidate.code === code);
        check(ref !== undefined, target, `${code} is mapped but not in the oneOf`, "Remove it, or add it to the oneOf");
        check(
          ref === undefined || target.value === fileIn(ref.place),
          target,
          `${code} is mapped to ${target.value}, which is not its file in the oneOf`,
          "Give both the same file",
        );
      }
    }
  },
};

/** The file that a reference names, as written. */
function fileIn({ value }: Place): string {
  return (value as { $ref: string }).$ref;
}
