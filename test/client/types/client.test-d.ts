/** Type tests, which pass when they compile. */
import type * as api from "partner-wallet-api";
import { createPartnerClient, match, unwrap } from "partner-wallet-api";
import { createClient, createExchange, createUserAccount, explain } from "partner-wallet-api/operations";
import { createWebhookHandler, type Violation, type WebhookEvents } from "partner-wallet-api/webhooks";
import { describe, expectTypeOf, it } from "vitest";

const client = createPartnerClient({
  baseUrl: "https://a.example",
  depositBaseUrl: "https://b.example",
  apiKey: "key",
});
describe("codes", () => {
  it("narrow the error", async () => {
    const { error } = await client.createUserAccount({ body: newUser });
    if (error?.errorCode === "P411") {
      expectTypeOf(error.kind).toEqualTypeOf<"code">();
      if (error.documented) {
        expectTypeOf(error.status).toEqualTypeOf<400>();
        expectTypeOf(error.errorMessage).toEqualTypeOf<string | undefined>();
        expectTypeOf(error.errorName).toEqualTypeOf<string | undefined>();
      } else expectTypeOf(error.status).toEqualTypeOf<number>();
    }
    if (error?.errorCode === "P412") {
      expectTypeOf(error.documented).toEqualTypeOf<false>();
      expectTypeOf(error.meaning).toEqualTypeOf<string | undefined>();
    }
    if (error?.kind === "no-code") expectTypeOf(error.status).toEqualTypeOf<401>();
    if (error?.kind === "unknown-code") expectTypeOf(error.errorCode).toEqualTypeOf<api.UnlistedCode>();
    // @ts-expect-error not a P-code
    if (error?.errorCode === "P4O3") throw error;
    switch (error?.errorCode) {
      case "P999":
        expectTypeOf(error.kind).toEqualTypeOf<"unknown-code">();
    }
    if (error?.kind === "timeout") expectTypeOf(error.status).toEqualTypeOf<number | undefined>();
  });

  it("of the whole catalogue compile for every operation", async () => {
    const { error } = await client.getCryptoDepositDetails({ query: { externalId: "" } });
    if (error?.kind === "code") expectTypeOf(error.errorCode).toEqualTypeOf<api.CatalogueCode>();
    switch (error?.errorCode) {
      case "P412":
      case "P464":
        expectTypeOf(error.documented).toEqualTypeOf<false>();
    }
  });

  it("distinguish 404 from 400", () => {
    type NotFound = Extract<api.AddUserVerificationError, { status: 404 }>["errorCode"];
    expectTypeOf<NotFound>().toEqualTypeOf<"P412" | "P427">();
  });

  it("belong to an Error that can be thrown", () => {
    expectTypeOf<api.UpdateUserError>().toExtend<api.PartnerApiError>();
    expectTypeOf<api.PartnerApiError>().toExtend<Error>();
  });

  it("belong to an Error that a program constructs from what it can know", () => {
    type Given = "kind" | "operationId" | "message" | "outcome" | "status" | "documented" | "attempts" | "cause";
    type OfResponse = "errorCode" | "errorName" | "errorMessage" | "timestamp" | "requestId" | "body" | "headers";
    expectTypeOf<keyof api.ErrorDetails>().toEqualTypeOf<Given | OfResponse | "retry" | "advice">();
    expectTypeOf<typeof api.PartnerApiError>().constructorParameters.toEqualTypeOf<[details: api.ErrorDetails]>();
  });
});

describe("the types of an operation", () => {
  it("are exported by name", () => {
    expectTypeOf(client.createUserAccount).toEqualTypeOf<
      (options: api.CreateUserAccountOptions) => Promise<api.CreateUserAccountResult>
    >();
    expectTypeOf(createUserAccount).parameter(1).toEqualTypeOf<api.CreateUserAccountOptions>();
    expectTypeOf(createUserAccount).returns.resolves.toEqualTypeOf<api.CreateUserAccountResult>();
    expectTypeOf<api.CreateUserAccountError["outcome"]>().toEqualTypeOf<api.Outcome>();
  });

  it("exist only for operations of the edition", () => {
    const edition = "test";
    const testClient = createPartnerClient({ edition });
    expectTypeOf(testClient).toEqualTypeOf<api.TestPartnerClient>();
    expectTypeOf(testClient).toExtend<api.PartnerClient>();
    expectTypeOf(client).toEqualTypeOf<api.PartnerClient>();
    expectTypeOf(createPartnerClient({ edition: "latest" })).toEqualTypeOf<api.PartnerClient>();
    expectTypeOf(createPartnerClient({} as api.ClientOptions)).toEqualTypeOf<api.PartnerClient>();
    expectTypeOf(testClient.createExchange).returns.resolves.toEqualTypeOf<api.CreateExchangeResult>();
    testClient.explain("createExchange", { body: exchange });
    // @ts-expect-error only the edition test has it
    client.createExchange({ body: exchange });
    // @ts-expect-error only the edition test has it
    client.explain("createExchange", { body: exchange });
    // @ts-expect-error not an edition
    createPartnerClient({ edition: "tset" });
  });

  it("take a client that has the operation", () => {
    const options = { body: exchange };
    createExchange(createClient({ edition: "test" }), options);
    createExchange(createPartnerClient({ edition: "test" }), options);
    // @ts-expect-error only a client of the edition test has it
    createExchange(createClient(), options);
    // @ts-expect-error only a client of the edition test has it
    createExchange(client, options);
    explain(createClient({ edition: "test" }), "createExchange", options);
    // @ts-expect-error only a client of the edition test has it
    explain(createClient(), "createExchange", options);
    expectTypeOf(createUserAccount).toBeCallableWith(createClient({ edition: "test" }), { body: newUser });
  });

  it("accept any code in an open response", async () => {
    const { error } = await client.createTransfer({ body: transfer });
    if (error?.errorCode === "P433" && error.documented) expectTypeOf(error).toEqualTypeOf<api.P433Error<400>>();
    if (error?.errorCode === "P464") expectTypeOf(error).toEqualTypeOf<api.UndocumentedError>();
    if (error?.kind === "unknown-code") expectTypeOf(String(error.errorCode)).toEqualTypeOf<string>();
  });

  it("accept options that are undefined", () => {
    const signal: AbortSignal | undefined = undefined;
    client.getPartnerBalances({ signal, timeoutMs: undefined, retries: undefined, headers: undefined });
    createPartnerClient({ baseUrl: undefined, fetch: undefined, logger: undefined, timeoutMs: undefined });
  });
});

describe("data", () => {
  it("is defined when there is no error", async () => {
    const result = await client.createUserAccount({ body: newUser });
    if (result.error === undefined) {
      expectTypeOf(result.data.userId).toEqualTypeOf<string>();
      expectTypeOf(result.data.poaRequiredForExtended).toEqualTypeOf<boolean>();
    } else expectTypeOf(result.data).toEqualTypeOf<undefined>();
    expectTypeOf(unwrap(result).userId).toEqualTypeOf<string>();
  });

  it("distinguishes success responses by status", async () => {
    const result = await client.addUserVerification({ body: verification });
    if (result.status === 202 && result.error === undefined)
      expectTypeOf(result.data.errorCode).toEqualTypeOf<"P213">();
    if (result.status === 201 && result.error === undefined) expectTypeOf(result.data.message).toEqualTypeOf<string>();
    if (result.error === undefined) expectTypeOf(result.status).toEqualTypeOf<201 | 202 | api.UnlistedStatus>();
  });

  it("distinguishes numbers from decimal strings", () => {
    expectTypeOf<api.CreateOrderRateLockData["amount"]>().toEqualTypeOf<number>();
    // The amount of a response is not checked, so its type is a plain string; toDecimal makes a Decimal of it.
    expectTypeOf<api.GetCryptoDepositDetailsData["amount"]>().toEqualTypeOf<string>();
    expectTypeOf<api.ExactNumbers<api.CreateOrderRateLockData>["amount"]>().toEqualTypeOf<api.Decimal>();
    // A structural type, so that the declarations for ES modules and for CommonJS have the same type.
    expectTypeOf<api.Decimal>().toEqualTypeOf<string & { readonly "~decimal": true }>();
    expectTypeOf<api.Decimal>().toExtend<string>();
    expectTypeOf<string>().not.toExtend<api.Decimal>();
    expectTypeOf<api.GetCryptoDepositDetailsData["user"]>().toEqualTypeOf<Record<string, unknown> | null | undefined>();
    expectTypeOf<WebhookEvents["p2pTransfer"]["amount"]>().toEqualTypeOf<string>();
    expectTypeOf<WebhookEvents["p2pTransfer"]["destinationExternalUserId"]>().toEqualTypeOf<string | null>();
  });

  it("keeps the values of an open set through NonNullable, and match returns the union of its branches", async () => {
    type Status = NonNullable<api.GetSepaTransferDetailsData["status"]>;
    expectTypeOf<api.KnownValues<Status>>().toEqualTypeOf<
      api.KnownValues<api.GetSepaTransferDetailsData["status"] & string>
    >();
    const read = (status: Status) =>
      match(status, { SUCCESSFUL: () => "paid" as const, FAILED: () => true as const, otherwise: () => null });
    expectTypeOf(read).returns.toEqualTypeOf<"paid" | true | null>();
    // @ts-expect-error not a value of the set
    match("" as Status, { SUCESSFUL: () => 1, otherwise: () => 2 });
    const { data } = await client.getSepaTransferDetails({ path: { transferId: "x" } });
    const matchedValue = match(data?.status, { SUCCESSFUL: () => 1, otherwise: (status) => status });
    expectTypeOf(matchedValue).toEqualTypeOf<number | string | undefined>();
  });

  it("branches on the code of any error, with codes of the catalogue only", () => {
    const textOf = (error: api.PartnerApiError) =>
      match(error.errorCode, { P433: () => "top up", otherwise: (code) => code ?? "none" });
    expectTypeOf(textOf).returns.toEqualTypeOf<string>();
    const mistake = (error: api.PartnerApiError) =>
      // @ts-expect-error not a P-code
      match(error.errorCode, { P4333: () => 1, otherwise: () => 2 });
    expectTypeOf(mistake).toBeFunction();
  });

  it("contains only the members that a transaction record always has", () => {
    const read = (record: api.TransactionRecord): unknown => {
      expectTypeOf(record.id).toEqualTypeOf<string>();
      expectTypeOf(record.amount).toEqualTypeOf<number | undefined>();
      // @ts-expect-error not a field of a record
      return record.amountTo;
    };
    expectTypeOf(read).returns.toEqualTypeOf<unknown>();
  });
});

it("options are checked by the compiler", () => {
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
  const transferWithoutAmount = { destinationExternalUserId: "user-1042", currency: "eur" };
  client.createTransfer({ body: { ...transferWithoutAmount, amount: "10.50" } });
  client.createTransfer({ body: { ...transferWithoutAmount, amount: 10.5 } });
  // This compiles, although the client refuses the amount, because TypeScript cannot distinguish "1e5" from "100000".
  client.createTransfer({ body: { ...transferWithoutAmount, amount: "1e5" } });
  expectTypeOf<"1e5">().toExtend<api.DecimalInput>();
  // @ts-expect-error an amount is a number or a decimal string
  client.createTransfer({ body: { ...transferWithoutAmount, amount: "ten" } });
  client.addKycFiles({ path: { externalUserId: "user-1042" }, body: { selfie: new Blob([]) } });
  // @ts-expect-error a file is not a string
  client.addKycFiles({ path: { externalUserId: "user-1042" }, body: { selfie: "selfie.jpg" } });
});

const transfer = { sourceExternalUserId: "user-1042", amount: 10, currency: "eur" };
const exchange = {} as api.CreateExchangeOptions["body"];

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

  it("requires a policy for bodies that break their type", () => {
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

  it("accepts paths of known webhooks only", () => {
    // @ts-expect-error no webhook has this name
    createWebhookHandler({ ...options, paths: { sepaDeposits: "/my/path" } });
    createWebhookHandler({
      ...options,
      paths: { sepaDeposit: "/my/path" },
      on: { sepaDeposit: (event) => void expectTypeOf(event).toEqualTypeOf<WebhookEvents["sepaDeposit"]>() },
    });
  });
});

it("an optional member of a body may be undefined, also under exactOptionalPropertyTypes", () => {
  const row: { email?: string | undefined } = {};
  const body: api.UpdateUserOptions["body"] = { email: row.email };
  const files: api.AddKycFilesOptions["body"] = { selfie: new Blob(), back_id: undefined };
  expectTypeOf(body).not.toBeAny();
  expectTypeOf(files).not.toBeAny();
});

describe("the three directions of a transfer", () => {
  const amount = { amount: "10.00", currency: "eur" } as const;

  it("compile, and an undefined payer does not, since the partner would pay", () => {
    const user: { id?: string | undefined } = {};
    const bodies: api.CreateTransferOptions["body"][] = [
      { sourceExternalUserId: "a", destinationExternalUserId: "b", ...amount },
      { sourceExternalUserId: "a", ...amount },
      { destinationExternalUserId: "b", ...amount },
    ];
    // @ts-expect-error the payer may be undefined
    bodies.push({ sourceExternalUserId: user.id, destinationExternalUserId: "b", ...amount });
    // @ts-expect-error the payee may be undefined
    bodies.push({ sourceExternalUserId: "a", destinationExternalUserId: user.id, ...amount });
    // @ts-expect-error the payer and the payee are missing
    bodies.push(amount);
  });
});
