import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { type OperationObject, projectRoot } from "../../scripts/contract/model/index.ts";
import { sources } from "../support/contract.ts";
import type { Subject } from "./compare.ts";

interface Sentences {
  says: Record<string, { quote: string; says: string[] }[]>;
  checkedElsewhere: { quote: string; by: string }[];
  background: string[];
  unstated: { in: string; text: string; instead: string }[];
  notShown: string[];
}

export const sentences = parseYaml(readFileSync(new URL("./sentences.yaml", import.meta.url), "utf8")) as Sentences;

const folder = `${projectRoot}/openapi/guides`;

export function textDifferences(subject: Subject, where: string, says: string[]): string[] {
  return says
    .filter((pattern) => !matches(subject, where, pattern))
    .map(
      (pattern) =>
        `nothing in ${where} matches ${pattern} of sentences.yaml; what replaces a sentence stands beside it`,
    );
}

export function matches(subject: Subject, where: string, pattern: string): boolean {
  const source = pattern.replace(/^\(\?i\)/, "");
  return new RegExp(source, source === pattern ? "" : "i").test(textOf(subject, where));
}

function textOf(subject: Subject, where: string): string {
  return textIn(subject, where).replaceAll(/\s+/g, " ");
}

function textIn({ document }: Subject, where: string): string {
  if (where === "info") return document.info.description ?? "";
  if (where.startsWith("tag:")) return document.tags?.find(({ name }) => name === where.slice(4))?.description ?? "";
  if (where.startsWith("schema:")) return textsOf(document.components?.schemas?.[where.slice(7)]).join("\n");
  if (where.startsWith("guide:")) return guideIn(`${folder}/${where.slice("guide:".length)}.md`);
  const webhook = document.webhooks?.[where]?.post;
  const item = Object.values(document.paths).find((candidate) => {
    return Object.values(candidate).some((operation) => (operation as OperationObject).operationId === where);
  });
  const operation = Object.values(item ?? {}).find((candidate) => (candidate as OperationObject).operationId === where);
  const texts = textsOf([webhook, item?.parameters, operation]);
  // Includes the texts of open questions, which the pages show beside the operation.
  const { questions } = sources.registers();
  return [...texts, ...textsOf(texts.map((id) => questions[id]))].join("\n");
}

function textsOf(node: unknown): string[] {
  if (typeof node === "string") return [node];
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, inner]) => (/^(example|x-origin$)/.test(key) ? [] : textsOf(inner)));
}

/** Reads a guide, and writes its links and marks as in sentences.yaml: `(operation:getLoan)` instead of the path of a file. */
function guideIn(file: string): string {
  return readFileSync(file, "utf8")
    .replaceAll(/\(\.\.\/paths\/[\w-]+\/([\w-]+)\.yaml(#\w+)?\)/g, "(operation:$1)")
    .replaceAll(/\(\.\.\/webhooks\/(\w+)\.yaml\)/g, "(webhook:$1)")
    .replaceAll(/_\((specification|reference|observed|proposed)\)_/g, "{mark:$1}");
}
