/** Types of the mock's assumptions, which `openapi/mock.yaml` contains. */
import type { Assume } from "./control.ts";

type DeepRequired<Type> = Type extends readonly unknown[] | string | number
  ? Type
  : { readonly [Name in keyof Type]-?: DeepRequired<Type[Name]> };

type ChangeableSections = DeepRequired<Omit<Assume, "answers">>;
type ListedCurrency = ChangeableSections["currencies"]["list"][string];

/** A network of a cryptocurrency. Amounts are decimal strings: `fee` is charged by the service, `networkFee` by the network. */
export type Network = ListedCurrency["networks"][string];

export interface Currency {
  readonly kind: "fiat" | "crypto";
  readonly decimals: number;
  /** The price of one unit in euro, as a decimal string. */
  readonly rate: string;
  readonly networks?: Readonly<Record<string, Network>>;
}

export type UniqueAttribute = ChangeableSections["deletion"]["frees"][number];

interface Sections extends Omit<ChangeableSections, "currencies"> {
  readonly currencies: { readonly list: Readonly<Record<string, Currency>> };
}

export type Assumptions = {
  readonly [Name in keyof Sections]: Sections[Name] & {
    readonly questions: readonly string[];
    readonly responses?: readonly string[];
    readonly refusals?: readonly string[];
  };
};
