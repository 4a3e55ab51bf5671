import { type Happening, type Resource, type State, valuesFollowing } from "../../contract/index.ts";
import { changeProblem } from "../changes.ts";
import type { Check, Rule } from "../rule.ts";

export const resources: Rule = {
  name: "resources",
  states:
    "An entry of resources.yaml names operations, a status file and resources that exist. A state with a status file has exactly the values of its x-open-enum, each value can be reached from an initial one, and what happens outside is a step that the state allows.",
  why: "The effects of operations and the events rely on it, and a mock can run on it.",
  wrong: `
wallet:
  id: wallet
  states:
    status:
      initial: ordered
      transitions: { created: [closed] }`,
  right: `
wallet:
  id: wallet
  states:
    status:
      initial: ordered
      transitions: { ordered: [created], created: [closed] }`,
  judge({ model, operations }, check) {
    const operationIds = operations.map(({ operationId }) => operationId);
    for (const resource of model.resources) {
      const details = resource.place.own("details");
      for (const item of details.items()) {
        const problem = `There is no operation ${item.value}`;
        check(operationIds.includes(String(item.value)), item, problem, "Name the operationId of a lookup");
      }
      for (const state of resource.states) judgeState(state, check);
      for (const happening of resource.outside) judgeHappening(happening, model.resources, check);
    }
  },
};

function judgeState({ name, schema, values, moves, place }: State, check: Check): void {
  const file = place.own("schema");
  const remedy = "Name the file of a status with x-open-enum, relative to openapi/";
  check(values.length > 0, file, `There is no status with known values in ${file.value}`, remedy);
  if (values.length === 0) return;
  const reached = new Set(moves.initial.flatMap((value) => [value, ...valuesFollowing({ moves }, value)]));
  const named = new Set([...reached, ...Object.entries(moves.transitions).flatMap(([from, next]) => [from, ...next])]);
  for (const value of named) {
    check(
      values.includes(value),
      place,
      `${value} is no known value of ${schema}`,
      "Correct it, or add it to x-open-enum of the schema",
    );
  }
  for (const value of values) {
    check(
      reached.has(value),
      place,
      `The value ${value} of ${name} cannot be reached`,
      "Add it to initial or to the transitions of another value",
    );
  }
}

function judgeHappening({ creates, moves, state, to, place }: Happening, all: Resource[], check: Check): void {
  const change = creates ?? moves;
  if (change === undefined) return;
  const kind = creates === undefined ? "moves" : "creates";
  const problem = changeProblem(all, { kind, resource: change, state, to });
  check(problem === undefined, place, problem ?? "", "Correct the entry, or the states of the resource");
}
