const namedWithMethod = [
  "User accounts: Add POA File (POST), Extend user (POST), Delete User (DELETE), Suspend User (PATCH), Unsuspend User (PATCH), Get User Balances (GET).",
  "Hosted KYC: Creating KYC Verification (POST), Redirect to Verification (GET), Get KYC Status (GET).",
  "Cards: Create Virtual Card (POST), Get Card Details (GET), Update Card PIN (PATCH), Block Card (PATCH), Unblock Card (PATCH), Get Card Limits (GET), Update Card Limits (PATCH), Delete Card (DELETE).",
  "Orders: Get Rates (GET), Create and Finalize an Order (POST), Get Order Details (GET).",
];

const namedOnly =
  "Names only, no method: Get Balances, Create Wallet, Get Transaction History (partner level), Retrieve Exchange Rate, Retrieve Exchange Rate and Create a Lock, Create and Finalize an Exchange, Retrieve Detailed Exchange Information, Get Network Fee, Create Crypto Withdrawal, Get Crypto Withdrawal Details, Update Travel Rule, Create a Transfer, Get Transfer Details, Create a SEPA Transfer, Get SEPA Transfer Details, SEPA Deposit Info and Deposit Contact List, Create transfer master balance, Generate Payment Link, Generate Hosted Checkout, Get Payment Link Details.";

/** The names of operations that the specification gives a partner for its own balances too: "get balances, create wallet, …". */
export const partnerLevelNames = [
  /Balances/,
  /Wallet/,
  /Transaction History/,
  /Exchange/,
  /Crypto Withdrawal/,
  /SEPA Transfer/,
];

export interface StatedName {
  line: string;
  name: string;
  /** The entry in the line, without the method. An entry can name two operations. */
  entry: string;
  /** In lower case; absent if the specification gives only the name. */
  method?: string;
}

export const statedNames: StatedName[] = [...namedWithMethod, namedOnly].flatMap((line) => {
  const names = line.slice(line.indexOf(": ") + 2, -1).split(", ");
  return names.flatMap((text) => {
    const [, name = "", bracket] = /^(.*?)(?: \((.*)\))?$/.exec(text) ?? [];
    const method = bracket !== undefined && /^[A-Z]+$/.test(bracket) ? { method: bracket.toLowerCase() } : {};
    const singleNames =
      name === "SEPA Deposit Info and Deposit Contact List" ? ["SEPA Deposit Info", "Deposit Contact List"] : [name];
    const entry = "method" in method ? name : text;
    return singleNames.map((singleName) => ({ line, name: singleName, entry, ...method }));
  });
});

export const webhookLines: string[] = [
  "| User and KYC | User Balance Generation, KYC File Added, POA Verification Status, KYC Verification Status, Create Wallet, High Risk KYC Verification |",
  "| Transfers and payments | P2P Transfer (also named Internal Transfer), IBAN Status, SEPA Transfer (also named Partner SEPA Transfer and User SEPA Transfer), SEPA Deposit, Crypto Withdrawal, Crypto Deposit, Exchange, Card Transaction, Order status, Payment Link |",
  "| Card | Card 3DS Code, Card Activation Code |",
];

export interface StatedWebhook {
  line: string;
  group: string;
  name: string;
  aliases: string[];
}

export const statedWebhooks: StatedWebhook[] = webhookLines.flatMap((line) => {
  const [, group = "", names = ""] = /^\| (.*?) \| (.*) \|$/.exec(line) ?? [];
  return names.split(/, /).map((text) => {
    const [, name = "", aliases] = /^(.*?)(?: \(also named (.*)\))?$/.exec(text) ?? [];
    return { line, group, name, aliases: aliases?.split(" and ") ?? [] };
  });
});
