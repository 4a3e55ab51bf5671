/** The settings of `openapi/mock.yaml` that guides show. */
import { omit } from "../../base/index.ts";
import { Sources } from "./sources.ts";
import { mapOf, mapWith, refuse, text, textList, valueOfForm } from "./value-of-form.ts";

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

/** Covers only these settings: the rule mock-assumptions of lint checks the whole file. */
const decimal = { description: "a decimal number in quotes", type: "string", pattern: "^\\d+(\\.\\d+)?$" };
const shared = { questions: textList, responses: textList };
const networkForm = { chain: text, fee: decimal, networkFee: decimal, minWithdrawal: decimal, minDeposit: decimal };
const currencyForm = mapWith(
  { kind: { enum: ["fiat", "crypto"] }, decimals: { type: "integer", minimum: 0 }, rate: decimal },
  { networks: mapOf(mapWith(networkForm)) },
);
const form = {
  type: "object",
  required: ["countries", "currencies", "delays"],
  properties: {
    countries: {
      type: "object",
      required: ["outcomes"],
      properties: { ...shared, refusals: textList, outcomes: mapOf(text) },
      additionalProperties: textList,
    },
    currencies: mapWith({ list: mapOf(currencyForm) }, shared),
    delays: { type: "object", properties: shared, additionalProperties: { type: "number", minimum: 0 } },
  },
};

interface Settings {
  countries: Record<string, readonly string[]> & { outcomes: Record<string, string> };
  currencies: { list: Record<string, { networks?: Record<string, Omit<MockNetwork, "currency" | "network">> }> };
  delays: Record<string, number>;
}

/** @throws {UsageError} if the file cannot be read, a section is malformed, or a list of countries has no outcome. */
export function readMockValues(sources: Sources = new Sources()): MockValues {
  const location = sources.location(sources.layout.mock);
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
        ...{ currency, network, fee, networkFee, minWithdrawal, minDeposit },
      })),
    ),
    delays: omit(delays, "questions", "responses"),
  };
}
