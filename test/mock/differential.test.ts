/**
 * The compiled engine answers as Prism does: the same status, headers and body for random requests. What differs on purpose is
 * decided before either of them is asked (numbers that are none, JSON that is nested too deeply), or takes a text of several
 * megabytes, at which Prism accepts whatever a validator fails on.
 */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { type Answerer, type MockReply, makeAnswerer, type Source } from "../../scripts/mock/answer/answer.ts";
import type { Engine } from "../../scripts/mock/answer/engine.ts";
import { builtSource, prismSource } from "../../scripts/plan/index.ts";
import { type NearRequest, nearRequests } from "./near-requests.ts";
import { testDocument } from "./support.ts";

let compiled: Source;
let prism: Source;
beforeAll(async () => {
  [compiled, prism] = await Promise.all([builtSource("test"), prismSource({ document: testDocument() })]);
});

const answererOf = (source: Source) => makeAnswerer({ ...source, urlOf: (address) => `http://${address}.example` });

/** The time of a refusal is that of the answer. */
function withoutTime({ body, ...reply }: MockReply): object {
  return { ...reply, body: body.replace(/"timestamp":"[^"]*"/, "") };
}

async function compare(answers: readonly Answerer[], { address, request }: NearRequest): Promise<void> {
  const [first, second] = await Promise.all(answers.map((answer) => answer(address, request)));
  expect(withoutTime(first as MockReply)).toEqual(withoutTime(second as MockReply));
}

test("random requests are answered alike", async () => {
  const answers = [answererOf(compiled), answererOf(prism)];
  const seen = new Set<string>();
  const property = fc.asyncProperty(nearRequests(compiled.plan.operations), async (near) => {
    await compare(answers, near);
    const reply = await answers[0]?.(near.address, near.request);
    seen.add(`${reply?.template} ${reply?.status} ${reply?.code}`);
  });
  await fc.assert(property, { numRuns: 2000 });
  // The requests reach successes and refusals of most operations.
  expect(seen.size).toBeGreaterThan(150);
});

test("every documented answer is the same", async () => {
  const answers = [answererOf(compiled), answererOf(prism)];
  for (const operation of compiled.plan.operations) {
    for (const { status, example } of operation.answers) {
      const path = operation.path.replace(/\{[^}]+\}/g, "x");
      const headers = { prefer: `code=${status}${example === undefined ? "" : `, example=${example}`}` };
      const body = { bytes: Buffer.alloc(0), tooLarge: false };
      const request = { method: operation.method, path, query: new URLSearchParams(), headers, body };
      await compare(answers, { address: operation.address, request });
    }
  }
});

test("a validator that says something else is noticed", async () => {
  const lenient: Engine = {
    ...compiled.engine,
    findViolations: async (operation, request) =>
      (await compiled.engine.findViolations(operation, request)).filter(
        (violation) => !("message" in violation && violation.message.includes("must match pattern")),
      ),
  };
  const answers = [answererOf({ ...compiled, engine: lenient }), answererOf(prism)];
  const property = fc.asyncProperty(nearRequests(compiled.plan.operations), (near) => compare(answers, near));
  await expect(fc.assert(property, { numRuns: 3000, endOnFailure: true })).rejects.toThrow("Property failed");
});
