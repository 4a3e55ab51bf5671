import type { Delivery } from "../plan/control.ts";
import type { DeliveryRecord } from "../plan/data.ts";

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** The list `attempts` is replaced rather than changed, because copies of the record share it. */
export type OpenDelivery = Mutable<Delivery & Pick<DeliveryRecord, "tries" | "due" | "repeats">>;

export const initialDelivery = { attempts: [], state: "pending", tries: 0 } as const;

export function snapshotOf({ tries: _tries, due: _due, repeats: _repeats, ...record }: OpenDelivery): Delivery {
  return record;
}
