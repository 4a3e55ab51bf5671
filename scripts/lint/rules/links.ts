import type { Rule } from "../rule.ts";

/**
 * A link leads to an operation by its operationId, and fills parameters that this operation has.
 *
 * Why: a link is a promise that one answer feeds the next call.
 */
export const links: Rule = {
  name: "links",
  judge(contract, check) {
    for (const link of contract.nodes("Link")) {
      const id = link.own("operationId");
      const next = contract.operations.find(({ place }) => place.own("operationId").value === id.value);
      check(
        next !== undefined && id.exists,
        id.exists ? id : link,
        `The link leads to ${id.value ?? "no operationId"}, which no operation has`,
        "Name the operationId of the next call",
      );
      if (next === undefined) continue;
      const names = next.parameters.flatMap((parameter) => {
        const name = String(parameter.at("name").value);
        return [name, `${parameter.at("in").value}.${name}`];
      });
      for (const [name, value] of link.own("parameters").entries()) {
        check(
          names.includes(name),
          value,
          `The link fills ${name}, which is no parameter of ${next.name}`,
          "Name a parameter that it has",
        );
      }
    }
  },
};
