/** The decorator of Redocly that makes an edition of what is written by hand; redocly.yaml says what each is made of. */
import type { Oas3Decorator } from "@redocly/openapi-core";
import { type OpenApiDocument, UsageError } from "../contract/index.ts";
import { Sources } from "../sources/index.ts";
import { makeEdition } from "./edition.ts";

/**
 * The decorators. Redocly calls them with the whole document, bundled with every component that it has met.
 *
 * @param sources where the registers are read from; those of this repository by default.
 */
export function decoratorsFor(sources: Sources = new Sources()): Record<string, Oas3Decorator> {
  return {
    /** Makes the edition `name`; `without: proposed` leaves out everything that is proposed. */
    edition: ({ name, without }) => {
      if (typeof name !== "string" || !(without === undefined || without === "proposed")) {
        throw new UsageError("The decorator contract/edition takes a name and `without: proposed` in redocly.yaml.");
      }
      const leave = (root: unknown) => {
        makeEdition(root as OpenApiDocument, { name, withProposed: without === undefined }, () => sources.registers());
      };
      return { Root: { leave } };
    },
  };
}
