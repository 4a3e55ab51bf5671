/** SEPA transfers, and arriving deposits. */
import { describe, expect, it } from "vitest";
import { type Body, tenantForEach } from "./tenant.ts";

const tenant = tenantForEach((fresh) => {
  fresh.addUser("user-1");
  fresh.pass(10);
});

const path = { externalUserId: "user-1" };
const closedLoop = {
  sourceExternalUserId: "user-1",
  currency: "eur",
  amount: 250,
  destinationIban: "DE02120300000000202051",
  transferTitle: "Savings",
};
const transfer = (more: object = {}) => tenant.call("createSepaTransfer", { body: { ...closedLoop, ...more } });
const details = (transferId: string) => tenant.call("getSepaTransferDetails", { path: { transferId } });
const info = (): Body => tenant.call("getSepaDepositInfo", { path }).body;

describe("a SEPA transfer of a user", () => {
  it("is held at once and carried out later, with the events and the record of the examples", () => {
    tenant.fund("user-1", "1000.00");
    const { status, body } = transfer();
    const { transferId } = body;
    expect(status).toBe(200);
    expect(tenant.euro("user-1")).toBe("750.00");
    expect(tenant.events("sepaTransfer")).toEqual([{ id: transferId, status: "IN_PROGRESS" }]);
    expect(tenant.history("user-1")[1]).toMatchObject({ status: "IN_PROGRESS", amount: -250 });
    tenant.pass(2);
    const expected = {
      id: transferId,
      type: "external",
      amount: "250.00",
      transferTitle: "Savings",
      destinationIban: "DE02120300000000202051",
      receiverFirstName: null,
      receiverLastName: null,
      status: "SUCCESSFUL",
      currency: "eur",
      fee: 0,
      createdAt: "2026-04-01T07:00:11.000Z",
      user: { externalUserId: "user-1" },
    };
    expect(details(transferId)).toMatchObject({ status: 200, body: expected });
    expect(tenant.events("sepaTransfer")[1]).toEqual(expected);
    const record = tenant.history("user-1")[1];
    expect(Object.keys(record).slice(6)).toEqual(["transferTitle", "transferId", "btId"]);
    expect(record).toMatchObject({ type: "sepaTransfer", amount: -250, status: "SUCCESSFUL", transferId });
    expect(tenant.euro("user-1")).toBe("750.00");
    tenant.expectSound("user-1");
  });

  it("names the receiver of an open loop", () => {
    tenant.fund("user-1", "100.00");
    const receiver = { receiverType: "NATURAL", receiverFirstName: "Camille", receiverLastName: "Laurent" };
    const { transferId } = transfer({ amount: "40.00", ...receiver }).body;
    expect(details(transferId).body).toMatchObject({ receiverFirstName: "Camille", receiverLastName: "Laurent" });
  });

  it("is accepted without the funds and fails later, with a minimal event", () => {
    tenant.fund("user-1", "249.99");
    const { transferId } = transfer().body;
    expect(tenant.euro("user-1")).toBe("249.99");
    tenant.pass(2);
    expect(tenant.events("sepaTransfer")[1]).toEqual({
      id: transferId,
      status: "FAILED",
      error: { description: "Insufficient funds", status: 400 },
    });
    expect(details(transferId).body).toMatchObject({ status: "FAILED", amount: "250.00" });
    expect(details(transferId).body).not.toHaveProperty("error");
    expect(tenant.history("user-1")[1]).toMatchObject({ status: "UNSUCCESSFUL", amount: -250 });
    tenant.expectSound("user-1");
  });

  it("fails and is given back when the user is suspended meanwhile", () => {
    tenant.fund("user-1", "1000.00");
    transfer();
    tenant.access("user-1", "suspended");
    tenant.pass(2);
    expect(tenant.events("sepaTransfer")[1].error).toEqual({ description: "User is suspended", status: 400 });
    expect(tenant.euro("user-1")).toBe("1000.00");
    tenant.expectSound("user-1");
  });
});

describe("a SEPA transfer of the partner", () => {
  const { sourceExternalUserId: _user, ...body } = closedLoop;

  it("pays from the partner's balance and has no user", () => {
    tenant.fund(null, "10000.00");
    const { transferId } = tenant.call("createPartnerSepaTransfer", { body: { ...body, amount: "2000.00" } }).body;
    tenant.pass(2);
    expect(tenant.euro(null)).toBe("8000.00");
    expect(details(transferId).body).toMatchObject({ status: "SUCCESSFUL", amount: "2000.00" });
    expect(details(transferId).body).not.toHaveProperty("user");
    expect(tenant.history(null)[1]).toMatchObject({ type: "sepaTransfer", amount: -2000, transferTitle: "Savings" });
    tenant.expectSound(null, "user-1");
  });
});

describe("a deposit", () => {
  it("to the account of the deposit info is credited later", () => {
    const { title, iban, swift, accountHolder, address } = info();
    expect({ iban, swift, accountHolder, address }).toEqual({
      iban: tenant.balances("user-1").fiatBalances[0].iban,
      swift: "EXMPDEFFXXX",
      accountHolder: "Lena Vogel",
      address: expect.stringContaining("Frankfurt"),
    });
    const about = { transferTitle: title, amount: 1000, sourceAccountNumber: "DE02120300000000202051" };
    const { id } = tenant.triggerEvent("sepaDeposit.depositArrives", about);
    expect(tenant.euro("user-1")).toBe("0.00");
    expect(tenant.history("user-1")[0]).toMatchObject({ status: "IN_PROGRESS", amount: 1000 });
    tenant.pass(1);
    expect(tenant.euro("user-1")).toBe("1000.00");
    const event = {
      id,
      externalUserId: "user-1",
      amount: "1000.00",
      currency: "eur",
      transferTitle: title,
      sourceAccountNumber: "DE02120300000000202051",
      status: "IN_PROGRESS",
      createdAt: "2026-04-01T07:00:10.000Z",
    };
    expect(tenant.events("sepaDeposit")).toEqual([event, { ...event, status: "SUCCESSFUL" }]);
    tenant.expectSound("user-1");
  });

  it("makes its account a contact when it is credited, once", () => {
    const contacts = () => tenant.call("listSepaDepositContacts", { path }).body;
    tenant.fund("user-1", "1.00");
    tenant.fund("user-1", "2.00");
    tenant.triggerEvent("sepaDeposit.depositArrives", { ...path, sourceAccountNumber: "X", status: "UNSUCCESSFUL" });
    tenant.pass(1);
    const iban = expect.stringMatching(/^DE\d{2}99999999\d{10}$/);
    expect(contacts()).toEqual([{ accountHolder: "Lena Vogel", iban }]);
    expect(tenant.call("listPartnerSepaDepositContacts").body).toEqual([]);
    tenant.fund(null, "1.00");
    expect(tenant.call("listPartnerSepaDepositContacts").body).toEqual([
      { accountHolder: "Example Partner Ltd", iban },
    ]);
  });

  it.each([
    ["another title", { transferTitle: "Rent" }],
    ["a decision from outside", { status: "UNSUCCESSFUL" }],
  ])("is not credited with %s", (_name, more) => {
    tenant.triggerEvent("sepaDeposit.depositArrives", { ...path, amount: "75.00", ...more });
    tenant.pass(1);
    expect(tenant.euro("user-1")).toBe("0.00");
    expect(tenant.events("sepaDeposit").at(-1).status).toBe("UNSUCCESSFUL");
    expect(tenant.history("user-1")[0]).toMatchObject({ status: "UNSUCCESSFUL", amount: 75 });
    tenant.expectSound("user-1");
  });

  it("is not credited before the account is active, whose number the deposit info leaves out", () => {
    tenant.addUser("user-2");
    expect(tenant.call("getSepaDepositInfo", { path: { externalUserId: "user-2" } }).body).not.toHaveProperty("iban");
    tenant.triggerEvent("sepaDeposit.depositArrives", { externalUserId: "user-2" });
    tenant.pass(1);
    expect(tenant.events("sepaDeposit").at(-1).status).toBe("UNSUCCESSFUL");
  });

  it("is not credited to a user who was deleted meanwhile, whatever is wanted", () => {
    const { id: sepaDepositId } = tenant.triggerEvent("sepaDeposit.depositArrives", { ...path, status: "SUCCESSFUL" });
    tenant.access("user-1", "deleted");
    const decision = { sepaDepositId, status: "SUCCESSFUL" };
    expect(() => tenant.triggerEvent("sepaDeposit.depositIsDecided", decision)).toThrow(/was deleted/);
    tenant.pass(1);
    expect(tenant.events("sepaDeposit").at(-1).status).toBe("UNSUCCESSFUL");
    tenant.expectSound("user-1");
  });

  it("has an account at partner level that never waits", () => {
    const { iban, title, accountHolder } = tenant.call("getPartnerSepaDepositInfo").body;
    expect(accountHolder).toBe("Example Partner Ltd");
    tenant.triggerEvent("sepaDeposit.depositArrives", { transferTitle: title, amount: "10000.00" });
    tenant.pass(1);
    expect(tenant.balances(null).fiatBalances[0]).toMatchObject({ amount: "10000.00", iban, status: "ACTIVE" });
    expect(tenant.events("sepaDeposit").at(-1).externalUserId).toBeNull();
  });
});
