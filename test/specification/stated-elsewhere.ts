/** The other sentences of the interface specification: those that other checks hold, and those that say nothing about it. */

/** What holds a sentence. */
export const held: { quote: string; by: string }[] = [
  {
    quote:
      "Address placeholders: `{base_url}` is the main address of the interface; `{deposit_base_url}` is the address used by the crypto deposit details operation only.",
    by: "the address of every operation",
  },
  { quote: "Those exist by name only (see Endpoints).", by: "the names of 4.10" },
  { quote: "Two environments exist, staging and production.", by: "the address of every operation" },
  {
    quote: "Conventions: identifiers are UUID-shaped strings. Timestamps are ISO 8601 strings.",
    by: "the kinds of the fields",
  },
  {
    quote:
      "Currency codes appear as short codes (lowercase in history, lock and webhook payloads; uppercase in the crypto deposit record).",
    by: "the kinds of the fields",
  },
  {
    quote: "The state names unverified or verified (P459, P442) and extended (P461) are implied by errors only.",
    by: "the meanings of the codes",
  },
  { quote: "Operations that need a verified user fail with P459", by: "the codes of the operations" },
  {
    quote:
      "Common rules for every operation below except the webhook: the header `x-api-key` is required; JSON bodies use `Content-Type: application/json`; failures use the error format in Errors.",
    by: "the header, the media types and the error format",
  },
  { quote: "Body: transfer event record.", by: "the fields of the webhook" },
  {
    quote:
      "1. Every operation of the interface (except the partner-side webhook) carries the API key in the request header `x-api-key`: `x-api-key: <API_KEY>`.",
    by: "the header of every operation",
  },
  { quote: "4. The webhook request shows no authorization parameter.", by: "the security of the webhook" },
  { quote: "Codes have the form P followed by three digits.", by: "the table of errors" },
];

/** Sentences that state nothing about the interface. */
export const background: string[] = [
  "This single document covers the specified interface of the service: purpose, resources, states, endpoints, authentication, events, errors, limits and versioning.",
  "Onboarding order:",
  "The attributes sent at creation are listed under Endpoints, Create User Account.",
  "The ordered operations are in What the service does.",
  "Rules:",
  "Rule:",
  "Required files by document type:",
  "See Events.",
  "Webhook names, grouped:",
  "Ties:",
  "Which codes each operation returns is listed in Endpoints.",
];

/** What an audit found in texts of stated operations although no sentence states it; nothing like it comes back. */
export const unstatedTexts: { in: string; text: RegExp; instead: string }[] = [
  { in: "createUserAccount", text: /lives in/, instead: "country is a two-letter country code" },
  { in: "updateUser", text: /lives in/, instead: "country is a two-letter country code" },
  { in: "addUserVerification", text: /verified with/, instead: "P466 says: User exists with this document number" },
  { in: "addUserVerification", text: /last day/i, instead: "documentExpirationDate is a date" },
  { in: "addKycFiles", text: /picture page|pictures? of/i, instead: "the parts are named, what they show is not" },
  { in: "createOrderRateLock", text: /to buy/, instead: "currency is a cryptocurrency code" },
  { in: "info", text: /everything that is not stated/i, instead: "not all of it is asked" },
  { in: "schema:Uuid", text: /assign/i, instead: "identifiers are UUID-shaped strings" },
  { in: "addKycFiles", text: /files are received/i, instead: "what 201 says of the files is not stated" },
  { in: "kycFileAdded", text: /send the files again/i, instead: "what helps after ERROR is not stated" },
  { in: "schema:P446", text: /addKycFiles|upload/, instead: "nothing stated makes the KYC valid again" },
  { in: "schema:P439", text: /can be verified/, instead: "the hosted flow needs no files" },
  { in: "schema:P464", text: /or the user who/i, instead: "another person's account is no remedy" },
  { in: "schema:P465", text: /or the user who/i, instead: "another person's account is no remedy" },
  { in: "schema:P213", text: /goes on/, instead: "what happens after P213 is not stated" },
  { in: "schema:CryptoDeposit", text: /in `currency`/, instead: "amount is a decimal, currency is a code" },
  { in: "schema:TransferEvent", text: /in `currency`/, instead: "amount is a decimal, currency is a code" },
  { in: "guide:onboarding", text: /most operations refuse/i, instead: "operations that need a verified user" },
  {
    in: "guide:errors-and-retries",
    text: /are no errors: a check/,
    instead: "P213 is an additional risk verification",
  },
  { in: "guide:money-formats", text: /never cents/, instead: "what unit an amount counts is not stated" },
  {
    in: "guide:money-formats",
    text: /`currency` for what was credited/,
    instead: "of an exchange, the debited side is stated",
  },
  { in: "guide:reconciliation", text: /is when the record was created/, instead: "createdAt has no other description" },
];

/** The sentences that say that something is not shown, one for each time. An open question quotes each of them. */
export const notShown: { quote: string }[] = [
  {
    quote:
      "Fields of other resources (balances, wallets, card details, card limits, exchanges, crypto withdrawals, SEPA transfers, orders, payment links): not shown.",
  },
  { quote: "Transitions: not shown." },
  { quote: "Transitions: not shown." },
  { quote: "The status value of a blocked card and all transitions: not shown." },
  { quote: "The full set of values and all transitions: not shown." },
  { quote: "The exact value for failed and the earlier states: not shown." },
  { quote: "Which body fields are required: not shown." },
  { quote: "Ordering and pagination of the array: not shown." },
  { quote: "The fiat currency of the amount and bounds on the amount: not shown." },
  { quote: "Complete list of updatable fields: not shown beyond those named." },
  { quote: "Complete sets of allowed values for openAccountReason, incomeSource and occupation: not shown." },
  { quote: "Paths, parameters, payloads and responses of all operations in this list: not shown." },
  { quote: "Any signature or authentication of webhook calls: not shown." },
  { quote: "How keys are issued or rotated: not shown." },
  { quote: "Payloads, paths and triggers of all other webhooks: not shown." },
  { quote: "Delivery retries, ordering guarantees and timeouts: not shown." },
  { quote: "Codes of the operations named in the list of other operations: not shown." },
  { quote: "Maximum file size behind P440: not shown." },
  { quote: "Number of verifications behind P430: not shown." },
  { quote: "Duration of a rate lock: not shown." },
  { quote: "Request rate limits: not shown." },
  { quote: "its replacement: not shown." },
  { quote: "The contents of the changelog and the compatibility policy: not shown." },
];
