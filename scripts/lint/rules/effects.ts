import { changeProblem, surenessProblem } from "../changes.ts";
import { expressionProblem } from "../expressions.ts";
import type { Rule } from "../rule.ts";

export const effects: Rule = {
  name: "effects",
  states:
    "An effect (`x-effects`) names a resource and a state of resources.yaml and values that the state can move to; its `id` names a parameter of the operation or a field of one of its bodies. One that names a value carries `provenance` where the state is not as sure as the operation.",
  why: "The docs show the effects, and a mock that runs on them must not reach a state that does not exist. The edition latest leaves out an effect by its own mark.",
  wrong: `
operationId: blockCard
x-effects:
  - { moves: card, id: $request.body#/cardId, to: LOCKED }`,
  right: `
operationId: blockCard
x-effects:
  - { moves: card, id: $request.body#/cardId, to: LOCKED_BY_USER }`,
  judge({ operations, model }, check) {
    for (const operation of operations) {
      for (const effect of operation.effects) {
        const problem = changeProblem(model.resources, effect);
        check(problem === undefined, effect.place, problem ?? "", "Name what openapi/resources.yaml has");
        const { provenance } = operation;
        const doubt =
          effect.to.length === 0 || provenance === undefined
            ? undefined
            : surenessProblem(model.resources, effect, provenance);
        check(doubt === undefined, effect.place, doubt ?? "", "Add `provenance` to the effect");
        const unresolved = expressionProblem(operation, effect.id);
        check(unresolved === undefined, effect.place.own("id"), unresolved ?? "", "Say where the identifier stands");
      }
    }
  },
};
