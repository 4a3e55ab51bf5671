import { checkNames } from "../base/check-names.ts";
import { hexDigest } from "../reading/bytes.ts";
import { builtinModule } from "./builtins.ts";
import type { MemberForm } from "./form-texts.ts";
import { normalizeAmount } from "./matching.ts";
import { wholeRequest } from "./payment.ts";
import type { PreparedPayment, Values } from "./protocol.ts";

/** The partner itself, or one of its users. */
export type Party = "partner" | { readonly user: string };

/** The members of every intent. */
export interface Intent {
  /**
   * Your own name for the payment, 1 to 200 characters without control characters, such as an invoice number. The same reference always
   * means the same payment. A reference that is not in Unicode Normalization Form C is refused, because references are compared character by
   * character: use `reference.normalize()`.
   */
  readonly reference: string;
}

interface Amount {
  /** A decimal string greater than zero, such as `"10.00"`. */
  readonly amount: string;
  /** The code of the currency, such as `eur`. */
  readonly currency: string;
}

/** Money from the partner to a user. */
export interface Fund extends Intent, Amount {
  /** The `externalUserId` of the user who receives. */
  readonly user: string;
}

/** Money from a user to the partner. */
export interface Collect extends Intent, Amount {
  /** The `externalUserId` of the user who pays. */
  readonly user: string;
}

/** Money from one user to another. */
export interface Between extends Intent, Amount {
  /** The `externalUserId` of the user who pays. */
  readonly from: string;
  /** The `externalUserId` of the user who receives. */
  readonly to: string;
}

/** Euro from the partner or a user to a bank account. */
export interface Sepa extends Intent, Amount {
  /** The party that pays. */
  readonly of: Party;
  readonly iban: string;
  /** The title of the transfer, which identifies it: use a different title for each payment. Default: the reference. */
  readonly title?: string;
  /** The receiver; only for an open loop transfer. */
  readonly receiver?: { readonly firstName: string; readonly lastName: string } | { readonly company: string };
}

/** Cryptocurrency from the partner or a user to an address. */
export interface Withdraw extends Intent, Amount {
  /** The party that pays. */
  readonly of: Party;
  readonly address: string;
  readonly network?: string;
  readonly memo?: string;
  /** The name of the receiver. */
  readonly name: string;
  /** The type of the receiver's wallet, such as `CUSTODIAL`. */
  readonly walletType: string;
  /** The type of the receiver, such as `NATURAL`. */
  readonly receiverType: string;
}

/** An exchange of the partner's or a user's money at a locked rate. */
export interface Exchange extends Intent {
  /** The party whose money is exchanged. */
  readonly of: Party;
  /** The amount in `from`: a decimal string greater than zero. */
  readonly amount: string;
  /** The code of the currency that is debited. */
  readonly from: string;
  /** The code of the currency that is credited. */
  readonly to: string;
  /** The id of the rate lock. */
  readonly lockId: string;
}

/** An order at a locked rate. */
export interface Order extends Intent {
  /** The id of the rate lock. */
  readonly lockId: string;
}

/** The argument of each payment function. */
export interface Intents {
  fund: Fund;
  collect: Collect;
  between: Between;
  sepa: Sepa;
  withdraw: Withdraw;
  exchange: Exchange;
  order: Order;
}

/** The name of a payment function. */
export type PaymentKind = keyof Intents;

interface PaymentCall {
  readonly operation: string;
  readonly body: Values;
}

const formsByKind: Readonly<Record<PaymentKind, Readonly<Record<string, MemberForm>>>> = {
  fund: { user: "text", amount: "amount", currency: "currency" },
  collect: { user: "text", amount: "amount", currency: "currency" },
  between: { from: "text", to: "text", amount: "amount", currency: "currency" },
  sepa: { of: "party", iban: "text", amount: "amount", currency: "currency", title: "text?", receiver: "receiver?" },
  withdraw: {
    of: "party",
    address: "text",
    network: "text?",
    memo: "text?",
    name: "text",
    walletType: "text",
    receiverType: "text",
    amount: "amount",
    currency: "currency",
  },
  exchange: { of: "party", amount: "amount", from: "currency", to: "currency", lockId: "text" },
  order: { lockId: "text" },
};

export const paymentKinds = Object.keys(formsByKind) as readonly PaymentKind[];

/** @throws {TypeError} when the intent is malformed. The message names the member, but not its value. */
export async function preparePayment<Kind extends PaymentKind>(
  kind: Kind,
  intent: Intents[Kind],
): Promise<PreparedPayment> {
  const { reference, operation, body, contents } = await checkIntent(kind, intent);
  const digests: Record<string, string> = {};
  for (const [name, content] of contents)
    digests[name] = (await digestOf(content)).slice(0, name === wholeRequest ? 64 : 32);
  return { reference, kind, operation, body, digests };
}

/** Hashes with Node's module if there is one that works, because `crypto.subtle` waits for the thread pool. */
function digestOf(text: string): string | Promise<string> {
  try {
    return builtinModule("node:crypto")?.createHash("sha256").update(text).digest("hex") ?? hexDigest(text);
  } catch {
    // A polyfill of Node's `process` can be incomplete.
    return hexDigest(text);
  }
}

/** Reads the intent before its first `await`, because the caller may change its objects afterwards. `contents`: what is to be hashed. */
async function checkIntent<Kind extends PaymentKind>(
  kind: Kind,
  intent: Intents[Kind],
): Promise<PaymentCall & { reference: string; contents: [name: string, text: string][] }> {
  if (typeof intent !== "object" || intent === null) throw new TypeError(`${kind} takes an object.`);
  const members: Readonly<Record<string, unknown>> = { ...intent };
  checkReference(kind, members.reference);
  // macOS file names and browser inputs can encode the same "\u00fc" differently. Uncomposed, one reference would make two payments.
  if (members.reference !== members.reference.normalize())
    throw new TypeError(`${kind}: reference is not in the composed form of Unicode. Give reference.normalize().`);
  const memberForms = formsByKind[kind];
  checkNames(`member of ${kind}`, members, ["reference", ...Object.keys(memberForms)]);
  for (const [name, form] of Object.entries(memberForms)) {
    const value = members[name];
    if ((form.endsWith("?") && !Object.hasOwn(members, name)) || hasForm(form, value)) continue;
    const { formText } = await import("./form-texts.ts");
    throw new TypeError(`${kind}: ${name} must be ${formText(form, value)}`);
  }
  const { reference, ...otherMembers } = members;
  const call = requestsByKind[kind](members as never);
  const contents = Object.entries(otherMembers).map(([name, value]): [string, string] => {
    return [name, contentOf(reference, name, name === "amount" ? normalizeAmount(value) : value)];
  });
  contents.push([wholeRequest, contentOf(reference, call.operation, Object.entries(call.body).sort())]);
  return { reference, ...call, contents };
}

/** The text that is hashed for a member, or with the name of the operation for the sorted entries of a request. */
export function contentOf(reference: unknown, name: string, value: unknown): string {
  // The members of a receiver count in any order.
  return JSON.stringify([reference, name, value], Object.keys(Object(value)).sort());
}

export function checkReference(caller: string, reference: unknown): asserts reference is string {
  const isValid = typeof reference === "string" && /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(reference);
  if (!isValid)
    throw new TypeError(`${caller}: reference must be a text of 1 to 200 characters without control characters.`);
}

function hasForm(form: MemberForm, value: unknown): boolean {
  if (form === "party") {
    const isUser = typeof value === "object" && value !== null && Object.keys(value).join() === "user";
    return value === "partner" || (isUser && isText((value as { user: unknown }).user));
  }
  if (form === "receiver?") {
    const memberNames = Object.keys(Object(value)).sort().join();
    const isReceiver = memberNames === "company" || memberNames === "firstName,lastName";
    return isReceiver && Object.values(value as object).every(isText);
  }
  if (form === "amount") {
    const amount = typeof value === "string" && value.length <= 40 ? normalizeAmount(value) : undefined;
    return amount !== undefined && !amount.startsWith("-") && amount !== "0";
  }
  if (form === "currency") return typeof value === "string" && /^[A-Za-z0-9]{2,16}$/.test(value);
  return isText(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "" && value.length <= 300;
}

const requestsByKind: { [Kind in PaymentKind]: (intent: Intents[Kind]) => PaymentCall } = {
  fund: ({ user, ...intent }) => transferOf({ destinationExternalUserId: user }, intent),
  collect: ({ user, ...intent }) => transferOf({ sourceExternalUserId: user }, intent),
  between({ from, to, ...intent }) {
    if (from === to) throw new TypeError("between: from and to are the same user.");
    return transferOf({ sourceExternalUserId: from, destinationExternalUserId: to }, intent);
  },
  sepa({ reference, of, iban, amount, currency, title = reference, receiver }) {
    const body = { currency, amount, destinationIban: iban, transferTitle: title, ...receiverOf(receiver) };
    return callOf(of, "SepaTransfer", "sourceExternalUserId", body);
  },
  withdraw({ reference: _, of, address, ...otherMembers }) {
    return callOf(of, "CryptoWithdrawal", "sourceExternalUserId", { ...otherMembers, walletAddress: address });
  },
  exchange({ of, amount, from, to, lockId }) {
    return callOf(of, "Exchange", "externalUserId", { amount, currencyFrom: from, currencyTo: to, lockId });
  },
  order: ({ lockId }) => ({ operation: "createOrder", body: { lockId } }),
};

function transferOf(users: Values, { amount, currency }: Amount): PaymentCall {
  return { operation: "createTransfer", body: { ...users, amount, currency } };
}

/** For a payment that the partner or a user can make. `name`: the part that the names of both operations share. */
function callOf(of: Party, name: string, userMember: string, body: Values): PaymentCall {
  return of === "partner"
    ? { operation: `createPartner${name}`, body }
    : { operation: `create${name}`, body: { [userMember]: of.user, ...body } };
}

function receiverOf(receiver: Sepa["receiver"]): object {
  if (receiver === undefined) return {};
  if ("company" in receiver) return { receiverType: "LEGAL", companyName: receiver.company };
  return {
    receiverType: "NATURAL",
    receiverFirstName: receiver.firstName,
    receiverLastName: receiver.lastName,
  };
}
