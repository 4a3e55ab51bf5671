import type { Rule } from "../rule.ts";

export const links: Rule = {
  name: "links",
  states: "A link names an operation by its operationId, and only parameters that this operation has.",
  why: "A link says that the answer supplies the parameters of the next call.",
  wrong: `
links:
  details:
    operationId: getOrderDetails
    parameters:
      id: $response.body#/orderId`,
  right: `
links:
  details:
    operationId: getOrderDetails
    parameters:
      orderId: $response.body#/orderId`,
  judge(contract, check) {
    for (const link of contract.nodes("Link")) {
      const id = link.own("operationId");
      const next = contract.operations.find(({ node }) => node.operationId === id.value);
      check(
        next !== undefined && id.exists,
        id.exists ? id : link,
        `The link leads to ${id.value ?? "no operationId"}, which no operation has`,
        "Name the operationId of the next call",
      );
      if (next === undefined) continue;
      const names = next.parameters.flatMap(({ name, in: location }) => [name, `${location}.${name}`]);
      for (const [name, value] of link.own("parameters").entries()) {
        check(
          names.includes(name),
          value,
          `The link fills ${name}, which is no parameter of ${next.label}`,
          "Name a parameter that it has",
        );
      }
    }
  },
};
