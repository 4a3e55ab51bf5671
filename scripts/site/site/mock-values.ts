/** The values that lead the mock to certain outcomes, from `openapi/mock.yaml`. */
import { readFileSync } from "node:fs";
import { projectRoot } from "../../contract/model/index.ts";
import { readYaml } from "../../contract/sources/index.ts";

/** Countries for which the mock behaves in a particular way. */
interface MockCountries {
  /** The name of the setting: `forbidden`. */
  name: string;
  /** Country codes. */
  values: readonly string[];
  /** The outcome in words: the comment beside the setting. */
  outcome: string;
}

/** A currency with a network on which it can be withdrawn and deposited, amounts as decimal strings in the currency. */
interface MockNetwork {
  currency: string;
  network: string;
  /** The fee of the service; `networkFee` is that of the network. A withdrawal costs both in addition to its amount. */
  fee: string;
  networkFee: string;
  minWithdrawal: string;
  minDeposit: string;
}

export interface MockValues {
  countries: readonly MockCountries[];
  networks: readonly MockNetwork[];
  /** Seconds of the mock's clock until something happens, by its name. */
  delays: Readonly<Record<string, number>>;
}

type Fees = Omit<MockNetwork, "currency" | "network">;

interface Settings {
  countries?: Record<string, unknown>;
  currencies?: { list: Record<string, { networks?: Record<string, Fees> }> };
  delays?: Record<string, unknown>;
}

/**
 * Reads the values.
 *
 * @param file absolute path; `openapi/mock.yaml` by default.
 * @throws {UsageError} when it cannot be read.
 */
export function readMockValues(file = `${projectRoot}/openapi/mock.yaml`): MockValues {
  const { countries = {}, currencies, delays = {} } = readYaml<Settings>(file, "The settings of the mock");
  // Comments are read from the text, since the YAML parser drops them.
  const [, section = ""] = /^countries:\n((?: .*\n)*)/m.exec(readFileSync(file, "utf8")) ?? [];
  const comments = new Map([...section.matchAll(/^ {2}(\w+):.*?#\s*(.*)$/gm)].map(([, name, text]) => [name, text]));
  return {
    countries: Object.entries(countries).flatMap(([name, values]) => {
      const outcome = comments.get(name);
      return outcome === undefined || !Array.isArray(values) ? [] : [{ name, values, outcome }];
    }),
    networks: Object.entries(currencies?.list ?? {}).flatMap(([currency, { networks = {} }]) =>
      Object.entries(networks).map(([network, fees]) => ({ currency, network, ...fees })),
    ),
    delays: Object.fromEntries(
      Object.entries(delays).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
    ),
  };
}
