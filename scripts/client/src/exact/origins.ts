/** An origin is the text from which received data was parsed. It is kept, because a JavaScript number can lose digits of a JSON number. */
import { sharedMap } from "../base/shared-map.ts";

export interface Origin {
  readonly text: string;
  /** Index in the result of `partsOf`. */
  readonly index: number;
}

/** By the objects and arrays in received data. */
export const origins: WeakMap<object, Origin> = /* @__PURE__ */ sharedMap<object, Origin>("origins");
