/** Bodies that are invalid as a whole, and which of several mistakes is reported. `codes/` tests invalid fields and parameters. */
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../scripts/contract/model/index.ts";
import { createMock } from "../../scripts/mock/host/mock.ts";
import { readPlanRegisters } from "../../scripts/mock/make-plan/index.ts";
import { planOf } from "../../scripts/mock/make-plan/make-plan.ts";
import type { Plan, PlanOperation } from "../../scripts/mock/plan/plan.ts";
import type { BodyViolationKind } from "../../scripts/mock/request/body.ts";
import { copyOf, sources } from "../support/contract.ts";
import { plan } from "../support/plan.ts";
import { exampleCall, makeFile, operationNamed, send, urlOf, withValues } from "./codes/calls.ts";

const make = (servedPlan: Plan) => createMock(servedPlan, { edition: "test", stateless: true });
const mock = make(plan);
const keyHeaders = { "x-api-key": mock.apiKey };

function sendBody(
  operation: PlanOperation,
  body: BodyInit | null,
  headers: Record<string, string> = {},
  targetMock = mock,
) {
  const url = urlOf(targetMock, exampleCall(operation, targetMock.apiKey));
  return targetMock.fetch(url, { method: operation.method, headers: { ...keyHeaders, ...headers }, body });
}

async function expectRefusal({ operationId, requestBody }: PlanOperation, kind: BodyViolationKind, response: Response) {
  const { invalidRequest } = requestBody ?? {};
  const text = await response.text();
  const { errorCode, errorMessage } = JSON.parse(text) as { errorCode?: string; errorMessage: string };
  const expectedCode =
    typeof invalidRequest === "object" ? (invalidRequest[kind] ?? invalidRequest.otherwise) : invalidRequest;
  expect([String(response.status), errorCode], `${operationId} ${kind} ${text}`).toContain(expectedCode);
  return errorMessage;
}

describe("every operation", () => {
  test("refuses a body that is missing, malformed, of another media type or not an object", async () => {
    const operationsWithBody = plan.operations.filter(({ requestBody }) => requestBody?.required);
    expect(operationsWithBody.length).toBeGreaterThan(0);
    for (const operation of operationsWithBody) {
      const type = operation.requestBody?.bodies[0]?.mediaType ?? "";
      const expectRefused = async (
        kind: BodyViolationKind,
        body: BodyInit | null,
        contentType = type,
        extraHeaders = {},
      ) =>
        expectRefusal(
          operation,
          kind,
          await sendBody(operation, body, { "content-type": contentType, ...extraHeaders }),
        );
      await expectRefused("missing", null);
      await expectRefused("mediaType", "<a/>", "application/xml");
      await expectRefused("mediaType", "a=b", "nonsense");
      await expectRefused("mediaType", new Uint8Array([1, 2]), "");
      await expectRefused("mediaType", "{}", `${type}; charset=utf-16`);
      await expectRefused("mediaType", "{}", type, { "content-encoding": "gzip" });
      await expectRefused("otherwise", '{"a":');
      await expectRefused("otherwise", new Uint8Array([0xc3, 0x28]));
      for (const text of ["null", "false", "0", '""', "[]", '"text"', "7"]) await expectRefused("otherwise", text);
    }
  });

  test("refuses every file part of a wrong media type, whatever its size, and a body without parts", async () => {
    for (const operation of plan.operations) {
      const body = operation.requestBody?.bodies.find(({ mediaType }) => mediaType === "multipart/form-data");
      if (body === undefined) continue;
      const nullParts = Object.fromEntries(body.parts.map((name) => [name, null]));
      const sendPart = (name: string, value: unknown) =>
        send(mock, withValues(exampleCall(operation, mock.apiKey), { ...nullParts, [name]: value }));
      for (const [name, acceptedTypes] of Object.entries(body.partTypes)) {
        for (const type of acceptedTypes) expect((await sendPart(name, makeFile(type))).status).toBeLessThan(300);
        for (const wrongFile of [makeFile("text/plain"), makeFile(""), "x"]) {
          expect(await expectRefusal(operation, "mediaType", await sendPart(name, wrongFile))).toContain(name);
        }
      }
      for (const [name, limit] of Object.entries(body.maxBytes)) {
        const largestFile = new File([new Uint8Array(limit)], "a", { type: body.partTypes[name]?.[0] ?? "" });
        expect((await sendPart(name, largestFile)).status).toBeLessThan(300);
      }
      const emptyResponse = await sendBody(operation, "--b--\r\n", {
        "content-type": "multipart/form-data; boundary=b",
      });
      await expectRefusal(operation, "otherwise", emptyResponse);
    }
  });
});

test("reports a missing key first, then missing members of the body", async () => {
  const operation = operationNamed(plan, "addUserVerification");
  const wrongBody = [JSON.stringify({ documentType: "LIBRARY_CARD" }), { "content-type": "application/json" }] as const;
  expect((await sendBody(operation, wrongBody[0], { ...wrongBody[1], "x-api-key": "" })).status).toBe(401);
  expect(await expectRefusal(operation, "missing", await sendBody(operation, ...wrongBody))).toMatch(/; and \d+ more$/);
});

test("returns the documented message of a response without a P-code", async () => {
  const call = exampleCall(operationNamed(plan, "getCryptoDepositDetails"), mock.apiKey, { externalId: "nonsense" });
  expect(await (await send(mock, call)).json()).toMatchObject({ errorMessage: "Transaction not found" });
});

test("accepts additional properties", async () => {
  const call = exampleCall(operationNamed(plan, "createOrderRateLock"), mock.apiKey);
  expect((await send(mock, withValues(call, { more: { a: 1 }, constructor: 1 }))).status).toBe(201);
});

test("counts the length of a file part in bytes", async () => {
  const document = await copyOf("test");
  const filesSchema = document.components?.schemas?.KycFilesRequest as { properties: Record<string, JsonSchema> };
  filesSchema.properties.front_id = { type: "string", maxLength: 3 };
  const changedPlan = planOf({ document, registers: readPlanRegisters(sources) });
  const call = exampleCall(operationNamed(changedPlan, "addKycFiles"), mock.apiKey);
  const statusOf = async (bytes: number[]) => {
    const front_id = new File([new Uint8Array(bytes)], "a.png", { type: "image/png" });
    return (await send(make(changedPlan), withValues(call, { front_id, back_id: null, selfie: null }))).status;
  };
  expect([await statusOf([0xc3, 0xa4, 0xff]), await statusOf([0xc3, 0xa4, 0xff, 0xfe])]).toEqual([201, 400]);
});

test("validates a body by the schema of its media type", async () => {
  const document = await copyOf("test");
  const item = document.paths["/v1/order/lock-rate"]?.post as { requestBody: { content: Record<string, object> } };
  item.requestBody.content = {
    "text/plain": { schema: { type: "string", maxLength: 3 } },
    ...item.requestBody.content,
  };
  const changedPlan = planOf({ document, registers: readPlanRegisters(sources) });
  const statusOf = async (type: string, body: string) =>
    (
      await sendBody(
        operationNamed(changedPlan, "createOrderRateLock"),
        body,
        { "content-type": type },
        make(changedPlan),
      )
    ).status;
  expect(await statusOf("text/plain", "abc")).toBe(201);
  expect(await statusOf("text/plain", "abcd")).toBe(400);
  expect(await statusOf("application/json", '{"currency":"btc","amount":"1","network":"btc"}')).toBe(201);
  expect(await statusOf("application/json", '{"currency":"btc","amount":"x","network":"btc"}')).toBe(400);
  expect(await statusOf("application/xml", "<a/>")).toBe(400);
});
