/** These settings are shown in guides. */
import { omit, UsageError } from "../../base/index.ts";
import { completeValue } from "./complete-value.ts";
import { Sources } from "./sources.ts";

/** Amounts are decimal strings in the currency. */
interface MockNetwork {
  currency: string;
  network: string;
  /** The fee of the service. By default, a withdrawal costs `fee` and `networkFee` in addition to its amount. */
  fee: string;
  networkFee: string;
  minWithdrawal: string;
  minDeposit: string;
}

export interface MockValues {
  countries: readonly { name: string; values: readonly string[]; outcome: string }[];
  networks: readonly MockNetwork[];
  /** Seconds of the mock's clock from a response until a follow-up such as `sepaTransfer`, by name of the follow-up. */
  delays: Readonly<Record<string, number>>;
}

interface Settings {
  countries: Record<string, unknown> & { outcomes?: Record<string, string> };
  currencies: { list: Record<string, { networks?: Record<string, Omit<MockNetwork, "currency" | "network">> }> };
  delays: Record<string, unknown>;
}

/** @throws {UsageError} if the file cannot be read or parsed, a section is missing, a key has no value, or a list of countries has no outcome. */
export function readMockValues(sources: Sources = new Sources()): MockValues {
  const { mock } = sources.layout;
  const { countries, currencies, delays } = sources.read<Settings>(mock);
  for (const [path, section] of Object.entries({ countries, "currencies.list": currencies?.list, delays })) {
    if (section == null) throw new UsageError(`${sources.nameOf(mock)} needs ${path}.`);
  }
  const settings = sources.location(mock);
  for (const path of [["countries"], ["currencies", "list"], ["delays"]]) completeValue(settings.child(...path));
  const { outcomes = {} } = countries;
  const lists = omit(countries, "questions", "responses", "refusals", "outcomes") as Record<string, string[]>;
  return {
    countries: Object.entries(lists).map(([name, values]) => {
      const outcome = outcomes[name];
      if (outcome === undefined)
        throw new UsageError(`${sources.nameOf(mock)}: countries.${name} needs a text in countries.outcomes.`);
      return { name, values, outcome };
    }),
    networks: Object.entries(currencies.list).flatMap(([currency, { networks = {} }]) =>
      Object.entries(networks).map(([network, fees]) => ({ currency, network, ...fees })),
    ),
    delays: Object.fromEntries(
      Object.entries(delays).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
    ),
  };
}
