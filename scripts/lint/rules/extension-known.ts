import type { Rule } from "../rule.ts";

/**
 * Every `x-` key is listed in extensions.yaml, and none is written by hand that the build writes.
 *
 * Why: a misspelt key means nothing to anybody, and nobody notices.
 */
export const extensionKnown: Rule = {
  name: "extension-known",
  judge({ marks, extensions }, check) {
    const known = extensions.entries().map(([key]) => key);
    for (const { key, place } of marks) {
      check(
        known.includes(key),
        place,
        `${key} is no known key`,
        `Use one of ${known.join(", ")}, or describe the new key in openapi/extensions.yaml`,
      );
      check(
        !extensions.at(key, "generated").exists,
        place,
        `${key} is written by the build`,
        "Remove it here: the bundle gets it by itself",
      );
    }
  },
};
