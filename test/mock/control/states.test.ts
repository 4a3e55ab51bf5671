/** A modified state is refused with one line, or it is accepted and no read of it gets a 500. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { createMock } from "../../../scripts/mock/host/mock.ts";
import { plan } from "../../support/plan.ts";
import { exampleCall, send } from "../codes/calls.ts";

type State = ReturnType<ReturnType<typeof createMock>["state"]>;

const mock = createMock(plan, { scenario: true, edition: "test", clock: "2026-06-01T09:00:00Z" });
mock.users.create("a", { verified: true, funds: { eur: "50.00" } });
const state = mock.state();
const posting = { reference: "x", at: 0, from: "outside", to: "user a", currency: "eur", units: "100" };
const indexOfEntity = (resource: string) => state.entities.findIndex((entity) => entity.resource === resource);

function withValue(path: string, value: unknown): State {
  const copy = structuredClone(state);
  const names = path.split(".");
  const lastName = names.pop() as string;
  const parent = names.reduce((node: unknown, name) => (node as Record<string, unknown>)[name], copy) as Record<
    string,
    unknown
  >;
  if (value === undefined) delete parent[lastName];
  else parent[lastName] = value;
  return copy;
}

function expectRefusal(wrongState: State, message: string): void {
  mock.restore(state);
  expect(() => mock.restore(wrongState)).toThrow(message);
  expect(mock.state()).toEqual(state);
}

const overdraft = { ...posting, from: "user a", to: "outside", units: "9999999" };
const jobForNobody = { name: "endTransfer", due: 0, about: { transferId: "nope" } };

it.each<[string, Partial<State>, string]>([
  [
    "money from nobody",
    { postings: [...state.postings, { ...posting, from: "user nobody" }] },
    "postings: x: there is no account user nobody.",
  ],
  [
    "an unknown currency",
    { postings: [...state.postings, { ...posting, currency: "xyz" }] },
    "postings: x: there is no currency xyz.",
  ],
  ["an overdraft", { postings: [...state.postings, overdraft] }, "postings: user a has spent more eur than it had."],
  ["a job for nobody", { jobs: [jobForNobody] }, "jobs: one cannot be run: There is no transfer nope."],
  ["a claim of nobody", { claims: [["email x@y.example", "nobody"]] }, "claims: email x@y.example: there is no user"],
])("%s is refused with the reason, and nothing changes", (_, change, message) => {
  expectRefusal({ ...state, ...change }, message);
});

it.each([
  ["card", "owner", "nobody", "there is no user nobody, its owner."],
  ["sepaTransfer", "data.transactionId", "nope", "transactionId: there is no transaction nope."],
  ["user", "data.attributes", undefined, "attributes must be an object."],
  ["user", "data.attributes.email", 7, "attributes.email must be string."],
  ["user", "data.attempts", -1, "attempts must be a whole number from 0."],
  ["user", "data.files", [5], "files must be a list of texts."],
  ["exchangeLock", "data.rate", "0.0", "rate must be a decimal string above zero."],
  ["card", "data.cvv", "12", `getCardDetails of ${state.entities[indexOfEntity("card")]?.owner}`],
])("a %s with the %s %j is refused with the reason, and nothing changes", (resource, field, value, message) => {
  expectRefusal(withValue(`entities.${indexOfEntity(resource)}.${field}`, value), message);
});

it("a record can have any time of the clock's range, and no other", () => {
  const restoreAt = (time: number) => mock.restore(withValue(`entities.${indexOfEntity("wallet")}.createdAt`, time));
  for (const time of [0, Date.UTC(9999, 11, 31)]) restoreAt(time);
  for (const time of [-1, Date.UTC(9999, 11, 31) + 1]) {
    expect(() => restoreAt(time)).toThrow("createdAt must be a time in milliseconds since 1970.");
  }
});

function pathsIn(value: unknown, prefix = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [`${prefix}${name}`, ...pathsIn(part, `${prefix}${name}.`)]);
}
const paths = pathsIn(state);
const values = fc.constantFrom(undefined, null, "", "x", "0", 0, -1, 1e300, true, [], {}, ["x"], { x: "x" });
const readOperations = plan.operations.filter(({ method }) => method === "GET");

it("a state with any one value changed is refused in one line, or all reads of it work", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), values, async (path, value) => {
      try {
        mock.restore(withValue(path, value));
      } catch (error) {
        expect((error as Error).name).toBe("ControlError");
        expect((error as Error).message).not.toContain("\n");
        return;
      }
      const readAll = async () => {
        for (const operation of readOperations) {
          const response = await send(mock, exampleCall(operation, mock.apiKey));
          const text = await response.text();
          expect(
            response.status,
            `${operation.operationId} after ${path} = ${JSON.stringify(value)}: ${text}`,
          ).toBeLessThan(500);
        }
      };
      await readAll();
      await mock.clock.advance("3 days");
      await readAll();
    }),
    { numRuns: Number(process.env.STATE_RUNS ?? 20) },
  );
});
