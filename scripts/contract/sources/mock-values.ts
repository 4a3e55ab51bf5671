/** These settings are shown in guides. */
import { UsageError } from "../../base/index.ts";
import type { SourceLocation } from "../model/index.ts";
import { completeValue, refuse } from "./complete-value.ts";
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

const sections = [["countries"], ["currencies", "list"], ["delays"]];
const fees = ["fee", "networkFee", "minWithdrawal", "minDeposit"] as const;

/** @throws {UsageError} if the file cannot be read or parsed, or a section, outcome or fee is missing or has the wrong form. */
export function readMockValues(sources: Sources = new Sources()): MockValues {
  const { mock } = sources.layout;
  const settings = sources.location(mock);
  for (const path of sections) {
    const section = settings.child(...path);
    if (section.value == null) throw new UsageError(`${sources.nameOf(mock)} needs ${path.join(".")}.`);
    completeValue(section);
  }
  const membersOf = (section: string, ...otherKeys: string[]) =>
    settings
      .at(section)
      .children()
      .filter(([key]) => !["questions", "responses", ...otherKeys].includes(key));
  return {
    countries: membersOf("countries", "refusals", "outcomes").map(([name, list]) => {
      if (!Array.isArray(list.value)) refuse(list, "is no list");
      const outcome = settings.child("countries", "outcomes").text(name);
      return { name, values: list.value, outcome: outcome ?? refuse(list, "needs a text in countries.outcomes") };
    }),
    networks: settings
      .child("currencies", "list")
      .entries()
      .flatMap(([currency, entry]) => {
        return entry
          .child("networks")
          .entries()
          .map(([network, values]) => ({ currency, network, ...feesOf(values) }));
      }),
    delays: Object.fromEntries(
      membersOf("delays").map(([name, delay]) => {
        return [name, typeof delay.value === "number" ? delay.value : refuse(delay, "is no number")];
      }),
    ),
  };
}

function feesOf(network: SourceLocation): Omit<MockNetwork, "currency" | "network"> {
  const entries = fees.map((fee) => [fee, network.text(fee) ?? refuse(network, `needs the text ${fee}`)]);
  return Object.fromEntries(entries) as Record<(typeof fees)[number], string>;
}
