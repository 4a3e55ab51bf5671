import { describe, expect, it } from "vitest";
import { lookups } from "../../generated/client/lookups.ts";
import { lookupsSource } from "../../scripts/client/generate/lookups.ts";
import { found, type OpenApiDocument, readContract } from "../../scripts/contract/model/index.ts";
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
    [...records, webhook].some((one) => one.compared.some(([, , , mayExceed]) => mayExceed)) ? [operation.id] : [],
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
      "currency and amount in x-lookup cannot be compared: one is of the kind currency, the other amount.",
    );
  });
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
