import type { Rule } from "../rule.ts";

export const extensionPlace: Rule = {
  name: "extension-place",
  states: "An `x-` key stands only on the kinds of object that extensions.yaml names for it.",
  why: "Its readers look there and nowhere else.",
  wrong: `
post:
  operationId: updateCardPin
  x-sensitive: true`,
  right: `
properties:
  pin:
    type: string
    x-sensitive: true`,
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
