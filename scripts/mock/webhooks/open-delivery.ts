import type { Delivery } from "../plan/control.ts";
import type { DeliveryRecord } from "../plan/data.ts";

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** The mutable record of a delivery. The list `attempts` is replaced rather than changed, so that copies of the record can share it. */
export type OpenDelivery = Mutable<Delivery & Pick<DeliveryRecord, "tries" | "due" | "repeats">>;

export const initialDelivery = { attempts: [], state: "pending", tries: 0 } as const;

export function snapshotOf({ tries: _tries, due: _due, repeats: _repeats, ...record }: OpenDelivery): Delivery {
  return record;
}
