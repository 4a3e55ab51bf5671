import { basename, dirname } from "node:path";
import type { Place } from "../../contract/index.ts";
import type { Rule } from "../rule.ts";

export const fileReached: Rule = {
  name: "file-reached",
  states:
    "Something refers to every YAML file beside and below the root document, or to each of its entries. The registers, the scenario, the two files of the mock, the journeys and the list of guides are not part of the document; `code-used` judges the P-codes.",
  why: "A path file that is not listed in openapi.yaml is missing everywhere, and nobody notices.",
  wrong: `
# paths/card/blockCard.yaml exists as well
paths:
  /v1/card/unblock:
    $ref: paths/card/unblockCard.yaml`,
  right: `
paths:
  /v1/card/block:
    $ref: paths/card/blockCard.yaml
  /v1/card/unblock:
    $ref: paths/card/unblockCard.yaml`,
  judge({ root, references, sources }, check) {
    const { extensions, openQuestions, resources, scenario, mock, mockControl, errors, journeys, guides } =
      sources.layout;
    const beside = [extensions, openQuestions, resources, scenario, mock, mockControl];
    const targets = references.map(({ target }) => target);
    const reached = new Set([root.file, ...targets.map(({ file }) => file)]);
    const whole = new Set([root.file, ...targets.filter(isFile).map(({ file }) => file)]);
    const parts = new Set(targets.map(partOf));
    for (const file of sources.paths) {
      if (beside.includes(file) || [errors, journeys, guides].includes(dirname(file))) continue;
      check(
        reached.has(file),
        sources.place(file),
        `Nothing refers to ${basename(file)}`,
        "List it where it belongs (a path or webhook in openapi.yaml), or remove it",
      );
      if (!reached.has(file) || whole.has(file)) continue;
      for (const [name, part] of sources.place(file).entries()) {
        const problem = `Nothing refers to ${name} in ${basename(file)}`;
        check(parts.has(partOf(part)), part, problem, "Refer to it, or remove it");
      }
    }
  },
};

/** Whether this is a whole file. */
function isFile({ pointer }: Place): boolean {
  return pointer === "#/";
}

/** The entry of a file that this stands in. */
function partOf({ file, pointer }: Place): string {
  return `${file}${pointer.split("/").slice(0, 2).join("/")}`;
}
