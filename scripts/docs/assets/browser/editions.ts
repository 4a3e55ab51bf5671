/** The edition switch: the other edition opens at the same heading or field. */
import { all } from "./dom.ts";

/** Lets the links of the switch keep the anchor of the address, where they lead to the same page. */
export function startEditions(): void {
  for (const link of all<HTMLAnchorElement>(".editions a")) {
    link.addEventListener("click", () => {
      if (!link.href.includes("#")) link.hash = location.hash;
    });
  }
}
