import type { Delivery } from "../plan/control.ts";
import type { DeliveryRecord } from "../plan/data.ts";

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** The delivery of an event while attempts can follow. `attempts` is always replaced, so that copies can share it. */
export type OpenDelivery = Mutable<Delivery & Pick<DeliveryRecord, "tries" | "due" | "repeats">>;

export const initialDelivery = { attempts: [], state: "pending", tries: 0 } as const;

export function snapshotOf({ tries: _tries, due: _due, repeats: _repeats, ...record }: OpenDelivery): Delivery {
  return record;
}
