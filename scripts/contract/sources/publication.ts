/** What a published document contains besides the contract itself. */
import { UsageError } from "../../base/index.ts";
import type { OpenApiDocument, OpenQuestions, SourceLocation } from "../model/index.ts";
import { completeValue, refuse } from "./complete-value.ts";
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

/** @throws {UsageError} if a file cannot be read or parsed, or has a question or sample with a key without value. */
export function readPublication(sources: Sources): Publication {
  const { extensions, openQuestions, publishing } = sources.layout;
  return {
    keys: sources
      .location(extensions)
      .entries()
      .flatMap(([key, entry]) => (isPublished(entry) ? [key] : [])),
    questions: readQuestions(sources.location(openQuestions)),
    // Lint also reads contracts of other folders, which need no such file.
    support: sources.has(publishing) ? readPublishing(sources).support : null,
    samples: readSampleValues(sources),
    releases: releasesOf(sources),
  };
}

export function readSampleValues(sources: Sources): SampleValues[] {
  const { scenario } = sources.layout;
  if (!sources.has(scenario)) return [];
  const samples = sources.location(scenario).child("samples").items();
  for (const sample of samples) {
    if (sample.value !== null && sample.text("operation") === undefined) refuse(sample, "needs the text operation");
    for (const part of [sample.child("path"), sample.child("body")]) {
      if (part.exists && (typeof part.value !== "object" || Array.isArray(part.value))) refuse(part, "is no map");
    }
  }
  return samples.map((sample) => completeValue<SampleValues>(sample));
}

function isPublished(extension: SourceLocation): boolean {
  const { exists, value } = extension.child("published");
  return exists && (value === true || refuse(extension.child("published"), "is not true"));
}

function readQuestions(register: SourceLocation): OpenQuestions {
  for (const [, question] of register.entries()) {
    for (const key of ["question", "assumption"]) {
      if (question.value !== null && question.text(key) === undefined) refuse(question, `needs the text ${key}`);
    }
  }
  return completeValue(register);
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
