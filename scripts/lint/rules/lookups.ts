/** The rule about `x-lookup`: how to find the result of a call whose response was lost. */
import { type Operation, propertiesOf, type SourceLocation } from "../../contract/model/index.ts";
import { type Judge, nameOneOf } from "../rule.ts";
import { fieldsOf } from "./webhooks.ts";

export const lookupRules: Record<string, Judge> = {
  lookups({ operations, webhooks }, check) {
    for (const operation of operations) {
      const { lookup } = operation;
      const hasChange = operation.method !== "get" || operation.hasSideEffects;
      const missingLookup = `${operation.label} changes something, and does not say whether it may be repeated`;
      check(lookup !== undefined || !hasChange, operation.location, missingLookup, "Add x-lookup with `repeat`");
      if (lookup === undefined) continue;
      const isGetOperation = ({ value }: SourceLocation) =>
        operations.some(({ operationId, method }) => operationId === value && method === "get");
      for (const item of lookup.location.child("shownBy").items()) {
        check(isGetOperation(item), item, `There is no GET operation ${item.value}`, "Name the operationId of a GET");
      }
      const sentFields = fieldsOf(operation);
      const judgeMembers = (
        mappedMembers: SourceLocation,
        shownFields: readonly string[],
        ownerName: string,
        knownFields = sentFields,
      ) => {
        for (const [path, member] of mappedMembers.entries()) {
          const [name = ""] = path.split("/");
          check(shownFields.includes(name), member, `${ownerName} has no member ${name}`, nameOneOf([...shownFields]));
          const problem = `The request of ${operation.label} has no member ${member.value}`;
          check(knownFields.includes(String(member.value)), member, problem, nameOneOf(knownFields));
        }
      };
      const namedMembers = [
        ...lookup.records.map(({ location }) => location.child("of")),
        ...lookup.location.child("certain").items(),
      ];
      for (const member of namedMembers.filter(({ exists }) => exists)) {
        const problem = `The request of ${operation.label} has no member ${member.value}`;
        check(sentFields.includes(String(member.value)), member, problem, nameOneOf(sentFields));
      }
      for (const record of lookup.records) {
        const list = operations.find(
          ({ operationId, method }) => operationId === record.listOperationId && method === "get",
        );
        const problem = `There is no GET operation ${record.listOperationId}`;
        check(list !== undefined, record.location.child("in"), problem, "Name the operationId of a GET");
        if (list === undefined) continue;
        for (const key of ["same", "atLeast"]) {
          judgeMembers(record.location.child(key), membersOf(list), `The response of ${record.listOperationId}`);
        }
      }
      if (lookup.webhook === undefined) continue;
      const { name, location } = lookup.webhook;
      const webhook = webhooks.find((candidate) => candidate.name === name);
      check(webhook !== undefined, location.child("name"), `There is no webhook ${name}`, "Name the key of a webhook");
      if (webhook === undefined) continue;
      // Here, `same` and `atLeast` can name a request member of any operation whose lookup has this webhook.
      const operationsOfWebhook = operations.filter((each) => each.lookup?.webhook?.name === name);
      for (const key of ["same", "atLeast"]) {
        judgeMembers(
          location.child(key),
          fieldsOf(webhook),
          `The body of ${webhook.label}`,
          operationsOfWebhook.flatMap(fieldsOf),
        );
      }
    }
  },
};

function membersOf({ responses }: Operation): string[] {
  return responses.flatMap(({ bodies }) =>
    bodies.flatMap(({ schema }) => {
      const items = schema.at("items");
      return [...propertiesOf(items.exists ? items : schema).keys()];
    }),
  );
}
