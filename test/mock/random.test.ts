/** Any request: none ends the mock, and none makes it send an answer that the contract does not document. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { readContract } from "../../scripts/contract/index.ts";
import { startMock } from "../../scripts/mock/mock.ts";
import { makeService } from "../../scripts/mock/service.ts";
import { loadPlan } from "../../scripts/plan/index.ts";
import { contractOf } from "../support/contract.ts";
import { dereference } from "../support/schema.ts";
import { anyBytes, nearRequests } from "./any-request.ts";
import { sendBytes } from "./raw-http.ts";
import { undocumentedIn } from "./support.ts";

const plan = await loadPlan();

test.each([true, false])(
  "a request to an operation gets an answer that is documented for it; stateless: %s",
  async (isStateless) => {
    const { operations } = readContract(dereference((await contractOf("test")).document));
    const { handle, tenants, close } = makeService({ plan, edition: "test", seed: "s", isStateless, urlOf: () => "" });
    const property = fc.asyncProperty(nearRequests(plan.operations), async ({ address, request }) => {
      const { template, status, headers, body } = await handle(address, request);
      const contentType = headers["content-type"] ?? null;
      const method = request.method === "HEAD" ? "GET" : request.method;
      const found = operations.find(
        (one) => one.path === template && one.address === address && one.method.toUpperCase() === method,
      );
      if (found === undefined) expect([204, 404, 405]).toContain(status);
      else expect(undocumentedIn(found, Number(status), contentType, body)).toEqual([]);
    });
    await fc.assert(property, { numRuns: 300 });
    expect(tenants.size).toBeGreaterThan(0);
    close();
  },
);

test("bytes on its port leave it alive, and get no failure of its own", async () => {
  const failures: string[] = [];
  const onRequest = ({ status, notes }: { status: number | "drop"; notes: readonly string[] }) => {
    if (Number(status) >= 500) failures.push(notes.join());
  };
  const mock = await startMock(plan, { edition: "test", onRequest }, { bodyTimeout: 200, headersTimeout: 200 });
  const property = fc.asyncProperty(anyBytes(plan.operations), async ({ bytes, abort }) => {
    expect(await sendBytes(mock.url, bytes, { abort })).not.toMatch(/HTTP\/1\.1 5\d\d /);
  });
  await fc.assert(property, { numRuns: 100 });
  expect([failures, (await fetch(`${mock.url}/__mock/health`)).status]).toEqual([[], 200]);
  await mock.close();
});
