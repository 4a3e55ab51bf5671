import { basename } from "node:path";
import type { Operation } from "../../contract/index.ts";
import type { Rule } from "../rule.ts";

/** The verbs that operations start with. A new operation may need another one: add it here. */
const verbs = [
  ...["add", "block", "create", "delete", "extend", "get", "list", "redirect"],
  ...["suspend", "transfer", "unblock", "unsuspend", "update"],
];

export const operationName: Rule = {
  name: "operation-name",
  states:
    "An operationId is a verb and a noun in camelCase. The file of a path is named after its first operation, the file of a webhook after its key.",
  why: "The operationId is the name of the client's function, the anchor in the docs and the way to find the file.",
  wrong: `
/v1/card/virtual:
  post:
    operationId: virtual-card`,
  right: `
/v1/card/virtual:
  post:
    operationId: createVirtualCard`,
  judge({ operations, webhooks }, check) {
    for (const { place } of operations) {
      const id = place.own("operationId");
      check(
        isVerbAndNoun(String(id.value)),
        id.exists ? id : place,
        id.exists ? `"${id.value}" is not a verb and a noun in camelCase` : "The operation has no operationId",
        `Start it with one of ${verbs.join(", ")}, as in createUserAccount; add a new verb to rules/operation-name.ts`,
      );
    }
    for (const { item, place, operationId } of firstOfEachPath(operations)) {
      if (!isVerbAndNoun(operationId)) continue;
      const remedy = `Put the path into a file ${operationId}.yaml in openapi/paths/<area>/`;
      const problem = `${basename(item.file)} is not named after its first operation`;
      check(item.name === operationId, place, problem, remedy);
    }
    for (const { name, item, place } of webhooks) {
      const remedy = `Put the webhook into openapi/webhooks/${name}.yaml`;
      check(item.name === name, place, `${basename(item.file)} is not named after the webhook ${name}`, remedy);
    }
  },
};

function isVerbAndNoun(id: string): boolean {
  const verb = /^([a-z]+)(?:[A-Z][a-z0-9]*)+$/.exec(id)?.[1];
  return verb !== undefined && verbs.includes(verb);
}

/** The operation that stands first in each path. */
function firstOfEachPath(operations: Operation[]): Operation[] {
  return operations.filter(({ item, method, path }) => {
    const methods: string[] = operations.filter((other) => other.path === path).map((other) => other.method);
    return item.entries().find(([name]) => methods.includes(name))?.[0] === method;
  });
}
