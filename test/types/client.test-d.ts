/** What the compiler knows of the client. Checked by `vitest --typecheck`. */
import {
  type CallData,
  type CallError,
  type CatalogueCode,
  createPartnerClient,
  type Decimal,
  type ErrorCodeOf,
  type operations,
  type PartnerApiError,
  type TransactionRecord,
  type UnlistedStatus,
  type UnlistedValue,
  unwrap,
} from "partner-wallet-api";
import { createWebhookHandler, type Violation, type WebhookEvents } from "partner-wallet-api/webhooks";
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
      expectTypeOf(error.kind).toEqualTypeOf<"code">();
      if (error.documented) {
        expectTypeOf(error.status).toEqualTypeOf<400>();
        expectTypeOf(error.errorMessage).toEqualTypeOf<string | undefined>();
      } else expectTypeOf(error.status).toEqualTypeOf<number>();
    }
    if (error?.errorCode === "P412") {
      expectTypeOf(error.documented).toEqualTypeOf<false>();
      expectTypeOf(error.meaning).toEqualTypeOf<string | undefined>();
    }
    // @ts-expect-error no P-code of the catalogue
    if (error?.errorCode === "P4O3") throw error;
    if (error?.kind === "no-code") expectTypeOf(error.status).toEqualTypeOf<401>();
    if (error?.kind === "unknown-code") expectTypeOf(error.errorCode).toEqualTypeOf<UnlistedValue>();
    if (error?.kind === "timeout") expectTypeOf(error.status).toEqualTypeOf<undefined>();
  });

  it("of the whole catalogue compile for every operation", async () => {
    const { error } = await client.getCryptoDepositDetails({ query: { externalId: "" } });
    if (error?.kind === "code") expectTypeOf(error.errorCode).toEqualTypeOf<CatalogueCode>();
    switch (error?.errorCode) {
      case "P412":
      case "P464":
        expectTypeOf(error.documented).toEqualTypeOf<false>();
    }
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
    if (result.error === undefined) expectTypeOf(result.status).toEqualTypeOf<201 | 202 | UnlistedStatus>();
  });

  it("keeps numbers and decimal strings apart", () => {
    expectTypeOf<CallData<operations["createOrderRateLock"]>["amount"]>().toEqualTypeOf<number>();
    expectTypeOf<CallData<operations["getCryptoDepositDetails"]>["amount"]>().toEqualTypeOf<Decimal>();
    expectTypeOf<Decimal>().toExtend<string>();
    expectTypeOf<string>().not.toExtend<Decimal>();
    expectTypeOf<CallData<operations["getCryptoDepositDetails"]>["user"]>().toEqualTypeOf<
      Record<string, unknown> | null | undefined
    >();
    expectTypeOf<WebhookEvents["p2pTransfer"]["amount"]>().toEqualTypeOf<Decimal>();
    expectTypeOf<WebhookEvents["p2pTransfer"]["destinationExternalUserId"]>().toEqualTypeOf<string | null>();
  });

  it("promises of a transaction record only what is always there", () => {
    const read = (record: TransactionRecord): unknown => {
      expectTypeOf(record.id).toEqualTypeOf<string>();
      expectTypeOf(record.amount).toEqualTypeOf<number | undefined>();
      // @ts-expect-error no field of a record
      return record.amountTo;
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
    const transfer = { destinationExternalUserId: "user-1042", currency: "eur" };
    client.createTransfer({ body: { ...transfer, amount: "10.50" } });
    client.createTransfer({ body: { ...transfer, amount: 10.5 } });
    // @ts-expect-error an amount is a number or a decimal string
    client.createTransfer({ body: { ...transfer, amount: "ten" } });
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

describe("a webhook handler", () => {
  const options = { authorization: "token", on: {}, otherwise: "reject", nonconforming: "reject" } as const;

  it("has to say what becomes of bodies that break their type", () => {
    const { nonconforming: _, ...incomplete } = options;
    // @ts-expect-error the policy is missing
    createWebhookHandler(incomplete);
    createWebhookHandler({
      ...options,
      nonconforming: (name, body, violations) => {
        expectTypeOf(name).toEqualTypeOf<keyof WebhookEvents>();
        expectTypeOf(body).toEqualTypeOf<unknown>();
        expectTypeOf(violations).toEqualTypeOf<readonly Violation[]>();
      },
    });
  });

  it("takes paths of webhooks only, and types open bodies as open", () => {
    // @ts-expect-error no webhook has this name
    createWebhookHandler({ ...options, paths: { sepaDeposits: "/my/path" } });
    createWebhookHandler({
      ...options,
      paths: { sepaDeposit: "/my/path" },
      on: { sepaDeposit: (event) => void expectTypeOf(event).toEqualTypeOf<Record<string, unknown>>() },
    });
  });
});
