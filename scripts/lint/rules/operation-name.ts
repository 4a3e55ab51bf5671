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
    "An operationId is a verb and a noun in camelCase. The file of a path is named after its operations, with a hyphen between them, the file of a webhook after its key.",
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
    for (const all of operationsByPath(operations)) {
      const [{ item, place }] = all;
      const ids = all.map(({ operationId }) => operationId);
      if (!ids.every(isVerbAndNoun)) continue;
      const name = ids.join("-");
      const remedy = `Put the path into a file ${name}.yaml in openapi/paths/<area>/`;
      check(item.name === name, place, `${basename(item.file)} is not named after its operations`, remedy);
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

/** The operations of each path, as they stand in its file. */
function operationsByPath(operations: Operation[]): [Operation, ...Operation[]][] {
  const byPath = new Map<string, [Operation, ...Operation[]]>();
  for (const operation of operations) {
    const others = byPath.get(operation.path);
    if (others === undefined) byPath.set(operation.path, [operation]);
    else others.push(operation);
  }
  const orderOf = ({ item, method }: Operation) => item.entries().findIndex(([name]) => name === method);
  return [...byPath.values()].map((all) => all.sort((a, b) => orderOf(a) - orderOf(b)));
}
