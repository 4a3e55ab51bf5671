/** Random actions of singleOrChain users, and external events. `known.ts` turns an action into a request by inserting known identifiers. */
import fc from "fast-check";

export type Fields = Readonly<Record<string, unknown>>;

/** A call of an operation or of the control interface. A value such as `$n lockId` stands for a known identifier of this name. */
export type Action =
  | { readonly operationId: string; readonly values: Fields }
  | { readonly target: string; readonly body: Fields };

const users = ["ann", "bob", "eve"];
const user = fc.constantFrom("ann", ...users);
const owner = fc.oneof({ weight: 4, arbitrary: user }, { weight: 1, arbitrary: fc.constant(null) });
const countries = fc.constantFrom("SE", "DE", "XR", "XN", "XE", "XH");
const currency = fc.constantFrom("eur", "eur", "usdc", "btc");
const amount = fc.constantFrom(10, 0.01, 25.5, 100, 1e-7, 0.3333, 999, 0);
const fiat = fc.constantFrom("10.00", "100", "0.07", "5000", "1");
const identifier = (name: string) => fc.nat(2).map((index) => `$${index} ${name}`);

function call(operationId: string, values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {}): fc.Arbitrary<Action> {
  return fc.record(values).map((made) => ({ operationId, values: made }));
}

function control(target: fc.Arbitrary<string> | string, body: Readonly<Record<string, fc.Arbitrary<unknown>>>) {
  const actions = fc.record({
    target: typeof target === "string" ? fc.constant(target) : target,
    body: fc.record(body),
  });
  return actions as fc.Arbitrary<Action>;
}

const triggerEvent = (resource: string, event: string, fields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {}) =>
  control("/events", { resource: fc.constant(resource), event: fc.constant(event), ...fields });

const sender = { sourceExternalUserId: user };
const userValues = { externalUserId: user };
const exchange = {
  amount: fc.constantFrom("10", "25.5", "0.01"),
  currencyFrom: fc.constantFrom("eur", "usdc"),
  currencyTo: fc.constantFrom("btc", "ltc", "usdc"),
};
/** Only two or three values each, so that users collide. */
const contact = {
  phone: fc.constantFrom("491", "492"),
  email: fc.constantFrom("a@x.example", "A@x.example", "b@x.example"),
};
const card = { ...userValues, cardId: identifier("cardId") };
const status = (...values: string[]) => ({ status: fc.constantFrom(...values) });

const people = [
  call("createUserAccount", { ...userValues, ...contact, country: countries }),
  call("updateUser", { ...userValues, ...contact }),
  call("deleteUser", userValues),
  call("suspendUser", userValues),
  call("unsuspendUser", userValues),
  call("extendUser", userValues),
  call("addKycFiles", userValues),
  call("addPoaFiles", userValues),
  call("addUserVerification", { ...userValues, documentNumber: fc.constantFrom("T1", "T2") }),
  call("createKycVerification", userValues),
  call("getKycStatus", userValues),
  triggerEvent("kycVerification", "kycIsDecided", status("SUCCESSFUL", "REJECTED_BY_PROVIDER")),
  triggerEvent("riskVerification", "riskIsChecked", userValues),
  triggerEvent("riskVerification", "riskIsDecided", status("APPROVED", "REJECTED")),
  triggerEvent("user", "addressIsDecided", { ...userValues, ...status("APPROVED", "REJECTED", "QUESTIONED") }),
  triggerEvent("iban", "ibanIsDecided", status("APPROVED", "REJECTED")),
];

const passTime = control("/clock", {
  advance: fc.constantFrom("1 second", "2 seconds", "5 seconds", "1 minute", "3 days"),
});
const fundUser = (name: fc.Arbitrary<string>, extended: fc.Arbitrary<boolean>) =>
  control(
    name.map((id) => `/users/${id}`),
    { extended, funds: fc.record({ eur: fiat, usdc: fiat, btc: fiat }) },
  );

/** These actions get a higher weight, because most others need a verified user with money. */
const preparations = [
  fundUser(user, fc.boolean()),
  control("/partner", { funds: fc.record({ eur: fiat, usdc: fiat }) }),
  passTime,
];

const money = [
  call("createTransfer", { ...sender, destinationExternalUserId: user, amount, currency }),
  call("createTransfer", { sourceExternalUserId: owner, destinationExternalUserId: owner, amount, currency }),
  call("getTransferDetails", { transferId: identifier("transferId") }),
  call("createSepaTransfer", { ...sender, amount }),
  call("createPartnerSepaTransfer", { amount }),
  call("getSepaTransferDetails", { transferId: identifier("transferId") }),
  call("createCryptoWithdrawal", {
    ...sender,
    amount,
    currency,
    network: fc.constantFrom("polygon", null),
  }),
  call("createCryptoWithdrawal", { ...sender, walletAddress: identifier("wallet") }),
  call("createPartnerCryptoWithdrawal", { amount, walletAddress: identifier("wallet") }),
  call("getCryptoWithdrawalDetails", { withdrawalId: identifier("withdrawalId") }),
  call("transferToMasterBalance", { amount, currency }),
  call("createExchangeRateLock", { ...userValues, ...exchange }),
  call("createPartnerExchangeRateLock", exchange),
  call("createExchange", { lockId: identifier("lockId") }),
  call("createExchange", { ...userValues, lockId: identifier("lockId") }),
  call("createPartnerExchange", { lockId: identifier("lockId") }),
  call("getExchangeDetails", { exchangeId: identifier("exchangeId") }),
  call("createOrderRateLock", { amount: fiat }),
  call("createOrder", { lockId: identifier("lockId") }),
  call("getOrderDetails", { orderId: identifier("orderId") }),
  call("createPaymentLink", { amount: fiat }),
  call("getPaymentLinkDetails", { paymentLinkId: identifier("paymentLinkId") }),
  call("createPartnerWallet", { currency }),
  call("getSepaDepositInfo", userValues),
  call("listSepaDepositContacts", userValues),
  triggerEvent("sepaDeposit", "depositArrives", { externalUserId: owner, amount: fiat }),
  triggerEvent("sepaDeposit", "depositIsDecided", status("SUCCESSFUL", "UNSUCCESSFUL")),
  triggerEvent("cryptoDeposit", "depositArrives", {
    externalUserId: owner,
    currency,
    ...status("SENT", "WAITING_FOR_TR_DATA"),
  }),
  triggerEvent("cryptoDeposit", "depositIsDecided", status("SUCCESSFUL", "UNSUCCESSFUL")),
  call("updateTravelRule", { cryptoDepositId: identifier("cryptoDepositId") }),
  triggerEvent("order", "paymentIsConfirmed", status("COMPLETED", "FAILED")),
  triggerEvent("paymentLink", "paymentArrives", { cryptocurrency: fc.constantFrom("usdc", "btc") }),
  triggerEvent("paymentLink", "paymentIsConfirmed", status("COMPLETED", "FAILED")),
  triggerEvent("exchangeLock", "lockExpires"),
];

const cards = [
  call("createVirtualCard", userValues),
  call("blockCard", card),
  call("unblockCard", card),
  call("deleteCard", card),
  call("updateCardLimits", card),
  call("listUserCards", userValues),
  triggerEvent("card", "cardIsBlocked", status("BLOCKED", "SUSPENDED")),
  triggerEvent("card", "cardIsReleased"),
  triggerEvent("cardTransaction", "cardIsUsed", {
    amount: fiat,
    type: fc.constantFrom("cardTransaction", "partialRefund"),
  }),
  triggerEvent("cardTransaction", "paymentIsSettled", status("SUCCESSFUL", "UNSUCCESSFUL")),
];

const lockFor = {
  currencyFrom: fc.constant("eur"),
  currencyTo: fc.constantFrom("usdc", "btc"),
  amount: exchange.amount,
};
const eveValues = { externalUserId: fc.constant("eve") };
const annValues = { externalUserId: fc.constant("ann") };
const annAsSender = { sourceExternalUserId: fc.constant("ann") };
const annAsReceiver = { destinationExternalUserId: fc.constant("ann") };
const suspendOrDelete = fc.oneof(call("suspendUser", annValues), call("deleteUser", annValues));
const newestId = (name: string) => fc.constant(`$0 ${name}`);

const chains = [
  [
    call("createUserAccount", { ...eveValues, country: countries }),
    call("addKycFiles", eveValues),
    call("addUserVerification", eveValues),
    passTime,
    passTime,
  ],
  [
    call("createExchangeRateLock", { ...userValues, ...lockFor }),
    call("createExchange", { lockId: newestId("lockId") }),
    passTime,
  ],
  [
    call("createPartnerExchangeRateLock", lockFor),
    call("createPartnerExchange", { lockId: newestId("lockId") }),
    passTime,
    call("getPartnerExchangeDetails", { exchangeId: newestId("exchangeId") }),
  ],
  [call("createOrderRateLock"), call("createOrder", { lockId: newestId("lockId") }), passTime, passTime],
  [call("createTransfer", { ...sender, destinationExternalUserId: owner, amount, currency }), passTime],
  [call("createVirtualCard", userValues), triggerEvent("cardTransaction", "cardIsUsed", { amount: fiat }), passTime],
  [call("createPaymentLink", { amount: fiat }), triggerEvent("paymentLink", "paymentArrives"), passTime],
  [
    triggerEvent("cryptoDeposit", "depositArrives", {
      externalUserId: owner,
      ...status("SENT", "WAITING_FOR_TR_DATA"),
    }),
    call("updateTravelRule", { cryptoDepositId: newestId("cryptoDepositId") }),
    passTime,
  ],
  [call("createCryptoWithdrawal", { ...sender, walletAddress: identifier("wallet") }), passTime, passTime],
  [
    call("createExchangeRateLock", { ...annValues, ...lockFor }),
    call("createExchange", { lockId: newestId("lockId") }),
    suspendOrDelete,
    passTime,
  ],
  [
    call("createTransfer", { ...annAsSender, destinationExternalUserId: user, amount, currency }),
    suspendOrDelete,
    passTime,
  ],
  [
    call("createTransfer", { sourceExternalUserId: fc.constant("bob"), ...annAsReceiver, amount, currency }),
    suspendOrDelete,
    passTime,
  ],
  [call("createSepaTransfer", { ...annAsSender, amount }), suspendOrDelete, passTime],
  [call("createCryptoWithdrawal", { ...annAsSender, walletAddress: identifier("wallet") }), suspendOrDelete, passTime],
  [
    call("createVirtualCard", annValues),
    triggerEvent("cardTransaction", "cardIsUsed", { amount: fiat }),
    suspendOrDelete,
    passTime,
  ],
].map((steps) =>
  fc.tuple(...steps.map((step) => fc.option(step, { freq: 10 }))).map((made) => made.filter((step) => step !== null)),
);

const singleActions = fc.oneof(
  { weight: 3, arbitrary: fc.oneof(...people) },
  { weight: 2, arbitrary: fc.oneof(...preparations) },
  { weight: 4, arbitrary: fc.oneof(...money) },
  { weight: 2, arbitrary: fc.oneof(...cards) },
);
const singleOrChain = fc.oneof(
  { weight: 3, arbitrary: singleActions.map((action) => [action]) },
  { weight: 2, arbitrary: fc.oneof(...chains) },
);

export function sequencesOf(length: number): fc.Arbitrary<Action[]> {
  const fundings = ["ann", "bob"].map((name) => fc.option(fundUser(fc.constant(name), fc.constant(true)), { freq: 8 }));
  const actionList = fc.array(singleOrChain, { minLength: 1, maxLength: length, size: "max" });
  return fc
    .tuple(fc.tuple(...fundings), actionList)
    .map(([first, rest]) => [...first.filter((action) => action !== null), ...rest.flat()]);
}
