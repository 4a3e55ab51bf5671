import { expect, it } from "vitest";
import { editableFields } from "../../scripts/site/components/editable-fields.ts";
import { contractOf } from "../support/contract.ts";

const fieldsOf = async (id: string) => {
  const { operations } = await contractOf("test");
  return editableFields(operations.find(({ operationId }) => operationId === id) as never);
};

it("lists the parameters and the members of the body with type, presence, known values and pattern", async () => {
  expect(await fieldsOf("createTransfer")).toContainEqual({
    place: "body",
    name: "amount",
    type: "string or number",
    jsonTypes: ["string", "number"],
    isRequired: true,
    pattern: expect.any(String),
  });
  const withdrawalFields = await fieldsOf("createCryptoWithdrawal");
  expect(withdrawalFields.find(({ name }) => name === "walletType")?.values).toContain("NON_CUSTODIAL");
  expect(await fieldsOf("createUserAccount")).toContainEqual(
    expect.objectContaining({ name: "birthDate", type: "string (date)", jsonTypes: ["string"], format: "date" }),
  );
  expect(await fieldsOf("getUserTransactionHistory")).toContainEqual(
    expect.objectContaining({ place: "path", name: "externalUserId", isRequired: true }),
  );
});
