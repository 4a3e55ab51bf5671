import { beforeAll, describe, expect, test } from "vitest";
import { type SearchIndex, searchPages } from "../../scripts/site/assets/browser/find.ts";
import { htmlOf, renderedSite } from "./rendered-site.ts";

let index: SearchIndex;

beforeAll(async () => {
  index = JSON.parse(htmlOf(await renderedSite(), "search.json"));
});

const find = (typedText: string, edition = "test") => searchPages(index, typedText, edition);

/** Each line: a query, and prefixes of expected paths. One of the first three results must have one of the prefixes. */
const queries = `
withdraw: operations/createCryptoWithdrawal
x-api-key: guides/environments-and-keys
erc20: guides/crypto
kyb: guides/onboarding
issue a card: operations/createVirtualCard
proof of address: operations/addPoaFiles
send eur to iban: operations/createSepaTransfer
check balance: operations/getUserBalances
sell crypto: operations/createExchange
python sdk: guides/python
balence: operations/getUserBalances
witdrawal: operations/createCryptoWithdrawal
express: guides/webhook
python: guides/python
c#: guides/csharp
golang: guides/go
spring boot: guides/java
laravel: guides/php
rails: guides/ruby
asp.net: guides/csharp
flask webhook: guides/python
postman: about/downloads
download openapi: about/downloads
suspend user: operations/suspendUser
create user: operations/createUserAccount
get ballance: operations/getUserBalances
p459: errors/P459
user not verified: errors/P459
change card pin: operations/updateCardPin
freeze card: operations/blockCard
sepa transfer: operations/createSepaTransfer
lock exchange rate: operations/createExchangeRateLock
externalUserId: operations/
poaRequiredForExtended: operations/createUserAccount.html#response-201-poaRequiredForExtended
crypto deposit details: operations/getCryptoDepositDetails
webhook signature: guides/webhooks
verify webhook token: guides/webhooks, webhooks/index
idempotancy key: guides/unknown-outcomes
retry after timeout: guides/unknown-outcomes
401 unauthorized: errors/index, guides/errors-and-retries
api key: guides/getting-started, guides/environments-and-keys
staging url: guides/environments-and-keys
transaction histroy: operations/getUserTransactionHistory
upload passport: guides/onboarding, operations/addKycFiles
payment link: operations/createPaymentLink
travel rule: operations/updateTravelRule
time zone: guides/times-and-time-zones
2FA: guides/cards
sandbox: guides/testing-with-the-mock
how do I send money: guides/transfers
verify webhook signature hmac: guides/webhooks
idempotency-key header: guides/unknown-outcomes
who to contact security bug: guides/security-and-licences
which operations can I safely retry: operations/index
not enough balance error: errors/P433
duplicate webhook deliveries: guides/webhooks.html
chargeback: webhooks/cardTransaction
delete account: operations/deleteUser
release notes: about/changelog
openapi import insomnia: about/downloads
433: errors/P433
otp: webhooks/card3dsCode, guides/cards
3-D Secure: webhooks/card3dsCode, guides/cards
travelrule: operations/updateTravelRule
cancel transfer: guides/transfers
chargeback: guides/transfers
django: guides/python
überweisung: operations/createTransfer, operations/createSepaTransfer, guides/transfers
guthaben: operations/getUserBalances, operations/getPartnerBalances
karte sperren: operations/blockCard
user already exists: errors/P411
blocked countries: errors/P431
rounding decimals: guides/money-formats
convert eur to btc: operations/createExchange
spending limit card: operations/updateCardLimits, operations/getCardLimits
how to freeze the card: operations/blockCard
web hook signature: guides/webhooks
gas fee: operations/getNetworkFee
utility bill: operations/addPoaFiles
sign up: operations/createUserAccount
wechselkurs: operations/getExchangeRate, guides/exchange
einzahlungsadresse: operations/getCryptoDepositDetails, guides/crypto
`;

describe("the first three search results", () => {
  const rows = queries
    .trim()
    .split("\n")
    .map((line) => {
      const [typedText = "", prefixes = ""] = line.split(": ");
      return { typedText, prefixes: prefixes.split(", ") };
    });
  test.each(rows)("for “$typedText” contain $prefixes", ({ typedText, prefixes }) => {
    const foundPaths = find(typedText)
      .hits.slice(0, 3)
      .map(({ path }) => path);
    expect(foundPaths.filter((path) => prefixes.some((prefix) => path.startsWith(prefix)))).not.toEqual([]);
  });
});

describe("the search", () => {
  test("lists the nearest pages when no page has all words, and nothing when none is similar", () => {
    const { hits, isApproximate } = find("suspend refrigerator");
    expect([isApproximate, hits[0]?.path]).toEqual([true, "operations/suspendUser.html"]);
    expect(find("suspend user").isApproximate).toBe(false);
    expect(find("xyzzyplugh").hits).toEqual([]);
  });

  test("says what is known about a word that no page is about, and finds the other words", () => {
    expect(find("Apple Pay")).toMatchObject({ note: "Not supported here, as far as is known. The cards are virtual." });
    expect(find("solana").note).toMatch(/known: ethereum, polygon, btc, ltc\.$/);
    expect(find("solana").hits.map(({ path }) => path)).toEqual([
      "guides/crypto.html",
      "operations/getNetworkFee.html",
    ]);
    const { note, hits } = find("usdt withdrawal");
    expect([note, hits[0]?.path]).toEqual([
      expect.stringMatching(/known: eur, usdc, btc, eth, ltc, pol\.$/),
      "operations/createCryptoWithdrawal.html",
    ]);
  });

  test("removes only whole words of a note from the query", () => {
    const { note, hits, guesses } = find("electronic tron transfer");
    expect([note, hits[0]?.path]).toEqual([
      expect.stringMatching(/known: ethereum, polygon, btc, ltc\.$/),
      expect.stringMatching("operations/"),
    ]);
    expect(guesses).toEqual([]);
  });

  test("names the word that it reads in place of an unknown one", () => {
    expect(find("witdrawal status").guesses).toEqual([["witdrawal", "withdrawal"]]);
    expect(find("withdraw card limits").guesses).toEqual([]);
  });

  test("names the edition of each result, and prefers the chosen edition", () => {
    const page = { path: "", title: "Pot", section: "Operation", names: "", description: "" };
    const pages = ["test", "latest"].map((edition) => ({ ...page, edition }));
    const shownEditions = (edition: string) =>
      searchPages({ pages, parts: [], notes: [], words: { pot: [9, 19] } }, "pot", edition).hits;
    expect(["latest", "test"].map((edition) => shownEditions(edition)[0]?.edition)).toEqual(["latest", "test"]);
  });
});
