import type { Rule } from "../rule.ts";

export const links: Rule = {
  name: "links",
  states:
    "A link names an operation by its operationId, and only parameters that this operation has. An operation that is not proposed links to none that is.",
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
      const from = contract.operations.find(({ place }) => link.id.startsWith(place.id));
      check(
        next.provenance !== "proposed" || from?.provenance === "proposed",
        id,
        `The link leads to ${next.label}, which the edition latest does not have`,
        "Name the operation in the description instead",
      );
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
