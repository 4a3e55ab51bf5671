/** Generates the file `statuses.ts`: which final statuses of a resource mean success, and which mean failure. */
import type { Contract } from "../../../contract/model/index.ts";
import { resultsIn } from "../reading/facts.ts";
import { contractTypesPath, generatedNotice, toLiteral } from "../writing/text.ts";

export function statusesSource({ resources }: Contract): string {
  const rows = resources.flatMap((resource) => {
    const results = resultsIn(resource);
    return results === undefined ? [] : [`export const ${resource.name}: Results = ${toLiteral(results)};`];
  });
  return `${generatedNotice}
import type { Results } from "${contractTypesPath}";

${rows.join("\n")}
`;
}
