import { describe, expect, it } from "vitest";
import { createMock } from "../../scripts/mock/host/mock.ts";
import { plan } from "../support/plan.ts";
import { exampleCall, operationNamed, send } from "./codes/calls.ts";

const mock = createMock(plan, { clock: "2026-04-01T07:00:00.000Z", edition: "test" });

async function readRefusalMessage(operationId: string, body: object): Promise<string> {
  const call = exampleCall(operationNamed(plan, operationId), mock.apiKey);
  const response = await send(mock, { ...call, body: body as Record<string, unknown> });
  return ((await response.json()) as { errorMessage?: string }).errorMessage ?? "";
}

const exchange = { externalUserId: "user-1", currencyFrom: "eur", currencyTo: "usdc", lockId: "7" };
const kyc = { externalUserId: "user-1", documentType: "PASSPORT", country: "DE", incomeSource: "SALARY" };
const card = { externalUserId: "user-1", label: "It", pin: "12" };

describe("the message of a refusal", () => {
  it.each([
    [
      "createVirtualCard",
      card,
      "body: label must have at least 3 characters; body: pin must match the pattern ^\\d{4}$",
    ],
    [
      "createExchange",
      { ...exchange, amount: "x", currencyTo: 7 },
      "body: amount must match the pattern ^-?\\d+(\\.\\d+)?$, or be a number; body: currencyTo must be a text; body: lockId must be a UUID",
    ],
    [
      "createTransfer",
      { amount: "1.00", currency: "eur" },
      "sourceExternalUserId or destinationExternalUserId is required",
    ],
    ["createKycVerification", kyc, "body: occupation is required; body: additionalInfo is required"],
    ["createKycVerification", { ...kyc, incomeSource: "BUSINESS_ACTIVITY" }, "body: taxId is required"],
    ["addUserVerification", { documentType: "VISA" }, "body: documentType must be one of ID_CARD, PASSPORT"],
    ["addUserVerification", { documentExpirationDate: "soon" }, "must be a date, such as 2026-04-01"],
    ["createUserAccount", { email: "x" }, "body: email must be an e-mail address"],
  ])("of %s for %j names the violated rules in plain words", async (operationId, body, message) => {
    const [example] = Object.values(operationNamed(plan, operationId).requestBody?.bodies[0]?.examples ?? {});
    const isMergedWithExample = ["addUserVerification", "createUserAccount"].includes(operationId);
    const actualMessage = await readRefusalMessage(
      operationId,
      isMergedWithExample ? { ...(example as object), ...body } : body,
    );
    for (const part of message.split("; ")) expect(actualMessage).toContain(part);
    expect(actualMessage).not.toMatch(/schema|then|else/);
  });

  it("never is the message of the validator", async () => {
    for (const { operationId, requestBody } of plan.operations) {
      const [body] = requestBody?.bodies ?? [];
      if (body === undefined || !body.mediaType.includes("json")) continue;
      for (const example of Object.values(body.examples).slice(0, 1) as Record<string, unknown>[]) {
        for (const name of Object.keys(example)) {
          for (const value of [undefined, "", {}]) {
            const message = await readRefusalMessage(operationId, { ...example, [name]: value });
            expect(message, `${operationId} ${name}`).not.toMatch(
              /must NOT|in anyOf|"then"|"else"|required property|must be (string|number)/,
            );
          }
        }
      }
    }
  });
});
