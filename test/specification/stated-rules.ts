/**
 * The sentences of the interface specification that are no line of a table: where the contract says the same, or which
 * check holds it. What the specification says is not shown is in not-shown.ts.
 */

export interface Rule {
  quote: string;
  /** An operationId, the key of a webhook, `info`, or a tag, schema or guide, as in `guide:onboarding`. */
  in: string;
  says: RegExp[];
}

export const rules: Rule[] = [
  {
    quote:
      "The service is an HTTP and JSON interface for partners who run a crypto and fiat account platform for their own end users.",
    in: "info",
    says: [/HTTP and JSON interface/, /crypto and fiat account platform/],
  },
  {
    quote: "A partner creates end users, each identified by a partner-chosen `externalUserId`.",
    in: "info",
    says: [/`externalUserId`/, /cho(ose|sen)/],
  },
  {
    quote: "The partner verifies their identity (KYC) and then acts for them.",
    in: "info",
    says: [/verif/, /acts? for them/],
  },
  {
    quote:
      "Actions: read balances and monthly transaction history, exchange currencies, deposit and withdraw crypto, make SEPA and internal transfers, issue virtual cards, place orders against a locked rate, and create payment links.",
    in: "info",
    says: [
      /balances/,
      /histor/,
      /exchang/,
      /deposit/,
      /withdraw/,
      /SEPA/,
      /transfer/,
      /virtual cards?/,
      /orders?.*lock/s,
      /payment links?/,
    ],
  },
  {
    quote:
      "The partner also has operations on its own balances (get balances, create wallet, transaction history, exchange, crypto withdrawal, SEPA transfer, transfer to the master balance).",
    in: "info",
    says: [/(its|their|the partner's) own balances|balances of (its|the partner's|their) own/],
  },
  {
    quote:
      "(get balances, create wallet, transaction history, exchange, crypto withdrawal, SEPA transfer, transfer to the master balance)",
    in: "tag:Partner",
    says: [
      /own balances: Get Balances, Create Wallet, transaction history, exchange/,
      /crypto withdrawal, SEPA transfer, and transfer to the master balance/,
    ],
  },
  {
    quote: "| status | string | SUCCESSFUL or a failure value |",
    in: "p2pTransfer",
    says: [/completed \(SUCCESSFUL\) or failed/, /value of a failed transfer is not stated/],
  },
  {
    quote: "a webhook is dispatched (the KYC verification webhook family)",
    in: "kycVerificationStatus",
    says: [/webhook of the KYC verification family is dispatched/, /Which one is not stated/],
  },
  ...[
    "getSepaDepositInfo",
    "listSepaDepositContacts",
    "getPartnerSepaDepositInfo",
    "listPartnerSepaDepositContacts",
  ].map((operation) => ({
    quote: "SEPA Deposit Info and Deposit Contact List",
    in: operation,
    says: [/"SEPA Deposit Info[^"]* and Deposit Contact List[^"]*" as one entry/, /is a reading of it/],
  })),
  {
    quote: "Results of asynchronous operations are delivered by webhooks to a server of the partner.",
    in: "info",
    says: [/asynchronous operations/, /webhooks/, /server of the partner/],
  },
  {
    quote: "1. Create the user (Create User Account).",
    in: "guide:onboarding",
    says: [/order of the steps is stated.*1\. Create the user.*2\. Submit.*3\. Add.*4\. Finalise/],
  },
  {
    quote:
      "2. Submit identity documents either with the multipart upload operation (Add KYC File) or with the hosted KYC flow (Creating KYC Verification, Redirect to Verification, Get KYC Status).",
    in: "guide:onboarding",
    says: [
      /Submit the identity documents in one of two ways: \[upload the files\]\(operation:addKycFiles\), or .{0,30}hosted page\]\(operation:createKycVerification\)/,
      /Way two: the hosted page 1\. \[Creating KYC Verification\].*2\. .*\[Redirect to Verification\].*3\. \[Get KYC Status\]/,
    ],
  },
  {
    quote:
      "3. When `poaRequiredForExtended` is true, a proof-of-address file is added (an Add POA File operation exists).",
    in: "guide:onboarding",
    says: [
      /3\. Add a \[proof of address\]\(operation:addPoaFiles\)/,
      /`poaRequiredForExtended` is true.{0,60}Add POA File/,
    ],
  },
  {
    quote:
      "4. Finalise with Add User Verification. It runs asynchronously and a webhook is dispatched when it completes successfully.",
    in: "guide:onboarding",
    says: [
      /4\. Finalise with \[Add User Verification\]/,
      /201: the verification runs\. The outcome comes by webhook/,
      /webhook of the KYC verification family is dispatched when Add User Verification completes successfully \{mark:specification\}/,
    ],
  },
  {
    quote:
      "5. Operations that need a verified user fail with P459 for an unverified user. The card listing operation fails with P461 for a user who is not extended.",
    in: "guide:onboarding",
    says: [
      /Operations that need a verified user refuse a user whose identity is not verified \(P459\) \{mark:specification\}/,
      /card listing refuses a user who is not extended \(P461\) \{mark:specification\}/,
    ],
  },
  {
    quote:
      "| externalUserId | string | Chosen by the partner; unique per user; used in paths of user operations; reuse is an error |",
    in: "createUserAccount",
    says: [/unique/, /partner's own|chosen by the partner|partner chooses/, /P411|exists already|already exists/],
  },
  {
    quote:
      "an externalUserId that already exists is rejected. A phone or e-mail already used by another user gives P464 or P465. A forbidden country gives P431.",
    in: "createUserAccount",
    says: [/`?externalUserId`? that (already exists|exists already)/, /P464/, /P465/, /P431/],
  },
  {
    quote: "It covers all crypto and fiat transactions of that month and year.",
    in: "getUserTransactionHistory",
    says: [/all crypto and fiat transactions/i],
  },
  {
    quote: "| History window | a month within the past 12 months |",
    in: "getUserTransactionHistory",
    says: [/past 12 months/],
  },
  {
    quote:
      "the returned `lockId` is used to place an order (Create and Finalize an Order). A separate Get Rates operation checks rates without creating a lock.",
    in: "createOrderRateLock",
    says: [/`lockId`/s, /Create and Finalize an Order/s, /Get Rates.{0,80}without (creating )?a lock/s],
  },
  {
    quote: "| Rate lock lifetime | limited; the end is given by `expiresAt` in the lock record |",
    in: "createOrderRateLock",
    says: [/limited time/, /`expiresAt`/],
  },
  { quote: "Only the fields provided are updated.", in: "updateUser", says: [/only the fields provided are updated/i] },
  {
    quote: "any subset of the user attributes, such as email, phone and address fields.",
    in: "updateUser",
    says: [/any subset of the user attributes/i],
  },
  {
    quote: "changing the country is refused with P452.",
    in: "updateUser",
    says: [/country.{0,30}refused.{0,10}P452/s],
  },
  {
    quote: "All files can be sent at once, or missing ones later.",
    in: "addKycFiles",
    says: [/at once, or missing ones later/],
  },
  {
    quote: "PASSPORT needs front and selfie; ID_CARD needs front, back and selfie.",
    in: "addKycFiles",
    says: [/PASSPORT/, /ID_CARD/],
  },
  {
    quote: "Call only after all required documents are uploaded. The verification is asynchronous.",
    in: "addUserVerification",
    says: [/only after all required documents are uploaded/i, /asynchronous/],
  },
  {
    quote:
      "| Add User Verification completes successfully | a webhook is dispatched (the KYC verification webhook family) |",
    in: "addUserVerification",
    says: [/webhook/, /completes\s+successfully/],
  },
  {
    quote: "(active and deleted cards are both listed)",
    in: "listUserCards",
    says: [/active and deleted/],
  },
  {
    quote:
      "Block, unblock and delete operations exist, and the card listing is described as covering active or locked cards.",
    in: "listUserCards",
    says: [/active or locked/],
  },
  {
    quote:
      "Use it for reconciliation and manual status checks; webhooks are the recommended way to track in real time.",
    in: "getCryptoDepositDetails",
    says: [/reconciliation and manual status checks/s, /webhooks? are the recommended way/i],
  },
  {
    quote: "404 with message Transaction not found and no P-code.",
    in: "getCryptoDepositDetails",
    says: [/Transaction not found/],
  },
  {
    quote: "A transfer event is sent when the transfer reaches a final state: completed (SUCCESSFUL) or failed.",
    in: "p2pTransfer",
    says: [/reaches a final state/, /completed/, /failed/],
  },
  {
    quote:
      "| A transfer reaches a final state (completed or failed) | P2P transfer webhook; body is the transfer event record; partner path `/transfer-webhook` |",
    in: "guide:transfers",
    says: [/P2P Transfer.{0,60}final state, completed or failed.{0,40}\/transfer-webhook/],
  },
  {
    quote:
      "Webhooks are HTTP POST requests with a JSON body sent by the service to a server of the partner. The partner answers with 200 and a JSON object.",
    in: "guide:webhooks",
    says: [
      /HTTP POST with a JSON body to a server of yours, and you answer 200 with a JSON object \{mark:specification\}/,
    ],
  },
  {
    quote: "| Required KYC files | PASSPORT: front, selfie; ID_CARD: front, back, selfie |",
    in: "guide:onboarding",
    says: [
      /PASSPORT or ID_CARD \{mark:specification\}/,
      /A passport needs .{0,30}`front_id` and `selfie`; an identity card needs `back_id` as well/,
    ],
  },
  {
    quote: "1. Paths carry the version prefix `/v1`.",
    in: "guide:environments-and-keys",
    says: [/prefix `\/v1` \{mark:specification\}/],
  },
  {
    quote: "2. The published reference has two selectable editions named latest and test.",
    in: "guide:provenance-and-editions",
    says: [/service's own reference has two editions of the same names/, /\| latest \|.*\| test \|/],
  },
  {
    quote: "3. The card listing operation is marked obsolete;",
    in: "guide:environments-and-keys",
    says: [/listUserCards\) is marked obsolete/],
  },
  {
    quote: "3. Staging and production are separate environments; the key is checked against the environment addressed.",
    in: "guide:environments-and-keys",
    says: [/environments, staging and production\. They are separate: a key is checked against the environment/],
  },
  {
    quote: "2. A missing or wrong key gives 401 Access Denied.",
    in: "guide:errors-and-retries",
    says: [/401 Access Denied.*missing \{mark:specification\}.*wrong \{mark:specification\}/],
  },
  {
    quote:
      "Amounts are JSON numbers in history and lock responses and decimal strings in the crypto deposit record and the transfer webhook.",
    in: "guide:money-formats",
    says: [
      /Transaction history\].{0,50}\| number[^|]*\{mark:specification\}/,
      /Rate lock\].{0,40}\|[^|]*a number comes back \{mark:specification\}/,
      /Crypto deposit record\].{0,50}\| decimal string \{mark:specification\}/,
      /P2P Transfer\].{0,40}\| decimal string \{mark:specification\}/,
    ],
  },
];
