import { describe, expect, it } from "vitest";
import { tenantForEach } from "./tenant.ts";

const tenant = tenantForEach();

const createLink = (values = {}): string => tenant.call("createPaymentLink", values).body.paymentLinkId;
const readDetails = (paymentLinkId: string) => tenant.call("getPaymentLinkDetails", { paymentLinkId });
const payIntoLink = (fields: Record<string, unknown> = {}) => tenant.triggerEvent("paymentLink.paymentArrives", fields);
const statuses = () => tenant.eventsOf("paymentLink").map(({ status }) => status);

const unpaidLink = {
  amount: "49.90",
  currency: "eur",
  title: "Invoice 2026-204",
  status: "WAITING_FOR_PAYMENT",
  cryptocurrency: null,
  network: null,
  receivedAmount: null,
  transactionHash: null,
  createdAt: "2026-04-01T07:00:00.000Z",
  expiresAt: "2026-04-02T07:00:00.000Z",
};

describe("a new link", () => {
  it.each([
    ["createPaymentLink", "https://pay.wallet-service.example"],
    ["createHostedCheckout", "https://checkout.partner.example"],
  ])("of %s has a payment page, and its event", (operationId, page) => {
    const { status, body } = tenant.call(operationId, { amount: "49.90", title: unpaidLink.title });
    expect(status).toBe(201);
    const { paymentLinkId } = body;
    expect(body).toEqual({ paymentLinkId, url: `${page}/${paymentLinkId}` });
    expect(readDetails(paymentLinkId).body).toEqual({ paymentLinkId, url: body.url, ...unpaidLink });
    expect(tenant.eventsOf("paymentLink")).toEqual([readDetails(paymentLinkId).body]);
  });

  it("is not paid without an external event, and expires", () => {
    const paymentLinkId = createLink({ amount: 50, currency: "EUR", title: undefined });
    tenant.advance(tenant.world.plan.assumptions.paymentLinks.seconds - 1);
    expect(readDetails(paymentLinkId).body).toMatchObject({
      status: "WAITING_FOR_PAYMENT",
      title: null,
      amount: "50.00",
    });
    tenant.advance(1);
    const { body } = readDetails(paymentLinkId);
    expect(body).toMatchObject({ status: "EXPIRED", receivedAmount: null, expiresAt: "2026-04-02T07:00:00.000Z" });
    expect(body).not.toHaveProperty("transactionHash");
    expect(statuses()).toEqual(["WAITING_FOR_PAYMENT", "EXPIRED"]);
    expect(() => payIntoLink({ paymentLinkId })).toThrow("is EXPIRED and cannot become WAITING_FOR_CONFIRMATION");
  });
});

describe("a payment", () => {
  it("is confirmed after a delay, and credited to the partner in euro", () => {
    const paymentLinkId = createLink();
    payIntoLink({ cryptocurrency: "usdc", network: "polygon" });
    const payment = {
      cryptocurrency: "usdc",
      network: "polygon",
      receivedAmount: "53.892000",
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    };
    expect(readDetails(paymentLinkId).body).toMatchObject({ status: "WAITING_FOR_CONFIRMATION", ...payment });
    expect([tenant.eurosOf(null), tenant.readHistory(null)]).toEqual(["0.00", []]);

    tenant.advance(tenant.world.plan.assumptions.delays.payment);
    expect(readDetails(paymentLinkId).body).toMatchObject({ ...unpaidLink, status: "COMPLETED", ...payment });
    expect(tenant.eurosOf(null)).toBe("49.90");
    expect(tenant.readHistory(null)).toEqual([
      {
        id: expect.any(String),
        createdAt: "2026-04-01T07:00:02.000Z",
        type: "payment",
        amount: 49.9,
        currency: "eur",
        status: "SUCCESSFUL",
        btId: expect.any(String),
      },
    ]);
    tenant.advance(2 * 86_400);
    expect(statuses()).toEqual(["WAITING_FOR_PAYMENT", "WAITING_FOR_CONFIRMATION", "COMPLETED"]);
    tenant.expectBalancesMatchHistory(null);
  });

  it("that is too small fails, and nothing is credited", () => {
    const paymentLinkId = createLink();
    payIntoLink({ paymentLinkId, receivedAmount: "53.891999" });
    tenant.advance(60);
    expect(readDetails(paymentLinkId).body).toMatchObject({ status: "FAILED", receivedAmount: "53.891999" });
    expect([tenant.eurosOf(null), tenant.readHistory(null)]).toEqual(["0.00", []]);
  });
});

it("a link can be ended by an external event", () => {
  const paymentLinkId = createLink();
  tenant.advance(10);
  tenant.triggerEvent("paymentLink.linkExpires", { paymentLinkId });
  expect(readDetails(paymentLinkId).body).toMatchObject({ status: "EXPIRED", expiresAt: "2026-04-01T07:00:10.000Z" });
  expect(() => tenant.triggerEvent("paymentLink.linkExpires")).toThrow(
    "There is no paymentLink that can become EXPIRED.",
  );
});
