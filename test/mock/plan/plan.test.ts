import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { contractFile, planFile } from "../../../scripts/base/index.ts";
import type { Contract } from "../../../scripts/contract/model/index.ts";
import { diskFiles, Sources } from "../../../scripts/contract/sources/index.ts";
import { loadPlan, readPlanRegisters } from "../../../scripts/mock/make-plan/index.ts";
import { planOf } from "../../../scripts/mock/make-plan/make-plan.ts";
import type { FormDescription } from "../../../scripts/mock/page/frame.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { contractOf, documentOf, sources } from "../../support/contract.ts";

describe("the plan", () => {
  let plan: Plan;
  // A newly made plan, because the loaded plan can be from an earlier build.
  let newPlan: Plan;
  let contract: Contract;
  beforeAll(async () => {
    plan = await loadPlan();
    newPlan = planOf({ document: await documentOf("test"), registers: readPlanRegisters(sources) });
    contract = await contractOf("test");
  });

  test("has the operations, webhooks and codes of the contract", () => {
    const idsOf = (operations: readonly { operationId: string }[]) => operations.map(({ operationId }) => operationId);
    expect(idsOf(plan.operations)).toEqual(idsOf(contract.operations));
    expect(plan.webhooks.map(({ name }) => name)).toEqual(contract.webhooks.map(({ name }) => name));
    expect(Object.keys(plan.codes)).toEqual(contract.errorCodes.map(({ code }) => code));
    for (const { code, example } of Object.values(plan.codes)) expect(example.errorCode).toBe(code);
  });

  test("has response validators that tell the documented responses from a number", () => {
    for (const { operationId, responses, responseValidators } of plan.operations) {
      for (const { status, mediaType, body } of responses) {
        const validator = responseValidators[`${status} ${mediaType}`];
        expect(validator?.(mediaType === "application/json" ? JSON.parse(body) : body), operationId).toBe(true);
        expect(validator?.(7), `${operationId} ${status}`).toBe(false);
      }
    }
  });

  test("has validators of requests and webhooks that tell their examples from a string", () => {
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

  test("lists the assumptions of a response: marks of the operation, the response and the code", () => {
    for (const { operationId, assumes } of newPlan.operations) {
      const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
      const marks = Object.values(assumes).flat();
      if (operation?.provenance === "proposed") expect(marks).toContain("proposed");
      for (const question of operation?.openQuestions ?? []) expect(marks).toContain(question);
      expect(marks.filter((mark) => mark !== "proposed" && !mark.startsWith("Q-"))).toEqual([]);
      // The specification states the P-codes of Create User Account, so none of them is proposed.
      if (operationId === "createUserAccount") expect(marks).not.toContain("proposed");
    }
  });

  test("lists the operations of the edition latest", async () => {
    const { operations } = await contractOf("latest");
    const latestOperations = newPlan.operations.filter(({ editions }) => editions.includes("latest"));
    expect(latestOperations.map(({ operationId }) => operationId)).toEqual(
      operations.map(({ operationId }) => operationId),
    );
    expect(plan.operations.filter(({ editions }) => !editions.includes("test"))).toEqual([]);
  });

  test("has the fields of the control interface, with their formats and complete lists of values", () => {
    const fieldsOf = (id: string) =>
      (newPlan.control.find(({ operationId }) => operationId === id)?.fields ?? []).map(
        ({ name, isRequired, form, values, isText }) => [name, isRequired, form, values, isText],
      );
    const flag = [false, "true or false", ["true", "false"], false];
    expect(fieldsOf("makeUser")).toEqual([
      ["externalUserId", true, "a text", [], true],
      ...["verified", "extended", "suspended"].map((name) => [name, ...flag]),
      ["funds.<name>", false, 'an amount such as "100.00"', [], true],
      ["attributes.<name>", false, "", [], undefined],
    ]);
    expect(fieldsOf("setClock").slice(2)).toEqual([
      ["freeze", false, "true or a text or a number", [], true],
      ["run", false, "true", ["true"], false],
    ]);
    const deliver = fieldsOf("addFault").find(([name]) => name === "deliver");
    expect(deliver?.slice(3)).toEqual([["never", "twice", "late", "reversed"], true]);
    const forms = JSON.parse(newPlan.pages["/__mock/forms.json"]?.text ?? "") as FormDescription[];
    expect(forms.filter(({ takesDocument }) => takesDocument).map(({ operationId }) => operationId)).toEqual([
      "putState",
    ]);
  });

  test("is a module that imports only the decompression of node:zlib", () => {
    const text = readFileSync(planFile, "utf8");
    // Only statements are matched: Ajv also has `require` in the texts of generated code.
    const imports = text.match(/[^'"]\brequire\(|(?<=^|[;}\n])import[\s"{*][^;]*/g);
    expect(imports).toEqual([expect.stringMatching(/^import\{\w+ as \w+\}from"node:zlib"$/)]);
    expect(text.length).toBeLessThan(740_000);
  });

  test("equals the loaded plan when it is made in memory", () => {
    const operationsText = (plan: Pick<Plan, "operations">) =>
      JSON.stringify(plan.operations.map(({ requires, ...rest }) => rest));
    expect(operationsText(newPlan)).toBe(operationsText(plan));
    for (const [index, { requestBody }] of newPlan.operations.entries()) {
      for (const [bodyIndex, { validator }] of requestBody?.bodies.entries() ?? []) {
        const compiledValidator = plan.operations[index]?.requestBody?.bodies[bodyIndex]?.validator;
        expect([validator({}), validator.errors]).toEqual([compiledValidator?.({}), compiledValidator?.errors ?? null]);
      }
    }
  });
});

test.each([
  ["\ndeletion:", "\ndeltion:", /mock.yaml:\d+:1: #\/deltion is not a property of the schema. Did you mean deletion\?/],
  [
    "  Neither: { webhooks:",
    "  Neither: [webhooks] #",
    /answers.yaml:\d+:3: #\/Q-webhook-authentication\/Neither must be object/,
  ],
])(
  "mock.yaml and answers.yaml are read only if they have their form: not with %j replaced by %j",
  (text, edit, problem) => {
    const read = (file: string) => readFileSync(file, "utf8").replace(text, edit);
    expect(() => readPlanRegisters(new Sources(contractFile, { ...diskFiles, read }))).toThrow(problem);
  },
);
