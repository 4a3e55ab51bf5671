import type { Oas3Decorator } from "@redocly/openapi-core";
import { editions, UsageError } from "../../base/index.ts";
import type { OpenApiDocument } from "../model/index.ts";
import { readPublication, Sources } from "../sources/index.ts";
import { makeEdition } from "./edition.ts";
import { publishInPlace } from "./publish.ts";
import { refuserOfMalformed } from "./refuse-malformed.ts";
import type { ComponentPlaces } from "./source-of.ts";

/**
 * @param options.publishes whether the result is the published document, or the one that the tools of this project read.
 * @param options.places is filled while the contract is bundled.
 */
export function decoratorsFor(
  sources: Sources = new Sources(),
  { publishes = true, places = {} }: { publishes?: boolean; places?: ComponentPlaces } = {},
): Record<string, Oas3Decorator> {
  return {
    edition: ({ name }) => {
      const edition = editions.find((candidate) => candidate === name);
      if (edition === undefined) {
        throw new UsageError(`The decorator contract/edition takes a name in redocly.yaml: ${editions.join(" or ")}.`);
      }
      let hasBrokenReference = false;
      const refuseMalformed = refuserOfMalformed(sources);
      return {
        any: { enter: refuseMalformed },
        ref: {
          enter: (reference, context, { node }) => {
            refuseMalformed(reference, context);
            hasBrokenReference ||= node === undefined;
          },
          // Redocly has changed the reference. It visits a component again in the bundle, so the first location is the written one.
          leave: ({ $ref }, _context, { chain, location }) => {
            const written = chain?.[0]?.location ?? location;
            if (written !== undefined) places[$ref] ??= { file: written.source.absoluteRef, pointer: written.pointer };
          },
        },
        Root: {
          leave: (root) => {
            // Redocly reports the reference after the decorators, and writes no bundle.
            if (hasBrokenReference) return;
            const document = root as unknown as OpenApiDocument;
            makeEdition(document, edition);
            if (publishes) publishInPlace(document, readPublication(sources));
          },
        },
      };
    },
  };
}
