import type { Oas3Decorator } from "@redocly/openapi-core";
import { editions, UsageError } from "../../base/index.ts";
import type { OpenApiDocument } from "../model/index.ts";
import { readPublication, Sources } from "../sources/index.ts";
import { makeEdition } from "./edition.ts";
import { publishInPlace } from "./publish.ts";
import { malformedNodeRefuser } from "./refuse-malformed.ts";
import type { ComponentPlaces } from "./source-of.ts";

/**
 * @param options.publishes whether to make the published document, or the document that the tools of this project read.
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
      const refuseMalformed = malformedNodeRefuser(sources);
      return {
        any: { enter: refuseMalformed },
        ref: {
          enter: (reference, context, { node }) => {
            refuseMalformed(reference, context);
            hasBrokenReference ||= node === undefined;
          },
          // Here, `$ref` is the pointer in the bundle. Redocly visits the component in the bundle later, so the first location is its source.
          leave: ({ $ref }, _context, { chain, location }) => {
            const written = chain?.[0]?.location ?? location;
            if (written !== undefined) places[$ref] ??= { file: written.source.absoluteRef, pointer: written.pointer };
          },
        },
        Root: {
          leave: (root) => {
            // After the decorators, Redocly reports the reference and writes no bundle.
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
