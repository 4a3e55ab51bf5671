/** What a published document contains besides the contract itself. */
import { UsageError } from "../../base/index.ts";
import type { OpenApiDocument, OpenQuestions } from "../model/index.ts";
import type { Extensions } from "./forms.ts";
import { readPublishing } from "./publishing.ts";
import type { Sources } from "./sources.ts";

export interface Publication {
  /** The `x-` keys that `extensions.yaml` marks as `published`. */
  keys: readonly string[];
  questions: OpenQuestions;
  support: string | null;
  samples: readonly SampleValues[];
  /** The released contracts, oldest first. */
  releases: readonly { version: string; document: OpenApiDocument }[];
}

/** An entry of `samples` in `openapi/scenario.yaml`. */
export interface SampleValues {
  operation: string;
  /** The name of the request example to which `body` applies. If it is missing, `body` applies to every request example. */
  request?: string;
  path?: Record<string, string>;
  body?: Record<string, unknown>;
}

/** @throws {UsageError} if a file cannot be read or is malformed. */
export function readPublication(sources: Sources): Publication {
  const { publishing } = sources.layout;
  return {
    keys: Object.entries(sources.register<Extensions>("extensions")).flatMap(([key, entry]) =>
      entry?.published ? [key] : [],
    ),
    questions: sources.register<OpenQuestions>("openQuestions"),
    // Lint also reads contracts of other folders, which need no such file.
    support: sources.has(publishing) ? readPublishing(sources).support : null,
    samples: readSampleValues(sources),
    releases: releasesOf(sources),
  };
}

export function readSampleValues(sources: Sources): SampleValues[] {
  if (!sources.has(sources.layout.scenario)) return [];
  return sources.register<{ samples?: SampleValues[] }>("scenario").samples ?? [];
}

function releasesOf(sources: Sources): Publication["releases"] {
  return Object.entries(sources.releaseTexts())
    .sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))
    .map(([version, text]) => {
      try {
        return { version, document: JSON.parse(text) as OpenApiDocument };
      } catch (error) {
        throw new UsageError(
          `${sources.nameOf(`${sources.layout.folder}/released/${version}.json`)} cannot be read: ${(error as Error).message}`,
        );
      }
    });
}
