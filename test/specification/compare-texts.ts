import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { projectRoot } from "../../scripts/base/index.ts";
import type { OperationObject } from "../../scripts/contract/model/index.ts";
import { sources } from "../support/contract.ts";
import type { Subject } from "./compare.ts";

interface Sentences {
  sentencesByPlace: Record<string, { quote: string; patterns: string[] }[]>;
  checkedElsewhere: { quote: string; check: string }[];
  background: string[];
  unstated: { place: string; pattern: string; statedInstead: string }[];
  notShown: string[];
}

export const sentences = parseYaml(readFileSync(new URL("./sentences.yaml", import.meta.url), "utf8")) as Sentences;

const folder = `${projectRoot}/openapi/guides`;

export function textDifferences(subject: Subject, place: string, patterns: string[]): string[] {
  return patterns
    .filter((pattern) => !matches(subject, place, pattern))
    .map(
      (pattern) =>
        `nothing in ${place} matches ${pattern} of sentences.yaml; what replaces a sentence stands beside it`,
    );
}

export function matches(subject: Subject, place: string, pattern: string): boolean {
  const source = pattern.replace(/^\(\?i\)/, "");
  return new RegExp(source, source === pattern ? "" : "i").test(textOf(subject, place));
}

function textOf(subject: Subject, place: string): string {
  return textIn(subject, place).replaceAll(/\s+/g, " ");
}

function textIn({ document }: Subject, place: string): string {
  if (place === "info") return document.info.description ?? "";
  if (place.startsWith("tag:")) return document.tags?.find(({ name }) => name === place.slice(4))?.description ?? "";
  if (place.startsWith("schema:")) return textsOf(document.components?.schemas?.[place.slice(7)]).join("\n");
  if (place.startsWith("guide:")) return guideIn(`${folder}/${place.slice("guide:".length)}.md`);
  const webhook = document.webhooks?.[place]?.post;
  const item = Object.values(document.paths).find((candidate) => {
    return Object.values(candidate).some((operation) => (operation as OperationObject).operationId === place);
  });
  const operation = Object.values(item ?? {}).find((candidate) => (candidate as OperationObject).operationId === place);
  const texts = textsOf([webhook, item?.parameters, operation]);
  // The pages show the texts of the open questions beside the operation, so they are included.
  const { questions } = sources.registers();
  return [...texts, ...textsOf(texts.map((id) => questions[id]))].join("\n");
}

function textsOf(node: unknown): string[] {
  if (typeof node === "string") return [node];
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, inner]) => (/^(example|x-origin$)/.test(key) ? [] : textsOf(inner)));
}

/** Reads a guide, and converts its links and marks to the form of sentences.yaml: `(operation:getLoan)` instead of the path of a file. */
function guideIn(file: string): string {
  return readFileSync(file, "utf8")
    .replaceAll(/\(\.\.\/paths\/[\w-]+\/([\w-]+)\.yaml(#\w+)?\)/g, "(operation:$1)")
    .replaceAll(/\(\.\.\/webhooks\/(\w+)\.yaml\)/g, "(webhook:$1)")
    .replaceAll(/_\((specification|reference|observed|proposed)\)_/g, "{mark:$1}");
}
