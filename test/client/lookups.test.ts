import { describe, expect, it } from "vitest";
import { lookups } from "../../generated/client/lookups.ts";
import { found } from "../../scripts/base/index.ts";
import { lookupsSource } from "../../scripts/client/generate/files/lookups.ts";
import { type Contract, type OpenApiDocument, readContract } from "../../scripts/contract/model/index.ts";
import { copyOf, sources } from "../support/contract.ts";

/** What the compared members contain, from the descriptions of records and webhooks in the specification. */
const kinds = {
  amount: ["amount", "amountFrom"],
  currency: ["currency", "currency/currency", "currencyFrom", "currencyTo"],
  iban: ["destinationIban"],
  user: ["destinationExternalUserId", "externalUserId", "sourceExternalUserId", "user/externalUserId"],
  text: ["destination", "lockId", "transferTitle"],
};

const compared = Object.values(lookups).flatMap(({ records, webhook }) =>
  [...records, webhook].flatMap(({ compared }) => compared),
);

it("compares each member of a record or an event by the kind of its value", () => {
  const pathsByKind = Object.fromEntries(
    Object.keys(kinds).map((kind) => {
      const paths = compared.flatMap((member) => (member[2] === kind ? [member[0]] : []));
      return [kind, [...new Set(paths)].sort()];
    }),
  );
  expect(pathsByKind).toEqual(kinds);
});

it("lets only amounts with fees be larger than in the request", () => {
  const withFees = Object.values(lookups).flatMap(({ operation, records, webhook }) =>
    [...records, webhook].some((source) => source.compared.some(([, , , mayExceed]) => mayExceed))
      ? [operation.id]
      : [],
  );
  expect(withFees).toEqual(["createCryptoWithdrawal", "createPartnerCryptoWithdrawal"]);
  expect(compared.every(([, , kind, mayExceed]) => !mayExceed || kind === "amount")).toBe(true);
});

describe("in a contract with other members", () => {
  it("an amount is known by its schema", async () => {
    const document = await copyOf("test");
    for (const [schema, name] of [
      ["SepaTransferFields", "sum"],
      ["SepaTransferEvent", "total"],
    ] as const) {
      const { properties } = found(document.components?.schemas?.[schema], schema) as {
        properties: Record<string, unknown>;
      };
      properties[name] = properties.amount;
    }
    const lookup = lookupOf(withComparison(document, "createSepaTransfer", { total: "sum" }), "createSepaTransfer");
    expect(lookup).toContain('compared: [["total", "sum", "amount"]]');
  });

  it("an amount compared with a currency is refused", async () => {
    const document = withComparison(await copyOf("test"), "createTransfer", { currency: "amount" });
    expect(() => lookupOf(document, "createTransfer")).toThrow(
      /x-lookup\/\S+: currency and amount cannot be compared: one is of the kind currency, the other amount\./,
    );
  });
});

describe("a contract that does not say how a payment is found is refused:", () => {
  const operationIn = ({ operations }: Contract, id: string) =>
    found(
      operations.find(({ operationId }) => operationId === id),
      `operation ${id}`,
    );
  const resourceIn = ({ resources }: Contract, name: string) =>
    found(
      resources.find((resource) => resource.name === name),
      `resource ${name}`,
    );

  it.each<[problem: string, change: (contract: Contract) => void, message: string]>([
    [
      "an unknown webhook",
      (contract) => Object.assign(operationIn(contract, "createOrder").lookup?.webhook ?? {}, { name: "absent" }),
      "#/paths/~1v1~1order/post/x-lookup/webhook: There is no webhook absent.",
    ],
    [
      "a webhook without the id",
      ({ webhooks }) =>
        Object.assign(found(webhooks.find(({ name }) => name === "p2pTransfer")?.event, "event"), { body: {} }),
      "x-lookup/webhook: The body of the webhook p2pTransfer has no member transferId with the id.",
    ],
    [
      "an unknown list of records",
      (contract) =>
        Object.assign(operationIn(contract, "createTransfer").lookup?.records[0] ?? {}, { listOperationId: "absent" }),
      "#/paths/~1v1~1transfer/post/x-lookup/records/0: There is no operation absent.",
    ],
    [
      "an unknown resource",
      (contract) =>
        Object.assign(operationIn(contract, "createOrder").effects.find(({ kind }) => kind === "creates") ?? {}, {
          resource: "absent",
        }),
      "#/paths/~1v1~1order/post/x-effects/1: There is no resource absent.",
    ],
    [
      "an id from the request",
      (contract) =>
        Object.assign(operationIn(contract, "createOrder").effects.find(({ kind }) => kind === "creates") ?? {}, {
          id: "$request.body#/lockId",
        }),
      "The id of a payment is a member of the response, not $request.body#/lockId.",
    ],
    [
      "no operation with details",
      (contract) => void resourceIn(contract, "order").details.splice(0),
      "openapi/resources.yaml#/order/details: No operation is known that returns the payments of createOrder.",
    ],
    [
      "several operations with details and one tag",
      (contract) => Object.assign(operationIn(contract, "getPartnerExchangeDetails"), { tag: "Exchange" }),
      "openapi/resources.yaml#/exchange/details: No operation is known that returns the payments of createExchange. Name one, or several of which one has the tag Exchange.",
    ],
    [
      "details with two path parameters",
      (contract) => {
        const { parameters } = operationIn(contract, "getOrderDetails");
        parameters.push(...parameters.filter((parameter) => parameter.in === "path"));
      },
      "An operation that returns the details of a payment has one path parameter, the id.",
    ],
    [
      "a resource for records that is missing",
      ({ resources }) =>
        void resources.splice(
          resources.findIndex(({ name }) => name === "transaction"),
          1,
        ),
      "/x-lookup: There is no resource transaction.",
    ],
  ])("%s", async (_problem, change, message) => {
    const contract = contractIn(await copyOf("test"));
    change(contract);
    expect(() => lookupsSource(contract)).toThrow(message);
  });
});

it.each([
  ["TransferEvent", "status", /x-lookup\/webhook: The event p2pTransfer has no status, which payments read\./],
  ["TransactionRecord", "createdAt", /x-lookup\/records\/0: A record has no createdAt, which payments read\./],
  ["OrderDetails", "status", /order~1details~1\{orderId\}\/get: The response has no status, which payments read\./],
])("a contract is refused whose %s has another name for %s, which payments read", async (schema, name, message) => {
  const document = await copyOf("test");
  const { properties } = found(document.components?.schemas?.[schema], schema) as {
    properties: Record<string, unknown>;
  };
  properties[`other${name}`] = properties[name];
  delete properties[name];
  expect(() => lookupsSource(contractIn(document))).toThrow(message);
});

/** @param same the members of the event that are compared with the request. */
function withComparison(document: OpenApiDocument, operationId: string, same: Record<string, string>): OpenApiDocument {
  const { lookup } = found(
    contractIn(document).operations.find((operation) => operation.operationId === operationId),
    operationId,
  );
  Object.assign(found(lookup?.webhook, "webhook").location.value as object, { same });
  return document;
}

function lookupOf(document: OpenApiDocument, operationId: string): string | undefined {
  const lines = lookupsSource(contractIn(document)).split("\n");
  return lines.find((line) => line.startsWith(`  ${operationId}: `));
}

const contractIn = (document: OpenApiDocument) => readContract(document, sources.registers());
