/** The plans of both editions: complete, valid by their own validators, and in need of nothing when they are loaded. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { type Contract, editions, readContract } from "../../scripts/contract/index.ts";
import type { Plan } from "../../scripts/mock/plan/plan.ts";
import { builtSource, compiledSource, planFile, readBundle } from "../../scripts/plan/index.ts";

const bodyOf = (text: string, mediaType: string | undefined): unknown =>
  mediaType === "application/json" ? JSON.parse(text) : text;

describe.each(editions)("edition %s", (edition) => {
  let plan: Plan;
  let contract: Contract;
  beforeAll(async () => {
    ({ plan } = await builtSource(edition));
    contract = readContract(readBundle(edition));
  });

  test("has the operations, webhooks and codes of the bundle", () => {
    const ids = (all: readonly { operationId: string }[]) => all.map(({ operationId }) => operationId);
    expect(ids(plan.operations)).toEqual(ids(contract.operations));
    expect(plan.webhooks.map(({ name }) => name)).toEqual(contract.webhooks.map(({ name }) => name));
    expect(Object.keys(plan.codes)).toEqual(contract.errorCodes.map(({ code }) => code));
    for (const { code, example } of Object.values(plan.codes)) expect(example.errorCode).toBe(code);
  });

  test("has every documented answer with the body of its example, which its validator accepts", () => {
    for (const operation of contract.operations) {
      const planned = plan.operations.find(({ operationId }) => operationId === operation.operationId);
      const examples = operation.answers.flatMap(({ status, bodies }) =>
        bodies.flatMap((body) => body.examples.map(({ name, value }) => ({ status, name, value }))),
      );
      const answers = planned?.answers.map(({ status, example, mediaType, body }) => ({
        ...{ status, name: example },
        value: bodyOf(body, mediaType),
      }));
      expect(answers, operation.operationId).toEqual(examples);
      for (const { status, mediaType, body } of planned?.answers ?? []) {
        const validator = planned?.answerValidators[`${status} ${mediaType}`];
        expect(validator?.(bodyOf(body, mediaType)), `${operation.operationId} ${status}`).toBe(true);
        expect(validator?.(7), `${operation.operationId} ${status}`).toBe(false);
      }
    }
  });

  test("accepts the examples of requests and webhooks, and no body that is a text", () => {
    for (const { requestBody } of plan.operations) {
      for (const { mediaType, validator, examples } of requestBody?.bodies ?? []) {
        if (mediaType === "application/json") {
          for (const example of Object.values(examples)) expect(validator(example)).toBe(true);
        }
        expect(validator("text")).toBe(false);
      }
    }
    for (const { name, validator, examples } of plan.webhooks) {
      for (const example of Object.values(examples)) expect(validator(example), name).toBe(true);
      expect(validator("text"), name).toBe(false);
    }
  });

  test("names what an answer rests on: marks of the operation, the answer and the code", () => {
    for (const { operationId, assumes } of plan.operations) {
      const operation = contract.operations.find((one) => one.operationId === operationId);
      const marks = Object.values(assumes).flat();
      if (operation?.provenance === "proposed") expect(marks).toContain("proposed");
      for (const question of operation?.openQuestions ?? []) expect(marks).toContain(question);
      expect(marks.filter((mark) => mark !== "proposed" && !mark.startsWith("Q-"))).toEqual([]);
    }
    if (edition === "latest")
      expect(JSON.stringify(plan.operations.map(({ assumes }) => assumes))).not.toContain("proposed");
  });

  test("knows which editions have an operation, and what only others have", () => {
    for (const { editions: having } of [...plan.operations, ...plan.absent]) expect(having).toContain("test");
    for (const { editions: having } of plan.operations) expect(having).toContain(edition);
    for (const { editions: having } of plan.absent) expect(having).not.toContain(edition);
    expect(plan.absent.length > 0).toBe(edition === "latest");
  });

  test("knows which editions have the path of a webhook", () => {
    for (const { name, path, pathEditions } of plan.webhooks) {
      expect(pathEditions.includes(edition), name).toBe(path !== "");
      if (edition === "latest" && path !== "") expect(pathEditions, name).toEqual(["latest", "test"]);
    }
    const editionsOf = (wanted: string) => plan.webhooks.find(({ name }) => name === wanted)?.pathEditions;
    expect(editionsOf("p2pTransfer")).toEqual(["latest", "test"]);
    if (edition === "test") expect(editionsOf("kycVerificationStatus")).toEqual(["test"]);
  });

  test("the scenario has the bodies that its steps name, where the edition has all of its operations", () => {
    expect(plan.scenario === null).toBe(edition === "latest");
    if (plan.scenario === null) return;
    const { timeline } = plan.scenario as { timeline: { operation?: string; request?: string; body?: unknown }[] };
    const known = new Set(plan.operations.map(({ operationId }) => operationId));
    const named = timeline.filter(({ operation = "", request }) => known.has(operation) && request !== undefined);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ body }) => body === undefined)).toEqual([]);
  });

  test("its module imports nothing", () => {
    const text = readFileSync(planFile(edition), "utf8");
    // Ajv keeps `require` in texts of which it makes code.
    expect(/[^'"]\brequire\(|(^|[;}\n])import[\s"{*]/.test(text)).toBe(false);
    expect(text.length).toBeLessThan(1_000_000);
  });
});

test("a changed document gives another plan, and the same one gives the plan of before", async () => {
  const document = (summary: string) => ({
    ...{ openapi: "3.1.0", info: { title: "Small", version: "1" }, servers: [{ url: "{base_url}" }] },
    paths: { "/sum": { get: { operationId: "getSum", summary, responses: { "200": { description: "OK" } } } } },
  });
  const planOf = async (summary: string) => (await compiledSource({ document: document(summary) })).plan;
  const first = await planOf("One");
  expect(first.operations.map(({ summary }) => summary)).toEqual(["One"]);
  expect(await planOf("One")).toBe(first);
  expect((await planOf("Two")).operations.map(({ summary }) => summary)).toEqual(["Two"]);
});
