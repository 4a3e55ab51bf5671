/** `prove payouts`: pays users, collects from them, and sends SEPA transfers of the partner, from a CSV file. */
import type { Entity, Journey } from "../journey.ts";

/** A test IBAN with valid check digits. */
const iban = "DE02120300000000202051";

/** Two payments are equal, one collects what another pays, and two SEPA transfers differ only in their titles. */
const rows: Journey["rows"] = [
  { reference: "pay-1", kind: "fund", user: "user-a", amount: "10.00", currency: "eur" },
  { reference: "pay-2", kind: "fund", user: "user-a", amount: "10.00", currency: "eur" },
  { reference: "pay-3", kind: "sepa", amount: "40.00", currency: "eur", iban, title: "INVOICE 77" },
  { reference: "pay-4", kind: "fund", user: "user-b", amount: "7.50", currency: "eur" },
  { reference: "pay-5", kind: "collect", user: "user-a", amount: "10.00", currency: "eur" },
  { reference: "pay-6", kind: "sepa", amount: "40.00", currency: "eur", iban, title: "INVOICE 78" },
];

const cents = (amount: string) => String(Math.round(Number(amount) * 100));

interface About {
  readonly user?: string | null | undefined;
  readonly units: string;
  readonly currency: string;
  readonly title?: string | undefined;
}

/** The identity of a payment in the service's records, without the IBAN. */
function whatOf(kind: string, about: About): string {
  const amount = `${(Number(about.units) / 100).toFixed(2)} ${about.currency}`;
  if (kind === "fund") return `${amount} to ${about.user}`;
  if (kind === "collect") return `${amount} from ${about.user}`;
  if (kind === "sepa") return `${amount} by SEPA with the title "${about.title}"`;
  return `${amount}, ${kind}`;
}

function effectOf({ resource, owner, data, states }: Entity): ReturnType<Journey["effects"]> {
  const { source, destination, units, currency, transferTitle } = data as Readonly<Record<string, string | null>>;
  const hasFailed = states.status !== "SUCCESSFUL";
  const about = { units: units ?? "0", currency: currency ?? "" };
  if (resource === "transfer") {
    const kind = source === null ? "fund" : destination === null ? "collect" : `from ${source} to ${destination}`;
    return [{ what: whatOf(kind, { ...about, user: destination ?? source }), hasFailed }];
  }
  if (resource !== "sepaTransfer") return [];
  const kind = owner === null ? "sepa" : `by SEPA of ${owner}`;
  return [{ what: whatOf(kind, { ...about, title: transferTitle ?? "" }), hasFailed }];
}

export const payouts: Journey = {
  name: "payouts",
  text: "pays users, collects from them and sends SEPA transfers of the partner",
  columns: ["reference", "kind", "user", "amount", "currency", "iban", "title"],
  rows,
  wanted: rows.map(({ reference = "", kind = "", user, amount = "", currency = "", title }) => ({
    reference,
    what: whatOf(kind, { user, units: cents(amount), currency, title }),
  })),
  operations: ["createTransfer", "createPartnerSepaTransfer"],
  secrets: [{ name: "the IBAN", text: iban }],
  async prepare(world, call) {
    world.users.create("user-a", { verified: true, funds: { eur: "100.00" } });
    world.users.create("user-b", { verified: true });
    world.partner.fund({ eur: "1000.00" });
    // The history starts with payments similar to those of the file.
    await call("createTransfer", { destinationExternalUserId: "user-b", amount: "7.50", currency: "eur" });
    await call("createTransfer", { sourceExternalUserId: "user-a", amount: "10.00", currency: "eur" });
    await call("createPartnerSepaTransfer", {
      ...{ currency: "eur", amount: "40.00", destinationIban: iban, transferTitle: "INVOICE 76" },
    });
  },
  effects: (entities) => entities.flatMap(effectOf),
  done: "was paid",
};
