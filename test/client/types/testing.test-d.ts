/** Type tests, which pass when they compile. */
import type {
  CreateTransferData,
  CreateTransferError,
  CreateTransferResult,
  ErrorCodeOf,
  Failure,
  PartnerApiError,
  PartnerClient,
  Success,
} from "partner-wallet-api";
import { createMock } from "partner-wallet-api/mock";
import type { createTransfer } from "partner-wallet-api/operations";
import {
  type DocumentedCodes,
  deliver,
  type FailureCode,
  failure,
  success,
  testEvent,
} from "partner-wallet-api/testing";
import { createWebhookHandler } from "partner-wallet-api/webhooks";
import { describe, expectTypeOf, it, vi } from "vitest";

describe("success", () => {
  it("has the type of the operation's result", () => {
    expectTypeOf(success("createTransfer")).toEqualTypeOf<Success<CreateTransferData, 201>>();
    expectTypeOf(success("createTransfer")).toExtend<CreateTransferResult>();
    expectTypeOf(success("addUserVerification").status).toExtend<number>();
    // @ts-expect-error not an operation
    success("createTransfers");
  });

  it("accepts fields of the data, and examples of the operation", () => {
    success("createTransfer", { transferId: "1" }, { example: "fundUser" });
    // @ts-expect-error not a field of the data
    success("createTransfer", { transferID: "1" });
    // @ts-expect-error an amount is a decimal string
    success("getCryptoDepositDetails", { amount: 1 });
    success("listUserCards", []);
    // @ts-expect-error a list is replaced as a whole
    success("listUserCards", { id: "1" });
    // @ts-expect-error an example of another operation
    success("createTransfer", {}, { example: "waitingToBeActivated" });
    success("getPaymentLinkDetails", {}, { example: "expired" });
  });
});

describe("failure", () => {
  it("has the type of the operation's result", () => {
    const { error } = failure("createTransfer", "P433");
    expectTypeOf(error).toEqualTypeOf<CreateTransferError>();
    expectTypeOf(error).toExtend<PartnerApiError>();
    expectTypeOf(failure("createTransfer", "timeout")).toEqualTypeOf<Failure<CreateTransferError>>();
  });

  it("accepts codes of the catalogue only", () => {
    expectTypeOf<DocumentedCodes["createTransfer"]>().toEqualTypeOf<ErrorCodeOf<CreateTransferError>>();
    failure("createTransfer", "P412");
    failure("getUserBalances", "P501");
    failure("createTransfer", "no-code", { status: 401 });
    // @ts-expect-error not a P-code of the catalogue
    failure("createTransfer", "P4O3");
    // @ts-expect-error P211 comes with a success
    expectTypeOf<FailureCode>("P211");
    // @ts-expect-error this failure comes from the client, not from a response
    failure("createTransfer", "invalid-request");
    // @ts-expect-error the code is not a detail
    failure("createTransfer", "P433", { code: "P433" });
  });
});

it("stand-ins have the type of the operations' functions", () => {
  expectTypeOf(async () => failure("createTransfer", "P433")).toExtend<typeof createTransfer>();
  vi.fn<typeof createTransfer>().mockResolvedValue(success("createTransfer"));
  vi.fn<PartnerClient["createTransfer"]>(async () => failure("createTransfer", "network"));
});

describe("respond", () => {
  const mock = createMock();

  it("accepts results of the operation", () => {
    mock.respond("createTransfer", ({ body }, callNumber) => {
      expectTypeOf(body.amount).toExtend<number | string | undefined>();
      expectTypeOf(callNumber).toEqualTypeOf<number>();
      return failure("createTransfer", "P433");
    });
    mock.respond("getUserBalances", async ({ path }) =>
      path.externalUserId === "" ? success("getUserBalances", {}) : undefined,
    );
    mock.respond("listUserCards", [failure("listUserCards", "timeout"), success("listUserCards"), new Response("")]);
    mock.respond("createExchange", success("createExchange"));
    mock.respond("getPartnerBalances", undefined);
    // @ts-expect-error the success of another operation
    mock.respond("createTransfer", success("getUserBalances"));
    // @ts-expect-error not an operation
    mock.respond("createTransfers", success("createTransfer"));
  });
});

it("deliver accepts the event of the webhook", () => {
  const handler = createWebhookHandler({
    authorization: "token",
    on: {},
    otherwise: "reject",
    nonconforming: "reject",
  });
  expectTypeOf(deliver(handler, "p2pTransfer")).resolves.toEqualTypeOf<Response>();
  deliver(handler, "p2pTransfer", testEvent("p2pTransfer"), { authorization: "token" });
  // @ts-expect-error the event of another webhook
  deliver(handler, "p2pTransfer", testEvent("card3dsCode"));
});
