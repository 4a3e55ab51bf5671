import { describe, expect, it } from "vitest";
import type { Fields } from "../codes/calls.ts";
import { tenantForEach } from "./tenant.ts";

const bitcoin = { currency: "btc", amount: "250.00", network: "btc" };
const stablecoin = { currency: "usdc", amount: "185.00", network: "polygon" };
const tenant = tenantForEach();

const lock = (fields: Fields) => tenant.call("createOrderRateLock", fields);
const createOrder = (lockId: string) => tenant.call("createOrder", { lockId });
const createNewOrder = (fields: Fields = bitcoin): string => createOrder(lock(fields).body.lockId).body.orderId;
const readDetails = (orderId: string) => tenant.call("getOrderDetails", { orderId });
const steps = () => tenant.eventsOf("orderStatus").map(({ status, confirmations }) => `${status} ${confirmations}`);

describe("a rate", () => {
  it.each([
    [bitcoin, { rate: 64000, amount: 0.00390625, cryptocurrency: "btc", network: "btc" }],
    [stablecoin, { rate: 0.925, amount: 200, cryptocurrency: "usdc", network: "polygon" }],
    [
      { currency: "USDC", amount: "100", network: "Ethereum" },
      { rate: 0.925, amount: 108.108108, cryptocurrency: "usdc", network: "ethereum" },
    ],
  ])("for %o equals the example, as does the lock", (fields, rate) => {
    expect(tenant.call("getOrderRates", fields)).toMatchObject({ status: 200, body: rate });
    const lockResponse = lock(fields);
    expect(lockResponse.status).toBe(201);
    expect(lockResponse.body).toEqual({ lockId: expect.any(String), ...rate, expiresAt: "2026-04-01T07:05:00Z" });
  });

  it("is refused for an amount that is worth less than the smallest unit", () => {
    tenant.runNow(() => tenant.world.assume({ currencies: { list: { btc: { rate: "1000001" } } } }));
    const expectedRefusal = { code: "P403", notes: ["amount is worth nothing in btc"] };
    expect(lock({ ...bitcoin, amount: "0.01" })).toMatchObject(expectedRefusal);
    expect(lock({ ...bitcoin, amount: "0.02" }).status).toBe(201);
  });
});

it("a lock expires after its time", () => {
  const { lockId } = lock(bitcoin).body;
  tenant.advance(tenant.world.plan.assumptions.locks.orderSeconds);
  expect(tenant.world.records.get("orderLock", lockId).states.status).toBe("expired");
});

describe("an order", () => {
  it("gets its address, its confirmations and its final status over time, with an event for each", () => {
    const { lockId } = lock(bitcoin).body;
    const { orderId } = createOrder(lockId).body;
    const { orderAddress, orderConfirmation } = tenant.world.plan.assumptions.delays;
    const waitingOrder = {
      orderId,
      lockId,
      status: "WAITING_FOR_WALLET_ADDRESS",
      cryptocurrency: "btc",
      network: "BTC",
      walletAddress: null,
      totalAmountRequired: 0.00390625,
      receivedAmount: 0,
      confirmations: 0,
      requiredConfirmations: 2,
      createdAt: "2026-04-01T07:00:00.000Z",
      expiresAt: null,
    };
    expect(readDetails(orderId).body).toEqual(waitingOrder);

    tenant.advance(orderAddress);
    const addressedOrder = {
      ...waitingOrder,
      status: "WAITING_FOR_CONFIRMATION",
      walletAddress: expect.stringMatching(/^tb1q[02-9ac-hj-np-z]{38}$/),
      transactionHash: null,
      expiresAt: "2026-04-01T08:00:00.000Z",
    };
    expect(readDetails(orderId).body).toEqual(addressedOrder);

    tenant.advance(orderConfirmation);
    const payment = { receivedAmount: 0.00390625, transactionHash: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(readDetails(orderId).body).toEqual({ ...addressedOrder, ...payment, confirmations: 1 });

    tenant.advance(orderConfirmation);
    const completedOrder = { ...addressedOrder, ...payment, confirmations: 2, status: "COMPLETED" };
    expect(readDetails(orderId).body).toEqual(completedOrder);
    expect(steps()).toEqual([
      "WAITING_FOR_WALLET_ADDRESS 0",
      "WAITING_FOR_CONFIRMATION 0",
      "WAITING_FOR_CONFIRMATION 1",
      "COMPLETED 2",
    ]);
    expect(tenant.eventsOf("orderStatus").at(-1)).toEqual(completedOrder);
    tenant.advance(86_400);
    expect(steps()).toHaveLength(4);
  });

  it("needs more confirmations on other networks", () => {
    const orderId = createNewOrder(stablecoin);
    tenant.advance(60);
    expect(readDetails(orderId).body).toMatchObject({
      network: "POLYGON",
      requiredConfirmations: 12,
      confirmations: 12,
      totalAmountRequired: 200,
      walletAddress: expect.stringMatching(/^0x/),
      transactionHash: expect.stringMatching(/^0x/),
    });
  });
});

describe("external events", () => {
  it("assigns an address with a payment, as in the scenario", () => {
    const orderId = createNewOrder();
    const walletAddress = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx";
    const transactionHash = "4a90e6d1f37b825c08ad9e4f61c3b7250d8fe914a6b05c72d3918ef06b47a25d";
    tenant.triggerEvent("order.addressIsAssigned", { orderId, walletAddress, transactionHash, confirmations: 2 });
    expect(readDetails(orderId).body).toMatchObject({
      status: "WAITING_FOR_CONFIRMATION",
      walletAddress,
      transactionHash,
      confirmations: 2,
      receivedAmount: 0.00390625,
      expiresAt: "2026-04-01T08:00:00.000Z",
    });
    tenant.triggerEvent("order.paymentIsConfirmed", { orderId });
    tenant.advance(60);
    expect(readDetails(orderId).body).toMatchObject({ status: "COMPLETED", confirmations: 2, transactionHash });
    expect(steps()).toEqual(["WAITING_FOR_WALLET_ADDRESS 0", "WAITING_FOR_CONFIRMATION 2", "COMPLETED 2"]);
  });

  it("makes an order fail for good", () => {
    const orderId = createNewOrder(stablecoin);
    tenant.triggerEvent("order.paymentIsConfirmed", { status: "FAILED" });
    tenant.advance(60);
    expect(readDetails(orderId).body).toMatchObject({
      status: "FAILED",
      walletAddress: null,
      confirmations: 0,
      transactionHash: null,
      expiresAt: null,
    });
    expect(() => tenant.triggerEvent("order.paymentIsConfirmed", { orderId })).toThrow(
      `The order ${orderId} is FAILED and cannot become COMPLETED; its status is final.`,
    );
  });
});
