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
  const made = fc.record({ target: typeof target === "string" ? fc.constant(target) : target, body: fc.record(body) });
  return made as fc.Arbitrary<Action>;
}

const triggerEvent = (resource: string, event: string, about: Readonly<Record<string, fc.Arbitrary<unknown>>> = {}) =>
  control("/events", { resource: fc.constant(resource), event: fc.constant(event), ...about });

const sender = { sourceExternalUserId: user };
const ofUser = { externalUserId: user };
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
const card = { ...ofUser, cardId: identifier("cardId") };
const status = (...values: string[]) => ({ status: fc.constantFrom(...values) });

const people = [
  call("createUserAccount", { ...ofUser, ...contact, country: countries }),
  call("updateUser", { ...ofUser, ...contact }),
  call("deleteUser", ofUser),
  call("suspendUser", ofUser),
  call("unsuspendUser", ofUser),
  call("extendUser", ofUser),
  call("addKycFiles", ofUser),
  call("addPoaFiles", ofUser),
  call("addUserVerification", { ...ofUser, documentNumber: fc.constantFrom("T1", "T2") }),
  call("createKycVerification", ofUser),
  call("getKycStatus", ofUser),
  triggerEvent("kycVerification", "kycIsDecided", status("SUCCESSFUL", "REJECTED_BY_PROVIDER")),
  triggerEvent("riskVerification", "riskIsChecked", ofUser),
  triggerEvent("riskVerification", "riskIsDecided", status("APPROVED", "REJECTED")),
  triggerEvent("user", "addressIsDecided", { ...ofUser, ...status("APPROVED", "REJECTED", "QUESTIONED") }),
  triggerEvent("iban", "ibanIsDecided", status("APPROVED", "REJECTED")),
];

const pass = control("/clock", {
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
  pass,
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
  call("createExchangeRateLock", { ...ofUser, ...exchange }),
  call("createPartnerExchangeRateLock", exchange),
  call("createExchange", { lockId: identifier("lockId") }),
  call("createExchange", { ...ofUser, lockId: identifier("lockId") }),
  call("createPartnerExchange", { lockId: identifier("lockId") }),
  call("getExchangeDetails", { exchangeId: identifier("exchangeId") }),
  call("createOrderRateLock", { amount: fiat }),
  call("createOrder", { lockId: identifier("lockId") }),
  call("getOrderDetails", { orderId: identifier("orderId") }),
  call("createPaymentLink", { amount: fiat }),
  call("getPaymentLinkDetails", { paymentLinkId: identifier("paymentLinkId") }),
  call("createPartnerWallet", { currency }),
  call("getSepaDepositInfo", ofUser),
  call("listSepaDepositContacts", ofUser),
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
  call("createVirtualCard", ofUser),
  call("blockCard", card),
  call("unblockCard", card),
  call("deleteCard", card),
  call("updateCardLimits", card),
  call("listUserCards", ofUser),
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
const ofEve = { externalUserId: fc.constant("eve") };
const ofAnn = { externalUserId: fc.constant("ann") };
const fromAnn = { sourceExternalUserId: fc.constant("ann") };
const toAnn = { destinationExternalUserId: fc.constant("ann") };
const suspendOrDelete = fc.oneof(call("suspendUser", ofAnn), call("deleteUser", ofAnn));
const newest = (name: string) => fc.constant(`$0 ${name}`);

const chains = [
  [
    call("createUserAccount", { ...ofEve, country: countries }),
    call("addKycFiles", ofEve),
    call("addUserVerification", ofEve),
    pass,
    pass,
  ],
  [
    call("createExchangeRateLock", { ...ofUser, ...lockFor }),
    call("createExchange", { lockId: newest("lockId") }),
    pass,
  ],
  [
    call("createPartnerExchangeRateLock", lockFor),
    call("createPartnerExchange", { lockId: newest("lockId") }),
    pass,
    call("getPartnerExchangeDetails", { exchangeId: newest("exchangeId") }),
  ],
  [call("createOrderRateLock"), call("createOrder", { lockId: newest("lockId") }), pass, pass],
  [call("createTransfer", { ...sender, destinationExternalUserId: owner, amount, currency }), pass],
  [call("createVirtualCard", ofUser), triggerEvent("cardTransaction", "cardIsUsed", { amount: fiat }), pass],
  [call("createPaymentLink", { amount: fiat }), triggerEvent("paymentLink", "paymentArrives"), pass],
  [
    triggerEvent("cryptoDeposit", "depositArrives", {
      externalUserId: owner,
      ...status("SENT", "WAITING_FOR_TR_DATA"),
    }),
    call("updateTravelRule", { cryptoDepositId: newest("cryptoDepositId") }),
    pass,
  ],
  [call("createCryptoWithdrawal", { ...sender, walletAddress: identifier("wallet") }), pass, pass],
  [
    call("createExchangeRateLock", { ...ofAnn, ...lockFor }),
    call("createExchange", { lockId: newest("lockId") }),
    suspendOrDelete,
    pass,
  ],
  [call("createTransfer", { ...fromAnn, destinationExternalUserId: user, amount, currency }), suspendOrDelete, pass],
  [
    call("createTransfer", { sourceExternalUserId: fc.constant("bob"), ...toAnn, amount, currency }),
    suspendOrDelete,
    pass,
  ],
  [call("createSepaTransfer", { ...fromAnn, amount }), suspendOrDelete, pass],
  [call("createCryptoWithdrawal", { ...fromAnn, walletAddress: identifier("wallet") }), suspendOrDelete, pass],
  [
    call("createVirtualCard", ofAnn),
    triggerEvent("cardTransaction", "cardIsUsed", { amount: fiat }),
    suspendOrDelete,
    pass,
  ],
].map((steps) =>
  fc.tuple(...steps.map((step) => fc.option(step, { freq: 10 }))).map((made) => made.filter((step) => step !== null)),
);

const single = fc.oneof(
  { weight: 3, arbitrary: fc.oneof(...people) },
  { weight: 2, arbitrary: fc.oneof(...preparations) },
  { weight: 4, arbitrary: fc.oneof(...money) },
  { weight: 2, arbitrary: fc.oneof(...cards) },
);
const singleOrChain = fc.oneof(
  { weight: 3, arbitrary: single.map((action) => [action]) },
  { weight: 2, arbitrary: fc.oneof(...chains) },
);

export function sequencesOf(length: number): fc.Arbitrary<Action[]> {
  const before = ["ann", "bob"].map((name) => fc.option(fundUser(fc.constant(name), fc.constant(true)), { freq: 8 }));
  const after = fc.array(singleOrChain, { minLength: 1, maxLength: length, size: "max" });
  return fc
    .tuple(fc.tuple(...before), after)
    .map(([first, rest]) => [...first.filter((action) => action !== null), ...rest.flat()]);
}
