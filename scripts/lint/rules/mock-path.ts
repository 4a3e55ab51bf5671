import type { Rule } from "../rule.ts";

/** Where the mock's control interface begins (`openapi/mock-control.yaml`). */
export const mockPath = "/__mock";

export const mockPathRule: Rule = {
  name: "mock-path",
  states: `No path begins with \`${mockPath}\`.`,
  why: "The mock's control interface is there, on both addresses: an operation below it could not be called on the mock.",
  wrong: `
paths:
  /__mock/clock:
    $ref: paths/clock/getClock.yaml`,
  right: `
paths:
  /v1/clock:
    $ref: paths/clock/getClock.yaml`,
  judge({ operations }, check) {
    for (const { path, place } of operations) {
      check(
        !path.toLowerCase().startsWith(mockPath),
        place,
        `The path ${path} is one of the mock's control interface`,
        "Give the operation the path that it has in the service",
      );
    }
  },
};
