/** `x-lookup` states how to find the result of a call whose response was lost. */
import {
  bodySchemasOf,
  comparedKindsOf,
  memberSchemasAt,
  propertiesOf,
  recordSchemasOf,
  reportedSchemasOf,
  type SourceLocation,
} from "../../contract/model/index.ts";
import { type Check, type Judge, nameOneOf } from "../rule.ts";
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
          const shown = {
            name: `The response of ${record.listOperationId}`,
            schemas: recordSchemasOf(operations, record),
          };
          const sent = { name: `The request of ${operation.label}`, schemas: bodySchemasOf(operation) };
          judgeMembers(record.location.child(key), shown, sent, check);
        }
      }
      if (lookup.webhook === undefined) continue;
      const { name, location } = lookup.webhook;
      const webhook = webhooks.find((candidate) => candidate.name === name);
      check(webhook !== undefined, location.child("name"), `There is no webhook ${name}`, "Name the key of a webhook");
      if (webhook === undefined) continue;
      // Here, `same` and `atLeast` can name a request member of any operation whose lookup has this webhook.
      const shown = { name: `The body of ${webhook.label}`, schemas: bodySchemasOf(webhook) };
      const sent = { name: `The request of ${operation.label}`, schemas: reportedSchemasOf(operations, webhook) };
      for (const key of ["same", "atLeast"]) judgeMembers(location.child(key), shown, sent, check);
    }
  },
};

interface Owner {
  /** The name for messages. */
  name: string;
  schemas: readonly SourceLocation[];
}

function judgeMembers(members: SourceLocation, shown: Owner, sent: Owner, check: Check): void {
  for (const [path, member] of members.entries()) {
    const requestPath = String(member.value);
    const shownMembers = memberSchemasAt(shown.schemas, path);
    const sentMembers = memberSchemasAt(sent.schemas, requestPath);
    const shownNames = shown.schemas.flatMap(namesIn);
    const sentNames = sent.schemas.flatMap(namesIn);
    check(shownMembers.length > 0, member, `${shown.name} has no member ${path}`, nameOneOf(shownNames));
    check(sentMembers.length > 0, member, `${sent.name} has no member ${requestPath}`, nameOneOf(sentNames));
    const kinds = comparedKindsOf([...shownMembers, ...sentMembers]);
    const problem = `${path} and ${requestPath} cannot be compared: one is of the kind ${kinds.join(", the other ")}`;
    check(kinds.length <= 1, member, problem, "Name members with the same kind of value");
    if (members.key !== "atLeast" || kinds.length > 1) continue;
    const orderProblem = `${path} and ${requestPath} have no order, because their schemas do not say that they are amounts`;
    check(kinds[0] === "amount", member, orderProblem, "Name amounts, or write x-compared-as: amount in their schemas");
  }
}

const namesIn = (schema: SourceLocation): string[] => [...propertiesOf(schema).keys()];
