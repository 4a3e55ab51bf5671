import { describe, expect, it } from "vitest";
import { serviceAccount } from "../../../scripts/mock/behaviours/funds.ts";
import { addFunds } from "../../../scripts/mock/control/users.ts";
import { plan } from "../../support/plan.ts";
import { type Fields, operationNamed } from "../codes/calls.ts";
import { type Body, tenantForEach } from "./tenant.ts";

const user = "user-1";
const funds = { eur: "1000.00", usdc: "216", btc: "0.0405" };
const tenant = tenantForEach((newTenant) => {
  newTenant.addExtendedUser(user);
  newTenant.addUser("user-2");
  newTenant.advance(10);
  for (const owner of [user, null]) newTenant.runNow(() => addFunds(newTenant.world, owner, funds));
});

const transfer = (changes: Fields = {}) =>
  tenant.call("createTransfer", { sourceExternalUserId: user, destinationExternalUserId: "user-2", ...changes });
const makeSepaTransfer = (changes: Fields = {}) =>
  tenant.call("createSepaTransfer", { sourceExternalUserId: user, ...changes });
const moveToMaster = (amount: string, currency = "eur") => tenant.call("transferToMasterBalance", { amount, currency });
const withdraw = (changes: Fields = {}) =>
  tenant.call("createCryptoWithdrawal", { sourceExternalUserId: user, ...changes });
const exchangeValues = { currencyFrom: "eur", currencyTo: "usdc", amount: "200.00" };
const exchange = (level: "" | "Partner", fields: Fields = exchangeValues) => {
  const values = { ...(level === "" ? { externalUserId: user } : {}), ...fields };
  const { lockId } = tenant.call(`create${level}ExchangeRateLock`, values).body;
  return tenant.call(`create${level}Exchange`, { ...values, lockId });
};
const createCard = (): string => tenant.call("createVirtualCard", { externalUserId: user }).body.cardId;
const changeCard = (operationId: string, cardId: string) => tenant.call(operationId, { externalUserId: user, cardId });
const useCard = (fields: Fields = {}) =>
  tenant.triggerEvent("cardTransaction.cardIsUsed", { cardId: createCard(), ...fields });
const depositSepa = (fields: Fields = {}) =>
  tenant.triggerEvent("sepaDeposit.depositArrives", { externalUserId: user, ...fields });
const depositCrypto = (fields: Fields = {}) =>
  tenant.triggerEvent("cryptoDeposit.depositArrives", { externalUserId: user, network: "polygon", ...fields });

const { delays } = plan.assumptions;

interface Payment {
  readonly name: string;
  readonly begin: () => unknown;
  /** Null if the partner owns the account. Default: the user. */
  readonly owner?: null;
  /** Default: the euro. */
  readonly currency?: "usdc";
  readonly delay: keyof typeof delays;
  /** Changes of the available funds in minor units, while the payment is in progress and after it has ended. */
  readonly unitChanges: readonly [during: bigint, after: bigint];
  readonly record: { readonly type: string; readonly amount: number; readonly amountFrom?: number };
  readonly webhook: string;
  /** The statuses in the events; by default in progress and successful. */
  readonly statuses?: readonly string[];
  /** The final status if the user is suspended or deleted before the end; left out if the payment then ends as usual. */
  readonly failure?: string;
}

const exchangePayment: Omit<Payment, "name" | "begin"> = {
  delay: "exchange",
  unitChanges: [-20_000n, -20_000n],
  record: { type: "exchange", amount: 216, amountFrom: -200 },
  webhook: "exchange",
  statuses: ["COMPLETED"],
};
const sepaTransferValues: Omit<Payment, "name" | "begin"> = {
  delay: "sepaTransfer",
  unitChanges: [-25_000n, -25_000n],
  webhook: "sepaTransfer",
  record: { type: "sepaTransfer", amount: -250 },
};
const withdrawalValues: Omit<Payment, "name" | "begin"> = {
  currency: "usdc",
  delay: "cryptoWithdrawal",
  unitChanges: [-100_400_000n, -100_400_000n],
  record: { type: "cryptoWithdrawal", amount: -100.4 },
  webhook: "cryptoWithdrawal",
};
const payments: readonly Payment[] = [
  {
    name: "a transfer",
    begin: transfer,
    delay: "transfer",
    unitChanges: [-12_550n, -12_550n],
    webhook: "p2pTransfer",
    record: { type: "transfer", amount: -125.5 },
    statuses: ["SUCCESSFUL"],
    failure: "UNSUCCESSFUL",
  },
  { name: "a SEPA transfer", begin: makeSepaTransfer, ...sepaTransferValues, failure: "FAILED" },
  {
    name: "a SEPA transfer of the partner",
    owner: null,
    ...sepaTransferValues,
    begin: () => tenant.call("createPartnerSepaTransfer", { amount: 250 }),
  },
  {
    name: "a SEPA deposit",
    begin: depositSepa,
    delay: "sepaDeposit",
    unitChanges: [0n, 10_000n],
    record: { type: "sepaDeposit", amount: 100 },
    webhook: "sepaDeposit",
    failure: "UNSUCCESSFUL",
  },
  {
    name: "a transfer to the master balance",
    owner: null,
    begin: () => moveToMaster("1.01"),
    delay: "transfer",
    unitChanges: [-101n, -101n],
    record: { type: "transfer", amount: -1.01 },
    webhook: "p2pTransfer",
    statuses: [],
  },
  { name: "a withdrawal", begin: withdraw, ...withdrawalValues, failure: "UNSUCCESSFUL" },
  {
    name: "a withdrawal of the partner",
    owner: null,
    ...withdrawalValues,
    begin: () => tenant.call("createPartnerCryptoWithdrawal", { amount: 100, currency: "usdc", network: "polygon" }),
  },
  {
    name: "a crypto deposit",
    begin: () => depositCrypto({ amount: "100.000001" }),
    currency: "usdc",
    delay: "cryptoDeposit",
    unitChanges: [0n, 100_000_001n],
    record: { type: "cryptoDeposit", amount: 100.000001 },
    webhook: "cryptoDeposit",
    statuses: ["SUCCESSFUL"],
    failure: "UNSUCCESSFUL",
  },
  { name: "an exchange", begin: () => exchange(""), ...exchangePayment, failure: "FAILED" },
  { name: "an exchange of the partner", owner: null, begin: () => exchange("Partner"), ...exchangePayment },
  {
    name: "a card payment",
    begin: () => useCard({ amount: "38.90" }),
    delay: "cardSettlement",
    unitChanges: [-3_890n, -3_890n],
    record: { type: "cardTransaction", amount: -38.9 },
    webhook: "cardTransaction",
  },
  {
    name: "a refund to a locked card",
    begin: () => {
      const cardId = createCard();
      changeCard("blockCard", cardId);
      useCard({ cardId, type: "partialRefund", amount: "12.50" });
    },
    delay: "cardSettlement",
    unitChanges: [0n, 1_250n],
    record: { type: "partialRefund", amount: 12.5 },
    webhook: "cardTransaction",
  },
];
const usualStatuses = ["IN_PROGRESS", "SUCCESSFUL"];

const statusesOf = (webhook: string) => tenant.eventsOf(webhook).map(({ status }) => status);
const lastStatus = (owner: string | null) => tenant.world.records.listOwned("transaction", owner).at(-1)?.states.status;

describe("a payment", () => {
  it.each(payments)("$name ends after its delay, with its events and a history record", (payment) => {
    const {
      begin,
      owner = user,
      currency = "eur",
      delay,
      unitChanges,
      record,
      webhook,
      statuses = usualStatuses,
    } = payment;
    const unitsBefore = tenant.unitsOf(owner, currency);
    begin();
    for (const [seconds, units, status] of [
      [Number(delays[delay]) - 1, unitChanges[0], "IN_PROGRESS"],
      [1, unitChanges[1], "SUCCESSFUL"],
    ] as const) {
      tenant.advance(seconds);
      expect(tenant.unitsOf(owner, currency) - unitsBefore).toBe(units);
      expect(tenant.readHistory(owner).at(-1)).toMatchObject({ ...record, status });
      expect(tenant.readHistory(owner).at(-1).btId !== undefined).toBe(status === "SUCCESSFUL");
      if (record.type !== "exchange") tenant.expectBalancesMatchHistory(user, "user-2", null);
    }
    expect(statusesOf(webhook)).toEqual(statuses);
    tenant.advance(3600);
    expect(tenant.unitsOf(owner, currency) - unitsBefore).toBe(unitChanges[1]);
  });

  it.each(
    payments.flatMap(({ failure = "", ...payment }) =>
      failure === "" ? [] : ["suspended", "deleted"].map((access) => ({ ...payment, failure, access })),
    ),
  )("$name of a user who is $access meanwhile fails, and the money is returned", (payment) => {
    const { begin, currency = "eur", webhook, statuses = usualStatuses, failure, access } = payment;
    const unitsBefore = tenant.unitsOf(user, currency);
    begin();
    tenant.setAccess(user, access);
    tenant.advance(60);
    expect([tenant.unitsOf(user, currency), lastStatus(user)]).toEqual([unitsBefore, "UNSUCCESSFUL"]);
    expect(statusesOf(webhook)).toEqual([...statuses.slice(0, -1), failure]);
    const description = access === "suspended" ? "User is suspended" : "User does not exist";
    const hasReason = ["p2pTransfer", "sepaTransfer"].includes(webhook);
    const { error } = tenant.eventsOf(webhook).at(-1);
    expect(error).toEqual(hasReason ? { description, status: 400 } : undefined);
    tenant.expectBalancesMatchHistory(user, null);
  });

  it.each(["suspended", "deleted"])("a transfer fails when its receiver is %s meanwhile", (access) => {
    const { transferId } = transfer().body;
    tenant.setAccess("user-2", access);
    tenant.advance(1);
    const { body } = tenant.call("getTransferDetails", { transferId });
    expect(body.status).toBe("UNSUCCESSFUL");
    expect(body).not.toHaveProperty("error");
    expect([tenant.eurosOf(user), tenant.unitsOf("user-2", "eur")]).toEqual(["1000.00", 0n]);
  });

  const failedStatuses = ["IN_PROGRESS", "UNSUCCESSFUL"];
  const excessiveValues = { ...exchangeValues, amount: "1000.01" };
  const allUnits = () =>
    [user, null].map((owner) => Object.keys(funds).map((currency) => tenant.unitsOf(owner, currency)));

  it.each<[string, () => unknown, string, string[]]>([
    ["SEPA transfer", () => makeSepaTransfer({ amount: "1000.01" }), "sepaTransfer", ["IN_PROGRESS", "FAILED"]],
    ["withdrawal with its fee", () => withdraw({ amount: "215.600001" }), "cryptoWithdrawal", failedStatuses],
    ["withdrawal below the minimum", () => withdraw({ amount: "4.999999" }), "cryptoWithdrawal", failedStatuses],
    ["exchange", () => exchange("", excessiveValues), "exchange", ["FAILED"]],
    ["exchange of the partner", () => exchange("Partner", excessiveValues), "exchange", ["FAILED"]],
    ["transfer to the master balance", () => moveToMaster("0.04050001", "btc"), "p2pTransfer", []],
    ["card payment", () => useCard({ amount: "1000.01" }), "cardTransaction", failedStatuses],
    ["deposit below the minimum", () => depositCrypto({ amount: "1.999999" }), "cryptoDeposit", ["UNSUCCESSFUL"]],
  ])("a %s with insufficient funds or amount is accepted, and then fails", (_, begin, webhook, statuses) => {
    const unitsBefore = allUnits();
    begin();
    tenant.advance(60);
    expect(allUnits()).toEqual(unitsBefore);
    expect(tenant.world.records.list("transaction").at(-1)?.states.status).toBe("UNSUCCESSFUL");
    expect(statusesOf(webhook)).toEqual(statuses);
    tenant.expectBalancesMatchHistory(user, null);
  });

  it.each<[string, () => unknown, string | null, string]>([
    ["a transfer", () => transfer({ amount: 1000 }), user, "eur"],
    ["a SEPA transfer", () => makeSepaTransfer({ amount: "1000.00" }), user, "eur"],
    ["two withdrawals", () => [withdraw({ amount: "5" }), withdraw({ amount: "210.2" })], user, "usdc"],
    ["an exchange", () => exchange("", { ...exchangeValues, amount: "1000.00" }), user, "eur"],
    ["a card payment", () => useCard({ amount: 1000 }), user, "eur"],
    ["a transfer to the master balance", () => moveToMaster("0.0405", "btc"), null, "btc"],
  ])("%s can use the whole balance", (_name, begin, owner, currency) => {
    begin();
    tenant.advance(60);
    expect([tenant.unitsOf(owner, currency), lastStatus(owner)]).toEqual([0n, "SUCCESSFUL"]);
  });

  it("credits the fees and the master balance to the service", () => {
    withdraw();
    moveToMaster("1000.00");
    tenant.advance(60);
    const { ledger } = tenant.world;
    expect([ledger.balance(serviceAccount, "usdc"), ledger.balance(serviceAccount, "eur")]).toEqual([
      400_000n,
      100_000n,
    ]);
  });

  it('has the reason "insufficient funds" in the event of a SEPA transfer', () => {
    makeSepaTransfer({ amount: "1000.01" });
    tenant.advance(60);
    expect(tenant.eventsOf("sepaTransfer").at(-1).error).toEqual({ description: "Insufficient funds", status: 400 });
  });
});

describe("a card payment", () => {
  it("is returned when the merchant reverses it, and not settled afterwards", () => {
    const { id: cardTransactionId } = useCard({ amount: 100 });
    tenant.triggerEvent("cardTransaction.paymentIsSettled", { cardTransactionId, status: "UNSUCCESSFUL" });
    tenant.advance(60);
    expect([tenant.eurosOf(user), statusesOf("cardTransaction")]).toEqual(["1000.00", ["IN_PROGRESS", "UNSUCCESSFUL"]]);
  });

  it.each<[string, (cardId: string) => unknown]>([
    ["with a locked card", (cardId) => changeCard("blockCard", cardId)],
    ["with a deleted card", (cardId) => changeCard("deleteCard", cardId)],
    ["of a suspended user", () => tenant.setAccess(user, "suspended")],
  ])("%s is declined at once: nothing moves", (_, prepare) => {
    const cardId = createCard();
    prepare(cardId);
    useCard({ cardId });
    expect(statusesOf("cardTransaction")).toEqual(["IN_PROGRESS", "UNSUCCESSFUL"]);
    expect([tenant.eurosOf(user), lastStatus(user)]).toEqual(["1000.00", "UNSUCCESSFUL"]);
    tenant.expectBalancesMatchHistory(user);
  });
});

describe("a SEPA deposit", () => {
  const readInfo = (externalUserId: string): Body => tenant.call("getSepaDepositInfo", { externalUserId }).body;

  it("is credited to the user or partner that its title names", () => {
    const { iban } = tenant.readBalances(user).fiatBalances[0];
    expect(readInfo(user)).toMatchObject({ iban, accountHolder: "Lena Vogel" });
    const partnerInfo = tenant.call("getPartnerSepaDepositInfo").body;
    expect(partnerInfo).toMatchObject({ accountHolder: "Example Partner Ltd", iban: expect.stringMatching(/^DE/) });
    for (const { title: transferTitle } of [readInfo(user), partnerInfo]) {
      tenant.triggerEvent("sepaDeposit.depositArrives", { transferTitle, amount: 1 });
    }
    tenant.advance(1);
    expect([tenant.eurosOf(user), tenant.eurosOf(null)]).toEqual(["1001.00", "1001.00"]);
    expect(tenant.eventsOf("sepaDeposit").map(({ externalUserId }) => externalUserId)).toEqual([
      user,
      null,
      user,
      null,
    ]);
  });

  it("adds its payer to the contacts once", () => {
    const readContacts = () => tenant.call("listSepaDepositContacts", { externalUserId: user }).body;
    for (const amount of ["1.00", "2.00"]) tenant.fund(user, amount);
    depositSepa({ sourceAccountNumber: "X", status: "UNSUCCESSFUL" });
    tenant.advance(1);
    const iban = expect.stringMatching(/^DE\d{2}99999999\d{10}$/);
    expect(readContacts()).toEqual([{ accountHolder: "Lena Vogel", iban }]);
    expect(tenant.call("listPartnerSepaDepositContacts").body).toEqual([]);
    tenant.fund(null, "1.00");
    const partnerContact = { accountHolder: "Example Partner Ltd", iban };
    expect(tenant.call("listPartnerSepaDepositContacts").body).toEqual([partnerContact]);
  });

  it.each([
    ["another title", { transferTitle: "Rent" }],
    ["a decision from outside", { status: "UNSUCCESSFUL" }],
    ["an account that is not active, whose number the deposit info leaves out", { externalUserId: "user-3" }],
  ])("is not credited with %s", (_, changes) => {
    tenant.addUser("user-3");
    expect(readInfo("user-3")).not.toHaveProperty("iban");
    const { owner } = depositSepa(changes);
    tenant.advance(1);
    expect([lastStatus(owner), statusesOf("sepaDeposit").at(-1)]).toEqual(["UNSUCCESSFUL", "UNSUCCESSFUL"]);
  });

  it("is never credited to a deleted user, even by an external event", () => {
    const { id: sepaDepositId } = depositSepa({ status: "SUCCESSFUL" });
    tenant.setAccess(user, "deleted");
    const decision = { sepaDepositId, status: "SUCCESSFUL" };
    expect(() => tenant.triggerEvent("sepaDeposit.depositIsDecided", decision)).toThrow(/was deleted/);
    tenant.advance(1);
    expect(statusesOf("sepaDeposit").at(-1)).toBe("UNSUCCESSFUL");
  });
});

describe("a crypto deposit", () => {
  const readDetails = (externalId: string) => tenant.call("getCryptoDepositDetails", { externalId }).body;
  const updateTravelRule = (cryptoDepositId: string) => {
    expect(tenant.call("updateTravelRule", { cryptoDepositId }).status).toBe(200);
  };

  it("that waits for travel rule data is released by the data, given once or twice, and credited once", () => {
    const { id } = depositCrypto({ amount: "50", status: "WAITING_FOR_TR_DATA" });
    expect(lastStatus(user)).toBe("IN_PROGRESS_TR_DATA");
    tenant.advance(3600);
    expect(readDetails(id)).toMatchObject({ status: "WAITING_FOR_TR_DATA", transactionHash: null });
    for (const _ of [1, 2]) updateTravelRule(id);
    tenant.advance(delays.travelRule);
    expect(readDetails(id)).toMatchObject({ status: "SENT", transactionHash: expect.any(String) });
    expect(lastStatus(user)).toBe("IN_PROGRESS");
    tenant.advance(delays.cryptoDeposit);
    updateTravelRule(id);
    tenant.advance(60);
    expect(tenant.unitsOf(user, "usdc")).toBe(266_000_000n);
    expect(statusesOf("cryptoDeposit")).toEqual(["WAITING_FOR_TR_DATA", "SUCCESSFUL"]);
  });

  it("can wait for a verification after the travel rule data, as in the scenario", () => {
    const { id: cryptoDepositId } = depositCrypto({ status: "WAITING_FOR_TR_DATA" });
    updateTravelRule(cryptoDepositId);
    const eventValues = { cryptoDepositId, status: "WAITING_FOR_VERIFICATION" };
    tenant.triggerEvent("cryptoDeposit.depositIsChecked", eventValues);
    tenant.advance(3600);
    tenant.triggerEvent("cryptoDeposit.depositIsReleased", { cryptoDepositId });
    tenant.advance(60);
    expect(statusesOf("cryptoDeposit")).toEqual(["WAITING_FOR_TR_DATA", "WAITING_FOR_VERIFICATION", "SUCCESSFUL"]);
  });

  it("can belong to the partner, with the minimum amount", () => {
    depositCrypto({ externalUserId: null, currency: "ltc", network: "ltc", amount: "3" });
    depositCrypto({ amount: "2" });
    tenant.advance(60);
    expect([tenant.unitsOf(null, "ltc"), tenant.unitsOf(user, "usdc")]).toEqual([300_000_000n, 218_000_000n]);
    expect(tenant.eventsOf("cryptoDeposit")[0]).toMatchObject({ externalUserId: null, amount: 3, currency: "ltc" });
  });
});

describe("a withdrawal", () => {
  it("can be free of charge", () => {
    const polygon = { fee: "0", networkFee: "0" };
    tenant.runNow(() => tenant.world.assume({ currencies: { list: { usdc: { networks: { polygon } } } } }));
    withdraw();
    tenant.advance(60);
    expect([tenant.unitsOf(user, "usdc"), lastStatus(user)]).toEqual([116_000_000n, "SUCCESSFUL"]);
  });

  const readDetails = ({ body: { withdrawalId } }: { body: Body }) =>
    tenant.call("getCryptoWithdrawalDetails", { withdrawalId }).body;

  it("without a network uses Ethereum, or the only network of its currency", () => {
    const [stablecoin, bitcoin] = [
      withdraw({ network: undefined }),
      withdraw({ network: undefined, currency: "btc", amount: 0.01 }),
    ];
    expect(readDetails(stablecoin)).toMatchObject({ currency: { network: "ethereum" }, fee: 2.37 });
    expect(readDetails(bitcoin)).toMatchObject({ currency: { network: "btc" }, fee: 0.0001215 });
  });

  it.each(["toLowerCase", "toUpperCase"] as const)(
    "to the wallet of another user is credited there, in any notation of the address (%s)",
    (form) => {
      const { wallet } = tenant.readBalances("user-2").cryptoBalances[0];
      withdraw({ walletAddress: `0x${wallet.slice(2)[form]()}` });
      tenant.advance(60);
      expect(tenant.unitsOf("user-2", "usdc")).toBe(100_000_000n);
      const { transactionHash } = tenant.eventsOf("cryptoWithdrawal")[1];
      expect(tenant.eventsOf("cryptoDeposit")).toMatchObject([
        { externalUserId: "user-2", amount: 100, transactionHash },
      ]);
    },
  );

  it.each([
    [{ currency: "usdc", network: "polygon" }, "polygon"],
    [{ currency: "btc", network: "btc" }, "bitcoin"],
    [{ currency: "usdc", network: undefined }, "withoutNetwork"],
  ])("with %j has the network fee of the example %s", (query, example) => {
    const { responses } = operationNamed(plan, "getNetworkFee");
    const documentedBody = responses.find((response) => response.example === example)?.body;
    expect(tenant.call("getNetworkFee", query).body).toEqual(JSON.parse(documentedBody ?? ""));
  });
});

describe("an exchange", () => {
  it.each([
    ["eur", "usdc", 1.08],
    ["btc", "eur", 64000],
    ["usdc", "eur", 0.925],
    ["EUR", "BTC", 0.000015625],
    ["btc", "usdc", 69189.18918918919],
  ])("from %s to %s has the rate %d, for users and the partner", (currencyFrom, currencyTo, rate) => {
    for (const operationId of ["getExchangeRate", "getPartnerExchangeRate"]) {
      const { body } = tenant.call(operationId, { currencyFrom, currencyTo });
      expect(body).toEqual({ currencyFrom: currencyFrom.toLowerCase(), currencyTo: currencyTo.toLowerCase(), rate });
    }
  });

  it("has a rate locked for 40 seconds, until the second that the lock shows", () => {
    tenant.advance(0.7);
    const { body } = tenant.call("createExchangeRateLock", { externalUserId: user, ...exchangeValues });
    expect(body).toMatchObject({ rate: 1.08, amountFrom: 200, amountTo: 216, expiresAt: "2026-04-01T07:00:50Z" });
    const status = () => tenant.world.records.get("exchangeLock", body.lockId).states.status;
    tenant.world.clock.freeze(Date.parse(body.expiresAt));
    const refusedExchange = tenant.call("createExchange", {
      externalUserId: user,
      ...exchangeValues,
      lockId: body.lockId,
    });
    expect(refusedExchange).toMatchObject({ code: "P403", notes: [expect.stringContaining("expired")] });
    expect(status()).toBe("alive");
    tenant.advance(0.7);
    expect(status()).toBe("expired");
  });

  it.each([
    ["", "getPartnerExchangeDetails"],
    ["Partner", "getExchangeDetails"],
  ] as const)("is not found by the operation for the other kind of owner: %s", (level, otherOperation) => {
    const { exchangeId } = exchange(level).body;
    expect(tenant.call(otherOperation, { exchangeId })).toMatchObject({ status: 404, code: undefined });
  });
});

it("the history is split by UTC months, and covers twelve months", () => {
  tenant.world.clock.freeze(Date.parse("2026-04-30T23:59:58.999Z"));
  tenant.fund(user, "1.00");
  tenant.world.clock.freeze(Date.parse("2026-05-01T00:00:00.000Z"));
  tenant.fund(user, "2.00");
  expect(tenant.readHistory(user, "04").at(-1)?.amount).toBe(1);
  expect(tenant.readHistory(user, "05").map(({ amount }) => amount)).toEqual([2]);
  expect(tenant.readHistory(user, "05", "2025")).toEqual([]);
});
