/** Generates the file `statuses.ts`: which final statuses of a resource mean success, and which mean failure. */
import { type Contract, type Resource, resultsOf } from "../../contract/model/index.ts";
import { generatedNotice, toLiteral } from "./text.ts";

export function statusesSource({ resources }: Contract): string {
  const rows = resources.flatMap((resource) => {
    const results = resultsIn(resource);
    return results === undefined ? [] : [`export const ${resource.name}: Results = ${toLiteral(results)};`];
  });
  return `${generatedNotice}
/** The final statuses of a resource: true for a success, false for a failure. */
type Results = Readonly<Record<string, boolean>>;

${rows.join("\n")}
`;
}

/** Undefined if the resource has several states or none, or no success values. */
export function resultsIn({ states }: Resource): Record<string, boolean> | undefined {
  const [state, ...otherStates] = states;
  return state === undefined || otherStates.length > 0 ? undefined : resultsOf(state);
}
