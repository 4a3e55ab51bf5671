/** The decorators of Redocly that make a bundle of what is written by hand; redocly.yaml names them for each edition. */
import type { Oas3Decorator } from "@redocly/openapi-core";
import { type OpenApiDocument, UsageError } from "../contract/index.ts";
import { completeErrors } from "./complete-errors.ts";
import { makeEdition } from "./edition.ts";

/** Redocly calls them with the whole document, bundled but for components that nothing refers to any more. */
export const decorators: Record<string, Oas3Decorator> = {
  /** Adds to each answer with P-codes what follows from its list of codes; `provenance` says which codes to keep. */
  "complete-errors": ({ provenance }) => atTheEnd((document) => completeErrors(document, provenance as string[])),

  /** Names the edition, and takes out what points to parts of the contract that the edition does not have. */
  edition: ({ name }) => {
    if (typeof name !== "string") throw new UsageError("The decorator contract/edition needs a name in redocly.yaml.");
    return atTheEnd((document) => makeEdition(document, name));
  },
};

function atTheEnd(change: (document: OpenApiDocument) => void): ReturnType<Oas3Decorator> {
  return { Root: { leave: (root) => change(root as unknown as OpenApiDocument) } };
}
