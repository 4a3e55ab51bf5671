/** What the compiler knows of the client. Checked by `vitest --typecheck`. */
import {
  type CallData,
  type CallError,
  createPartnerClient,
  type Decimal,
  type ErrorCodeOf,
  type operations,
  type PartnerApiError,
  type TransactionRecord,
  type UnlistedValue,
  unwrap,
} from "partner-wallet-api";
import type { WebhookEvents } from "partner-wallet-api/webhooks";
import { describe, expectTypeOf, it } from "vitest";

const client = createPartnerClient({
  baseUrl: "https://a.example",
  depositBaseUrl: "https://b.example",
  apiKey: "key",
});
type Codes<Name extends keyof operations> = ErrorCodeOf<operations[Name]>;

describe("codes", () => {
  it("are exactly those of the operation", () => {
    expectTypeOf<Codes<"createUserAccount">>().toEqualTypeOf<
      "P403" | "P411" | "P431" | "P464" | "P465" | "P500" | "P501"
    >();
    expectTypeOf<Codes<"listUserCards">>().toEqualTypeOf<"P459" | "P461" | "P500" | "P501">();
    expectTypeOf<Codes<"getCryptoDepositDetails">>().toEqualTypeOf<never>();
  });

  it("narrow the error", async () => {
    const { error } = await client.createUserAccount({ body: newUser });
    if (error?.errorCode === "P411") {
      expectTypeOf(error.status).toEqualTypeOf<400>();
      expectTypeOf(error.kind).toEqualTypeOf<"code">();
      expectTypeOf(error.errorMessage).toEqualTypeOf<string>();
    }
    // @ts-expect-error P412 is no code of this operation
    if (error?.errorCode === "P412") throw error;
    if (error?.kind === "no-code") expectTypeOf(error.status).toEqualTypeOf<401>();
    if (error?.kind === "unknown-code") expectTypeOf(error.errorCode).toEqualTypeOf<UnlistedValue>();
    if (error?.kind === "timeout") expectTypeOf(error.status).toEqualTypeOf<undefined>();
  });

  it("tell 404 from 400", () => {
    type NotFound = Extract<CallError<operations["addUserVerification"]>, { status: 404 }>["errorCode"];
    expectTypeOf<NotFound>().toEqualTypeOf<"P412" | "P427">();
  });

  it("are those of an Error that can be thrown", () => {
    expectTypeOf<CallError<operations["updateUser"]>>().toExtend<PartnerApiError>();
    expectTypeOf<PartnerApiError>().toExtend<Error>();
  });
});

describe("data", () => {
  it("is there when there is no error", async () => {
    const result = await client.createUserAccount({ body: newUser });
    if (result.error === undefined) {
      expectTypeOf(result.data.userId).toEqualTypeOf<string>();
      expectTypeOf(result.data.poaRequiredForExtended).toEqualTypeOf<boolean>();
    } else expectTypeOf(result.data).toEqualTypeOf<undefined>();
    expectTypeOf(unwrap(result).userId).toEqualTypeOf<string>();
  });

  it("tells success answers apart by status", async () => {
    const result = await client.addUserVerification({ body: verification });
    if (result.status === 202 && result.error === undefined)
      expectTypeOf(result.data.errorCode).toEqualTypeOf<"P213">();
    if (result.status === 201 && result.error === undefined) expectTypeOf(result.data.message).toEqualTypeOf<string>();
  });

  it("keeps numbers and decimal strings apart", () => {
    expectTypeOf<CallData<operations["createOrderRateLock"]>["amount"]>().toEqualTypeOf<number>();
    expectTypeOf<CallData<operations["getCryptoDepositDetails"]>["amount"]>().toEqualTypeOf<Decimal>();
    expectTypeOf<Decimal>().toExtend<string>();
    expectTypeOf<string>().not.toExtend<Decimal>();
    expectTypeOf<CallData<operations["getCryptoDepositDetails"]>["user"]>().toEqualTypeOf<null | undefined>();
    expectTypeOf<WebhookEvents["p2pTransfer"]["amount"]>().toEqualTypeOf<Decimal>();
    expectTypeOf<WebhookEvents["p2pTransfer"]["destinationExternalUserId"]>().toEqualTypeOf<string | null>();
  });

  it("narrows transaction records by type, and keeps unknown ones readable", () => {
    const read = (record: TransactionRecord): unknown => {
      switch (record.type) {
        case "exchange":
          return expectTypeOf(record.amountFrom).toEqualTypeOf<number>();
        case "sepaDeposit":
          return expectTypeOf(record.sourceAccountNumber).toEqualTypeOf<string>();
        case "sepaTransfer":
          return expectTypeOf(record.transferId).toEqualTypeOf<string | undefined>();
        case "cardTransaction":
          // @ts-expect-error a card transaction has no amountFrom
          return record.amountFrom;
        default:
          expectTypeOf(record.type).toExtend<string>();
          return record.amount;
      }
    };
    expectTypeOf(read).returns.toEqualTypeOf<unknown>();
  });
});

describe("options", () => {
  it("are checked", () => {
    // @ts-expect-error the body is missing
    client.createUserAccount({});
    // @ts-expect-error the path is missing
    client.listUserCards();
    // @ts-expect-error a path parameter is missing
    client.getUserTransactionHistory({ path: { externalUserId: "user-1042", month: "02" } });
    // @ts-expect-error email is misspelled
    client.updateUser({ path: { externalUserId: "user-1042" }, body: { emial: "a@mail.example" } });
    // @ts-expect-error a driving licence is not accepted here
    client.addUserVerification({ body: { ...verification, documentType: "DRIVER_LICENSE" } });
    client.addUserVerification({ body: { ...verification, occupation: "LION_TAMER" } });
    client.addKycFiles({ path: { externalUserId: "user-1042" }, body: { selfie: new Blob([]) } });
    // @ts-expect-error a file is no string
    client.addKycFiles({ path: { externalUserId: "user-1042" }, body: { selfie: "selfie.jpg" } });
  });
});

const newUser = {
  externalUserId: "user-1042",
  email: "lena.vogel@mail.example",
  phone: "447700900123",
  firstName: "Lena",
  lastName: "Vogel",
  city: "Berlin",
  postCode: "10115",
  country: "DE",
  birthDate: "1991-07-23",
};

const verification = {
  externalUserId: "user-1042",
  documentType: "PASSPORT" as const,
  documentNumber: "ZS0000177",
  documentExpirationDate: "2029-12-12",
  openAccountReason: "DAILY_USE",
  incomeSource: "SALARY",
  occupation: "IT",
};
