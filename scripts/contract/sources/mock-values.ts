/** These settings are shown in guides. */
import { UsageError } from "../base/index.ts";
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
  countries: Record<string, unknown>;
  currencies: { list: Record<string, { networks?: Record<string, Omit<MockNetwork, "currency" | "network">> }> };
  delays: Record<string, unknown>;
}

/** The keys of a section that are no settings. */
const markKeys = ["questions", "responses", "refusals"];

/** @throws {UsageError} if the file cannot be read or parsed, or a list of countries has no comment with its outcome. */
export function readMockValues(sources: Sources = new Sources()): MockValues {
  const { mock } = sources.layout;
  const { countries, currencies, delays } = sources.read<Settings>(mock);
  // The outcomes are YAML comments, which the parser drops, so they are read from the text.
  const [, section = ""] = /^countries:\n((?: .*\n)*)/m.exec(sources.text(mock)) ?? [];
  const comments = new Map([...section.matchAll(/^ {2}(\w+):.*?#\s*(.*)$/gm)].map(([, name, text]) => [name, text]));
  return {
    countries: Object.entries(countries).flatMap(([name, values]) => {
      if (markKeys.includes(name) || !Array.isArray(values)) return [];
      const outcome = comments.get(name);
      if (outcome === undefined) {
        throw new UsageError(
          `${mock}: countries.${name} needs its outcome as a comment on its line, such as "# P431", with no blank line above it in the section.`,
        );
      }
      return [{ name, values, outcome }];
    }),
    networks: Object.entries(currencies.list).flatMap(([currency, { networks = {} }]) =>
      Object.entries(networks).map(([network, fees]) => ({ currency, network, ...fees })),
    ),
    delays: Object.fromEntries(
      Object.entries(delays).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
    ),
  };
}
