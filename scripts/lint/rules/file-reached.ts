import { basename, dirname } from "node:path";
import type { Rule } from "../rule.ts";
import { layoutOf } from "../source-contract.ts";

/**
 * Every YAML file beside the root document is part of the contract: something refers to it. The registers and the
 * journeys are no part of it, and P-codes are judged by another rule.
 *
 * Why: a path file that nobody lists in openapi.yaml is missing everywhere, and nobody notices.
 */
export const fileReached: Rule = {
  name: "file-reached",
  judge({ root, references, files }, check) {
    const layout = layoutOf(root.file);
    const reached = new Set([root.file, ...references.map((reference) => reference.target.file)]);
    for (const place of files) {
      const { file } = place;
      if ([layout.extensions, layout.openQuestions].includes(file)) continue;
      if ([layout.errors, layout.journeys].includes(dirname(file))) continue;
      check(
        reached.has(file),
        place,
        `Nothing refers to ${basename(file)}`,
        "List it where it belongs (a path or webhook in openapi.yaml), or remove it",
      );
    }
  },
};
