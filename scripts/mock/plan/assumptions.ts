/** The form of `openapi/mock.yaml`: what the mock assumes where nobody states it. */
import type { Assume } from "../../../generated/control/types.ts";

type Whole<Type> = Type extends readonly unknown[] | string | number
  ? Type
  : { readonly [Name in keyof Type]-?: Whole<Type[Name]> };

/** What can be changed. */
type Changeable = Whole<Assume>;
type Listed = Changeable["currencies"]["list"][string];

/** A network of a cryptocurrency. Amounts are decimal strings; `fee` is that of the service, `networkFee` that of the network. */
export type Network = Listed["networks"][string] & { readonly chain: string };

export interface Currency {
  readonly kind: "fiat" | "crypto";
  readonly decimals: number;
  /** What one unit is worth in euro, as a decimal string. */
  readonly rate: string;
  readonly networks?: Readonly<Record<string, Network>>;
}

/** What no two users can have alike. */
export type UniqueAttribute = Changeable["deletion"]["frees"][number];

interface Sections extends Omit<Changeable, "currencies"> {
  readonly currencies: { readonly list: Readonly<Record<string, Currency>> };
}

/** Each section with the open questions that it rests on, and the operations whose responses rest on it. */
export type Assumptions = {
  readonly [Name in keyof Sections]: Sections[Name] & {
    readonly questions: readonly string[];
    readonly responses?: readonly string[];
    /** The operations whose refusals rest on what was assumed in an earlier call. */
    readonly refusals?: readonly string[];
  };
};
