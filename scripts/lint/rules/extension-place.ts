import type { Rule } from "../rule.ts";

/**
 * An `x-` key stands only on the kinds of object that extensions.yaml names for it.
 *
 * Why: its readers look there and nowhere else.
 */
export const extensionPlace: Rule = {
  name: "extension-place",
  judge({ marks, extensions }, check) {
    for (const { key, on, place } of marks) {
      const kinds = extensions.at(key, "on");
      if (!kinds.exists) continue;
      const allowed = kinds.items().map(({ value }) => value);
      check(
        allowed.includes(on),
        place,
        `${key} stands on an object of the kind ${on}`,
        `Move it to one of the kind ${allowed.join(", ")}`,
      );
    }
  },
};
