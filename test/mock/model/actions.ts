import fc from "fast-check";

export type Fields = Readonly<Record<string, unknown>>;

/** A call of an operation or of the control interface. A value such as `$0 lockId` stands for a known identifier of this name. */
export type Action =
  | { readonly operationId: string; readonly values: Fields }
  | { readonly target: string; readonly body: Fields };

const users = ["ann", "bob", "eve"];
const anyUser = fc.constantFrom("ann", ...users);
const anyOwner = fc.oneof({ weight: 4, arbitrary: anyUser }, { weight: 1, arbitrary: fc.constant(null) });
const countries = fc.constantFrom("SE", "DE", "XR", "XN", "XE", "XH");
const currency = fc.constantFrom("eur", "eur", "usdc", "btc");
const amount = fc.constantFrom(10, 0.01, 25.5, 100, 1e-7, 0.3333, 999, 0);
const amountText = fc.constantFrom("10.00", "100", "0.07", "5000", "1");
const identifier = (name: string) => fc.nat(2).map((index) => `$${index} ${name}`);

function call(operationId: string, values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {}): fc.Arbitrary<Action> {
  return fc.record(values).map((drawnValues) => ({ operationId, values: drawnValues }));
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

const senderValues = { sourceExternalUserId: anyUser };
const userValues = { externalUserId: anyUser };
const exchange = {
  amount: fc.constantFrom("10", "25.5", "0.01"),
  currencyFrom: fc.constantFrom("eur", "usdc"),
  currencyTo: fc.constantFrom("btc", "ltc", "usdc"),
};
/** Each attribute has only two or three values, so that several users often claim the same value. */
const contact = {
  phone: fc.constantFrom("491", "492"),
  email: fc.constantFrom("a@x.example", "A@x.example", "b@x.example"),
};
const cardValues = { ...userValues, cardId: identifier("cardId") };
const statusIn = (...values: string[]) => ({ status: fc.constantFrom(...values) });

const userActions = [
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
  triggerEvent("kycVerification", "kycIsDecided", statusIn("SUCCESSFUL", "REJECTED_BY_PROVIDER")),
  triggerEvent("riskVerification", "riskIsChecked", userValues),
  triggerEvent("riskVerification", "riskIsDecided", statusIn("APPROVED", "REJECTED")),
  triggerEvent("user", "addressIsDecided", { ...userValues, ...statusIn("APPROVED", "REJECTED", "QUESTIONED") }),
  triggerEvent("iban", "ibanIsDecided", statusIn("APPROVED", "REJECTED")),
];

const clockAdvance = control("/clock", {
  advance: fc.constantFrom("1 second", "2 seconds", "5 seconds", "1 minute", "3 days"),
});
const fundUser = (name: fc.Arbitrary<string>, extended: fc.Arbitrary<boolean>) =>
  control(
    name.map((id) => `/users/${id}`),
    { extended, funds: fc.record({ eur: amountText, usdc: amountText, btc: amountText }) },
  );

/** These actions get a higher weight, because most others need a verified user with money. */
const preparations = [
  fundUser(anyUser, fc.boolean()),
  control("/partner", { funds: fc.record({ eur: amountText, usdc: amountText }) }),
  clockAdvance,
];

const moneyActions = [
  call("createTransfer", { ...senderValues, destinationExternalUserId: anyUser, amount, currency }),
  call("createTransfer", { sourceExternalUserId: anyOwner, destinationExternalUserId: anyOwner, amount, currency }),
  call("getTransferDetails", { transferId: identifier("transferId") }),
  call("createSepaTransfer", { ...senderValues, amount }),
  call("createPartnerSepaTransfer", { amount }),
  call("getSepaTransferDetails", { transferId: identifier("transferId") }),
  call("createCryptoWithdrawal", {
    ...senderValues,
    amount,
    currency,
    network: fc.constantFrom("polygon", null),
  }),
  call("createCryptoWithdrawal", { ...senderValues, walletAddress: identifier("wallet") }),
  call("createPartnerCryptoWithdrawal", { amount, walletAddress: identifier("wallet") }),
  call("getCryptoWithdrawalDetails", { withdrawalId: identifier("withdrawalId") }),
  call("transferToMasterBalance", { amount, currency }),
  call("createExchangeRateLock", { ...userValues, ...exchange }),
  call("createPartnerExchangeRateLock", exchange),
  call("createExchange", { lockId: identifier("lockId") }),
  call("createExchange", { ...userValues, lockId: identifier("lockId") }),
  call("createPartnerExchange", { lockId: identifier("lockId") }),
  call("getExchangeDetails", { exchangeId: identifier("exchangeId") }),
  call("createOrderRateLock", { amount: amountText }),
  call("createOrder", { lockId: identifier("lockId") }),
  call("getOrderDetails", { orderId: identifier("orderId") }),
  call("createPaymentLink", { amount: amountText }),
  call("getPaymentLinkDetails", { paymentLinkId: identifier("paymentLinkId") }),
  call("createPartnerWallet", { currency }),
  call("getSepaDepositInfo", userValues),
  call("listSepaDepositContacts", userValues),
  triggerEvent("sepaDeposit", "depositArrives", { externalUserId: anyOwner, amount: amountText }),
  triggerEvent("sepaDeposit", "depositIsDecided", statusIn("SUCCESSFUL", "UNSUCCESSFUL")),
  triggerEvent("cryptoDeposit", "depositArrives", {
    externalUserId: anyOwner,
    currency,
    ...statusIn("SENT", "WAITING_FOR_TR_DATA"),
  }),
  triggerEvent("cryptoDeposit", "depositIsDecided", statusIn("SUCCESSFUL", "UNSUCCESSFUL")),
  call("updateTravelRule", { cryptoDepositId: identifier("cryptoDepositId") }),
  triggerEvent("order", "paymentIsConfirmed", statusIn("COMPLETED", "FAILED")),
  triggerEvent("paymentLink", "paymentArrives", { cryptocurrency: fc.constantFrom("usdc", "btc") }),
  triggerEvent("paymentLink", "paymentIsConfirmed", statusIn("COMPLETED", "FAILED")),
  triggerEvent("exchangeLock", "lockExpires"),
];

const cardActions = [
  call("createVirtualCard", userValues),
  call("blockCard", cardValues),
  call("unblockCard", cardValues),
  call("deleteCard", cardValues),
  call("updateCardLimits", cardValues),
  call("listUserCards", userValues),
  triggerEvent("card", "cardIsBlocked", statusIn("BLOCKED", "SUSPENDED")),
  triggerEvent("card", "cardIsReleased"),
  triggerEvent("cardTransaction", "cardIsUsed", {
    amount: amountText,
    type: fc.constantFrom("cardTransaction", "partialRefund"),
  }),
  triggerEvent("cardTransaction", "paymentIsSettled", statusIn("SUCCESSFUL", "UNSUCCESSFUL")),
];

const lockValues = {
  currencyFrom: fc.constant("eur"),
  currencyTo: fc.constantFrom("usdc", "btc"),
  amount: exchange.amount,
};
const eveValues = { externalUserId: fc.constant("eve") };
const annValues = { externalUserId: fc.constant("ann") };
const annAsSender = { sourceExternalUserId: fc.constant("ann") };
const annAsReceiver = { destinationExternalUserId: fc.constant("ann") };
const suspensionOrDeletion = fc.oneof(call("suspendUser", annValues), call("deleteUser", annValues));
const newestId = (name: string) => fc.constant(`$0 ${name}`);

const chains = [
  [
    call("createUserAccount", { ...eveValues, country: countries }),
    call("addKycFiles", eveValues),
    call("addUserVerification", eveValues),
    clockAdvance,
    clockAdvance,
  ],
  [
    call("createExchangeRateLock", { ...userValues, ...lockValues }),
    call("createExchange", { lockId: newestId("lockId") }),
    clockAdvance,
  ],
  [
    call("createPartnerExchangeRateLock", lockValues),
    call("createPartnerExchange", { lockId: newestId("lockId") }),
    clockAdvance,
    call("getPartnerExchangeDetails", { exchangeId: newestId("exchangeId") }),
  ],
  [call("createOrderRateLock"), call("createOrder", { lockId: newestId("lockId") }), clockAdvance, clockAdvance],
  [call("createTransfer", { ...senderValues, destinationExternalUserId: anyOwner, amount, currency }), clockAdvance],
  [
    call("createVirtualCard", userValues),
    triggerEvent("cardTransaction", "cardIsUsed", { amount: amountText }),
    clockAdvance,
  ],
  [call("createPaymentLink", { amount: amountText }), triggerEvent("paymentLink", "paymentArrives"), clockAdvance],
  [
    triggerEvent("cryptoDeposit", "depositArrives", {
      externalUserId: anyOwner,
      ...statusIn("SENT", "WAITING_FOR_TR_DATA"),
    }),
    call("updateTravelRule", { cryptoDepositId: newestId("cryptoDepositId") }),
    clockAdvance,
  ],
  [
    call("createCryptoWithdrawal", { ...senderValues, walletAddress: identifier("wallet") }),
    clockAdvance,
    clockAdvance,
  ],
  [
    call("createExchangeRateLock", { ...annValues, ...lockValues }),
    call("createExchange", { lockId: newestId("lockId") }),
    suspensionOrDeletion,
    clockAdvance,
  ],
  [
    call("createTransfer", { ...annAsSender, destinationExternalUserId: anyUser, amount, currency }),
    suspensionOrDeletion,
    clockAdvance,
  ],
  [
    call("createTransfer", { sourceExternalUserId: fc.constant("bob"), ...annAsReceiver, amount, currency }),
    suspensionOrDeletion,
    clockAdvance,
  ],
  [call("createSepaTransfer", { ...annAsSender, amount }), suspensionOrDeletion, clockAdvance],
  [
    call("createCryptoWithdrawal", { ...annAsSender, walletAddress: identifier("wallet") }),
    suspensionOrDeletion,
    clockAdvance,
  ],
  [
    call("createVirtualCard", annValues),
    triggerEvent("cardTransaction", "cardIsUsed", { amount: amountText }),
    suspensionOrDeletion,
    clockAdvance,
  ],
].map((steps) =>
  fc
    .tuple(...steps.map((step) => fc.option(step, { freq: 10 })))
    .map((drawnSteps) => drawnSteps.filter((step) => step !== null)),
);

const singleActions = fc.oneof(
  { weight: 3, arbitrary: fc.oneof(...userActions) },
  { weight: 2, arbitrary: fc.oneof(...preparations) },
  { weight: 4, arbitrary: fc.oneof(...moneyActions) },
  { weight: 2, arbitrary: fc.oneof(...cardActions) },
);
const singleOrChain = fc.oneof(
  { weight: 3, arbitrary: singleActions.map((action) => [action]) },
  { weight: 2, arbitrary: fc.oneof(...chains) },
);

export function sequencesOf(maxActionsOrChains: number): fc.Arbitrary<Action[]> {
  const fundings = ["ann", "bob"].map((name) => fc.option(fundUser(fc.constant(name), fc.constant(true)), { freq: 8 }));
  const actionList = fc.array(singleOrChain, { minLength: 1, maxLength: maxActionsOrChains, size: "max" });
  return fc
    .tuple(fc.tuple(...fundings), actionList)
    .map(([first, rest]) => [...first.filter((action) => action !== null), ...rest.flat()]);
}
