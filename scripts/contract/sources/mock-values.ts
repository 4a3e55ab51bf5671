/** The settings of `openapi/mock.yaml` that guides show. */
import { omit } from "../../base/index.ts";
import { refuseMalformedMock } from "./mock-form.ts";
import { Sources } from "./sources.ts";
import { mapOf, refuse, valueOfForm } from "./value-of-form.ts";

/** Amounts are decimal strings. */
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

/** Members that the site shows, and that the form of the mock does not require. */
const network = { required: ["fee", "networkFee", "minWithdrawal", "minDeposit"] };
const currency = { properties: { networks: mapOf(network) } };
const form = {
  required: ["countries", "currencies", "delays"],
  properties: {
    countries: { required: ["outcomes"] },
    currencies: { required: ["list"], properties: { list: mapOf(currency) } },
  },
};

interface Settings {
  countries: Record<string, readonly string[]> & { outcomes: Record<string, string> };
  currencies: { list: Record<string, { networks?: Record<string, Omit<MockNetwork, "currency" | "network">> }> };
  delays: Record<string, number>;
}

/** @throws {UsageError} if the file cannot be read, a section is malformed, or a list of countries has no outcome. */
export function readMockValues(sources: Sources = new Sources()): MockValues {
  const { mock, mockControl } = sources.layout;
  const location = sources.location(mock);
  refuseMalformedMock(location, sources.optionalLocation(mockControl));
  const { countries, currencies, delays } = valueOfForm<Settings>(location, form);
  return {
    countries: Object.entries(omit(countries, "questions", "responses", "refusals", "outcomes")).map(
      ([name, values]) => ({
        name,
        values,
        outcome:
          countries.outcomes[name] ??
          refuse(location.child("countries", name), "has no text in countries.outcomes", "Add it"),
      }),
    ),
    networks: Object.entries(currencies.list).flatMap(([currency, { networks = {} }]) =>
      Object.entries(networks).map(([network, { fee, networkFee, minWithdrawal, minDeposit }]) => ({
        currency,
        network,
        fee,
        networkFee,
        minWithdrawal,
        minDeposit,
      })),
    ),
    delays: omit(delays, "questions", "responses"),
  };
}
