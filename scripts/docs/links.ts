/** Links to the parts of an edition's page, at the addresses that Redoc gives them. */
import type { Contract } from "../contract/contract.ts";
import type { OpenQuestions } from "../contract/open-questions.ts";
import { mark, provenanceMark } from "./markdown.ts";

/** The two sections of a page that are no tags of the contract. */
export const errorsSection = "Errors";
export const questionsSection = "Open questions";

/** Turns the name of something into a link, or into plain text when this edition does not hold it. */
export interface Links {
  operation(operationId: string, words?: string): string;
  webhook(name: string, words?: string): string;
  error(code: string, words?: string): string;
  question(id: string, words?: string): string;
  section(name: string, words?: string): string;
}

/** The links of an edition's page. */
export function createLinks(contract: Contract, questionIds: string[]): Links {
  const operations = new Map(contract.operations.map((operation) => [operation.operationId, operation]));
  const webhooks = new Map(contract.webhooks.map((webhook) => [webhook.name, webhook]));
  const codes = new Set(contract.errorCodes.map(({ code }) => code));
  return {
    operation(operationId, words) {
      const operation = operations.get(operationId);
      return link(words ?? operation?.summary ?? operationId, operation && [operation.tag, operationId]);
    },
    webhook(name, words) {
      const webhook = webhooks.get(name);
      return link(words ?? webhook?.summary ?? name, webhook && [webhook.tag, name]);
    },
    error: (code, words = code) => link(words, codes.has(code) ? [errorsSection, code] : undefined),
    question: (id, words = id) => link(words, questionIds.includes(id) ? [questionsSection, id] : undefined),
    section: (name, words = name) => link(words, [name]),
  };
}

/** Redoc's address of an entry in the side bar: lower case, with a hyphen for everything that is no letter or digit. */
function link(words: string, path: string[] | undefined): string {
  if (path === undefined) return words;
  const slugs = path.map((part) => part.toLowerCase().replace(/[^a-z0-9]+/g, "-"));
  return `[${words}](#/${slugs.join("/")})`;
}

/**
 * Resolves the project's own link targets (`[words](operation:createUserAccount)`, also `webhook:`, `error:`,
 * `question:` and `section:`) and marks (`{mark:proposed}`) in a text, and links P-codes that stand in it as plain words.
 */
export function linkText(text: string, links: Links): string {
  const linked = text
    .replace(/\[([^\]]+)\]\((operation|webhook|error|question|section):([^)]+)\)/g, (_, words, kind, name) =>
      links[kind as keyof Links](name, words),
    )
    .replace(/\{mark:(specification|reference|proposed)\}/g, (_, provenance) => provenanceMark(provenance))
    .replaceAll("{mark:sensitive}", mark("sensitive", "Sensitive"))
    .replaceAll("{mark:irregular}", mark("irregular", "Irregular"));
  // Code spans and links stay as they are; a P-code anywhere else becomes a link.
  const parts = linked.split(/(`[^`]*`|\[[^\]]*\]\([^)]*\))/);
  return parts
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/\bP\d{3}\b/g, (code) => links.error(code))))
    .join("");
}

/** The questions of the register that are marked somewhere in a document, in the order of the register. */
export function usedQuestions(document: unknown, questions: OpenQuestions): string[] {
  const marked = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === "x-open-questions") for (const id of value as string[]) marked.add(id);
      else visit(value);
    }
  };
  visit(document);
  return Object.keys(questions).filter((id) => marked.has(id));
}
