/** Finds texts of latest that name an operation as if latest had it. */
import { methods, type OpenApiDocument } from "../../contract/index.ts";
import type { LatestProblem } from "./problems.ts";
import { visitNodes } from "./visit.ts";

const textKeys = ["summary", "description", "meaning", "resolution", "onCall", "x-irregularity"];
const suffix = "(not in this edition)";

/** A problem for each operation that a text names, that latest does not have, and that is not said to be absent. */
export function textProblems(latest: OpenApiDocument, test: OpenApiDocument): LatestProblem[] {
  const present = new Set([...namesIn(latest.paths), ...namesIn(latest.webhooks)]);
  const names = [...new Set([...namesIn(test.paths), ...present])].sort((a, b) => b.length - a.length);
  const found: LatestProblem[] = [];
  visitNodes({ ...latest, "x-absent-operations": undefined }, (node, path) => {
    for (const key of textKeys) {
      const text = node[key];
      if (typeof text !== "string") continue;
      for (const name of namesInText(text, names).filter((candidate) => !present.has(candidate))) {
        found.push({
          path: [...path, key],
          message: `A text of the edition latest names ${name}, which it does not have`,
          remedy: `Let scripts/bundle/filter add "${suffix}" behind the name`,
        });
      }
    }
  });
  return found;
}

/** Names and operationIds. */
function namesIn(items: OpenApiDocument["paths"] | undefined): string[] {
  return Object.values(items ?? {}).flatMap((item) =>
    methods.flatMap((method) => {
      const { operationId, summary } = item[method] ?? {};
      return [operationId, summary].filter((name) => name !== undefined);
    }),
  );
}

/** The names that a text mentions without saying that they are absent; of two at the same place the longer one. */
function namesInText(text: string, longestFirst: string[]): string[] {
  let rest = ` ${text.replaceAll("`", "").replace(/\s+/g, " ")} `;
  const found: string[] = [];
  for (const name of longestFirst) {
    for (let at = rest.indexOf(name); at !== -1; at = rest.indexOf(name, at + 1)) {
      const [before = "", after = ""] = [rest[at - 1], rest[at + name.length]];
      if (/[\p{L}\p{N}]/u.test(before + after)) continue;
      if (!rest.slice(at + name.length).startsWith(` ${suffix}`)) found.push(name);
      // Shorter names within this one are not mentions of their own.
      rest = rest.slice(0, at) + "\0".repeat(name.length) + rest.slice(at + name.length);
    }
  }
  return found;
}
