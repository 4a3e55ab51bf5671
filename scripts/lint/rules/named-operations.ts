import type { Rule } from "../rule.ts";

export const namedOperations: Rule = {
  name: "named-operations",
  states:
    "`x-named-operations` of the root lists every operation, and nothing else. A method that is listed there is the method of the operation, and an operation with the provenance `specification` has it.",
  why: "An edition that does not have an operation still has its name and, where it is stated, its method.",
  wrong: `
x-named-operations:
  suspendUser: { name: Suspend User, method: POST }
paths:
  /v1/user/suspend/{externalUserId}:
    patch:
      operationId: suspendUser`,
  right: `
x-named-operations:
  suspendUser: { name: Suspend User, method: PATCH }
paths:
  /v1/user/suspend/{externalUserId}:
    patch:
      operationId: suspendUser`,
  judge({ root, operations }, check) {
    const list = root.own("x-named-operations");
    for (const { operationId, label, method, provenance, place } of operations) {
      const entry = list.own(operationId);
      check(entry.exists, place, `x-named-operations does not list ${label}`, "Add it to openapi.yaml with its name");
      if (!entry.exists) continue;
      const stated = entry.own("method");
      const isStated = stated.exists || provenance === "specification";
      check(
        !isStated || stated.value === method.toUpperCase(),
        stated.exists ? stated : entry,
        `The method of ${label} is ${method.toUpperCase()}, and x-named-operations says ${stated.value ?? "none"}`,
        "Correct one of the two",
      );
    }
    for (const [operationId, entry] of list.entries()) {
      check(
        operations.some((operation) => operation.operationId === operationId),
        entry,
        `x-named-operations lists ${operationId}, which is no operation`,
        "Correct the operationId, or remove the entry",
      );
    }
  },
};
