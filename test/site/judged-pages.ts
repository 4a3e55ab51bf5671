/** Compares the pages of operations, webhooks, codes and resources with the contract. */
import { beforeAll, expect } from "vitest";
import {
  type JsonSchema,
  type OpenApiDocument,
  type Operation,
  type Provenance,
  type Webhook,
  weakestProvenance,
} from "../../scripts/contract/model/index.ts";
import type { SitePage } from "../../scripts/site/components/site-page.ts";
import { type PageRef, pathOf, relativeHref } from "../../scripts/site/content/pages.ts";
import { findTarget, type SiteContent, type TargetKind } from "../../scripts/site/content/site.ts";
import { type Element, type ParsedPage, parsePages, textOf } from "./parsed-page.ts";
import { site } from "./whole-site.ts";

const { operations, webhooks } = site.contract;

export const shortWords = { specification: "Stated", reference: "Seen", observed: "Observed", proposed: "Proposed" };
export const longWords = {
  specification: "Stated in the specification",
  reference: "Seen in the public reference",
  observed: "Observed in, or inferred from, a program that calls the service",
  proposed: "Proposed, to be confirmed",
};

export const pairsIn = (operation: Operation) =>
  operation.responses.flatMap(({ codeRefs }) =>
    codeRefs.map(({ code, effectiveProvenance: provenance }) => ({ code, operation, provenance })),
  );
export const pairsOf = (code: string) => operations.flatMap(pairsIn).filter((pair) => pair.code === code);

const document = site.contract.root.value as OpenApiDocument;

export const namesOf = (subjects: readonly { name: string }[]) => subjects.map(({ name }) => name);

export function questionIdsIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const { "x-open-questions": ids = [], $ref } = node as JsonSchema & { $ref?: string };
  const names = typeof $ref === "string" ? $ref.slice(2).split("/") : [];
  const target = names.reduce((parent: unknown, name) => (parent as Record<string, unknown>)[name], document);
  return [...ids, ...(names.length === 0 ? [] : questionIdsIn(target)), ...Object.values(node).flatMap(questionIdsIn)];
}

/** The questions of each subject, including the questions on its parts, but not on failure responses. */
const questions = new Map(
  [...operations, ...webhooks].map((subject) => {
    const item = "operationId" in subject ? document.paths[subject.path] : document.webhooks?.[subject.name];
    const { parameters, requestBody, responses = {} } = Object(item)["method" in subject ? subject.method : "post"];
    const shownResponses = Object.entries(responses).filter(([status]) => Number(status) < 400);
    const ids = questionIdsIn([Object(item).parameters, parameters, requestBody, shownResponses]);
    return [subject as Operation | Webhook, new Set([...subject.openQuestions, ...ids])];
  }),
);

/** A subject's page shows every question of the subject itself, but a question of a part only if at most 4 subjects share it. */
export function questionsOf(subject: Operation | Webhook): string[] {
  const hasFewSubjects = (id: string) => [...questions.values()].filter((ids) => ids.has(id)).length <= 4;
  return [...(questions.get(subject) ?? [])].filter((id) => subject.openQuestions.includes(id) || hasFewSubjects(id));
}

export class JudgedPage {
  readonly page: ParsedPage;
  constructor(page: ParsedPage) {
    this.page = page;
  }
  text(id?: string): string {
    if (id === undefined) return textOf(this.page.main);
    const element = this.page.byId.get(id);
    return textOf(element?.tagName === "h2" ? (element.parentNode as Element) : element);
  }
  missingWords(id: string | undefined, words: readonly string[]): string[] {
    const text = this.text(id);
    return words.filter((word) => !text.includes(word)).map((word) => `${id ?? "the page"} lacks ${word}`);
  }
  unlinkedNames(kind: TargetKind, names: readonly string[]): string[] {
    return names.filter((name) => !this.page.hrefs.has(this.href(kind, name))).map((name) => `no link to ${name}`);
  }
  href(kind: TargetKind, name: string): string {
    const target = findTarget(site, kind, name);
    if (target === undefined) throw new Error(`There is no ${kind} ${name}.`);
    return relativeHref(this.page.path, pathOf(target)) + (target.anchor === undefined ? "" : `#${target.anchor}`);
  }
}

export function makeJudge<Subject>(
  make: (site: SiteContent) => SitePage[],
  subjects: readonly Subject[],
  refOf: (subject: Subject) => PageRef,
) {
  const pages = new Map<string, JudgedPage>();
  beforeAll(() => {
    for (const page of parsePages(make(site), site)) pages.set(page.path, new JudgedPage(page));
    expect([...pages.keys()]).toEqual(subjects.map((subject) => pathOf(refOf(subject))));
  });
  return (complaints: (subject: Subject, page: JudgedPage) => string[]) => {
    const problems = subjects.flatMap((subject) => {
      const path = pathOf(refOf(subject));
      return complaints(subject, pages.get(path) as JudgedPage).map((words) => `${path}: ${words}`);
    });
    expect(problems).toEqual([]);
  };
}

export function isWeak(mark: Provenance | undefined, enclosingProvenance: Provenance = "reference"): boolean {
  const baseProvenance = weakestProvenance("reference", enclosingProvenance);
  return weakestProvenance(baseProvenance, mark) !== baseProvenance;
}
