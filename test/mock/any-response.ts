import fc from "fast-check";
import { expect } from "vitest";
import { type JsonSchema, type Operation, readContract } from "../../scripts/contract/model/index.ts";
import { makeService } from "../../scripts/mock/host/service.ts";
import { contractOf } from "../support/contract.ts";
import { plan } from "../support/plan.ts";
import { dereference, violations } from "../support/schema.ts";
import { nearlyValidRequests } from "./any-request.ts";

/** Does not use the mock's validators. */
function documentationProblems(
  { responses }: Operation,
  status: number,
  contentType: string | null,
  text: string,
): string[] {
  const response = responses.find((candidate) => candidate.status === status);
  if (response === undefined) return [`status ${status}`];
  const body = response.bodies.find(({ mediaType }) => mediaType === contentType);
  if (body === undefined) return response.bodies.length === 0 && text === "" ? [] : [`content type ${contentType}`];
  return violations(body.schema.value as JsonSchema, contentType === "application/json" ? JSON.parse(text) : text);
}

export async function expectDocumentedResponses(isStateless: boolean, numRuns: number): Promise<void> {
  const { operations } = readContract(dereference((await contractOf("test")).document));
  const service = makeService({ plan, edition: "test", seed: "s", stateless: isStateless, urlOf: () => "" });
  const property = fc.asyncProperty(nearlyValidRequests(plan.operations), async ({ address, request }) => {
    const { template, status, headers, body } = await service.handle(address, request);
    const contentType = headers["content-type"] ?? null;
    const method = request.method === "HEAD" ? "GET" : request.method;
    const documentedOperation = operations.find(
      (candidate) =>
        candidate.path === template && candidate.address === address && candidate.method.toUpperCase() === method,
    );
    if (documentedOperation === undefined) expect([204, 404, 405]).toContain(status);
    else expect(documentationProblems(documentedOperation, Number(status), contentType, body)).toEqual([]);
  });
  await fc.assert(property, { numRuns });
  expect(service.tenants.size > 0).toBe(!isStateless);
  service.close();
}
