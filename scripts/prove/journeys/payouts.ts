import { type Condition, conditions, responseDelayMs } from "../conditions.ts";
import { type Entity, type Journey, maskSecret } from "../journey.ts";

const [firstIban, secondIban] = ["DE02120300000000202051", "DE02500105170137075030"] as const;

/** The rows include two equal payments, and two SEPA transfers that differ only in title and IBAN. */
const rows: Journey["rows"] = [
  { reference: "pay-1", kind: "fund", user: "user-a", amount: "10.00", currency: "eur" },
  { reference: "pay-2", kind: "fund", user: "user-a", amount: "10.00", currency: "eur" },
  { reference: "pay-3", kind: "sepa", amount: "40.00", currency: "eur", iban: firstIban, title: "INVOICE 77" },
  { reference: "pay-4", kind: "fund", user: "user-b", amount: "7.50", currency: "eur" },
  { reference: "pay-5", kind: "collect", user: "user-a", amount: "10.00", currency: "eur" },
  { reference: "pay-6", kind: "sepa", amount: "40.00", currency: "eur", iban: secondIban, title: "INVOICE 78" },
];

const centsOf = (amount: string) => String(Math.round(Number(amount) * 100));

interface PaymentValues {
  readonly user?: string | null | undefined;
  readonly units: string;
  readonly currency: string;
  readonly iban?: string | undefined;
  readonly title?: string | undefined;
}

/** Leaves out the reference, and all but the last four characters of an IBAN. */
function describePayment(kind: string, { user, units, currency, iban = "", title }: PaymentValues): string {
  const amount = `${(Number(units) / 100).toFixed(2)} ${currency}`;
  if (kind === "fund") return `${amount} to ${user}`;
  if (kind === "collect") return `${amount} from ${user}`;
  if (kind !== "sepa") return `${amount}, ${kind}`;
  const account = iban === firstIban || iban === secondIban ? "the IBAN" : "an IBAN of no row,";
  return `${amount} by SEPA to ${account} ${maskSecret(iban)} with the title "${title}"`;
}

function effectOf({ resource, owner, data }: Entity, hasFailed: boolean): ReturnType<Journey["findEffects"]> {
  const { source, destination, units, currency, transferTitle, destinationIban } = data as Record<
    string,
    string | null
  >;
  const values = { units: units ?? "0", currency: currency ?? "" };
  if (resource === "transfer") {
    const kind = source === null ? "fund" : destination === null ? "collect" : `from ${source} to ${destination}`;
    return [{ description: describePayment(kind, { ...values, user: destination ?? source }), hasFailed }];
  }
  if (resource !== "sepaTransfer") return [];
  const kind = owner === null ? "sepa" : `by SEPA of ${owner}`;
  const description = describePayment(kind, { ...values, iban: destinationIban ?? "", title: transferTitle ?? "" });
  return [{ description, hasFailed }];
}

const hourMs = 3_600_000;

/**
 * Conditions in which the payment has no effect, but the history has a similar record, which the program must not mistake for the payment.
 */
const similarPaymentConditions: readonly Condition[] = [
  {
    name: "other-payments",
    meaning:
      "the call has no effect, and another program pays the same amount to somebody else and another amount to the same user",
    questions: ["Q-repeated-call"],
    fault: () => ({ lose: "request", delay: responseDelayMs }),
    duringDelay: async ({ world, operation, body, call }) => {
      world.users.create("user-c", { verified: true, funds: { eur: "100.00" } });
      const users = Object.entries(body).filter(([name]) => name.endsWith("ExternalUserId"));
      const otherUsers = users.map(([name]) => [name, "user-c"]);
      const title = body.transferTitle === undefined ? {} : { transferTitle: "INVOICE 99" };
      await call(operation, { ...body, ...Object.fromEntries(otherUsers), ...title });
      // The smallest amount that the mock accepts with the answer "A bound" to Q-amount-bounds.
      await call(operation, { ...body, amount: "2.00" });
    },
  },
  {
    name: "old-record",
    meaning: "the call has no effect, and the record of an equal payment of an hour ago appears in the history",
    questions: ["Q-repeated-call"],
    fault: () => ({ lose: "request", delay: responseDelayMs }),
    duringDelay: async ({ world, operation, body, call }) => {
      await world.clock.set(Date.now() - hourMs);
      await call(operation, body);
      await world.clock.set(Date.now());
    },
  },
];

export const payouts: Journey = {
  name: "payouts",
  text: "pays users, collects from them and sends SEPA transfers of the partner",
  columns: ["reference", "kind", "user", "amount", "currency", "iban", "title"],
  rows,
  expectedEffects: rows.map(({ reference = "", kind = "", user, amount = "", currency = "", iban, title }) => ({
    reference,
    description: describePayment(kind, { user, units: centsOf(amount), currency, iban, title }),
  })),
  operations: ["createTransfer", "createPartnerSepaTransfer"],
  conditions: [...conditions, ...similarPaymentConditions],
  secrets: [firstIban, secondIban].map((text) => ({ name: "the IBAN", text })),
  async prepare(world, call) {
    world.users.create("user-a", { verified: true, funds: { eur: "100.00" } });
    world.users.create("user-b", { verified: true });
    world.partner.fund({ eur: "1000.00" });
    // Earlier payments that are similar to rows of the input. The program must not mistake them for its own payments.
    await call("createTransfer", { destinationExternalUserId: "user-b", amount: "7.50", currency: "eur" });
    await call("createTransfer", { sourceExternalUserId: "user-a", amount: "10.00", currency: "eur" });
    await call("createPartnerSepaTransfer", {
      currency: "eur",
      amount: "40.00",
      destinationIban: firstIban,
      transferTitle: "INVOICE 76",
    });
  },
  findEffects: (entities, hasFailed) => entities.flatMap((entity) => effectOf(entity, hasFailed(entity))),
  successWord: "paid",
};
