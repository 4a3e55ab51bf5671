/** The texts from which received data was parsed, because a JavaScript number cannot keep every digit of a JSON number. */
import { sharedMap } from "./shared-map.ts";

export interface Origin {
  readonly text: string;
  /** Index in the result of `partsOf`. */
  readonly index: number;
}

/** By each object and array of the data. */
export const origins: WeakMap<object, Origin> = /* @__PURE__ */ sharedMap<object, Origin>("origins");
