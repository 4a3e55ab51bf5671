import { expect, it } from "vitest";
import { checkValues } from "../../scripts/client/src/checks/check-values.ts";

const operation = { id: "pay", method: "POST", path: "/pay", responses: {}, explicit: ["payerId"] } as const;

it.each([
  ["an unlisted member", { payerId: {} }, ["member-misspelt", "payerId"]],
  ["a listed member", { payerId: {}, payeeId: {}, payerIds: {} }, undefined],
])("refuses %s whose name is nearly that of a member on which the meaning depends", (_name, properties, problem) => {
  const requests = { pay: { schema: { type: "object", properties }, isStated: true } } as const;
  const call = { query: {}, givenNames: [], text: '{"payerIds":"user-1042"}' };
  expect(checkValues(operation, requests, call).problem).toEqual(problem);
});
