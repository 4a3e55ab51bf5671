import { basename } from "node:path";
import type { Place } from "../place.ts";
import type { Rule } from "../rule.ts";
import type { SourceOperation } from "../source-contract.ts";

/** The verbs that operations start with. A new operation may well need another one: add it here. */
const verbs = [
  ...["add", "block", "create", "delete", "extend", "get", "list", "redirect"],
  ...["suspend", "transfer", "unblock", "unsuspend", "update"],
];

/**
 * An operationId is a verb and a noun in camelCase, and the file of a path is named after its first operation, the file
 * of a webhook after its key.
 *
 * Why: the operationId is the name of the client's function, the anchor in the docs and the way to find the file.
 */
export const operationName: Rule = {
  name: "operation-name",
  judge({ operations, webhooks }, check) {
    for (const { place } of operations) {
      const id = place.own("operationId");
      check(
        isVerbAndNoun(String(id.value)),
        id.exists ? id : place,
        id.exists ? `"${id.value}" is not a verb and a noun in camelCase` : "The operation has no operationId",
        `Start it with one of ${verbs.join(", ")}, as in createUserAccount; a new verb goes into rules/operation-name.ts`,
      );
    }
    for (const { item, place } of firstOfEachPath(operations)) {
      const id = String(place.own("operationId").value);
      if (!isVerbAndNoun(id)) continue;
      const remedy = `Put the path into a file ${id}.yaml in openapi/paths/<area>/`;
      check(nameOf(item) === id, place, `${basename(item.file)} is not named after its first operation`, remedy);
    }
    for (const { key, item, place } of webhooks) {
      const remedy = `Put the webhook into openapi/webhooks/${key}.yaml`;
      check(nameOf(item) === key, place, `${basename(item.file)} is not named after the webhook ${key}`, remedy);
    }
  },
};

function isVerbAndNoun(id: string): boolean {
  const verb = /^([a-z]+)(?:[A-Z][a-z0-9]*)+$/.exec(id)?.[1];
  return verb !== undefined && verbs.includes(verb);
}

/** The operation that stands first in each path. */
function firstOfEachPath(operations: SourceOperation[]): SourceOperation[] {
  return operations.filter(({ item, method, key }) => {
    const methods = operations.filter((other) => other.key === key).map((other) => other.method as string);
    return item.entries().find(([name]) => methods.includes(name))?.[0] === method;
  });
}

function nameOf(item: Place): string {
  return basename(item.file, ".yaml");
}
