/** Links to the parts of an edition's page, at the addresses that Redoc gives them. */
import { absentSuffix, type Contract, isCode, type OpenQuestions } from "../contract/index.ts";
import { mark, provenanceMark } from "./markdown.ts";

/** The names of the sections that belong to no tag of the contract. */
export const journeysSection = "Journeys";
export const errorsSection = "Errors";
export const questionsSection = "Open questions";

/** Turns the name of something into a link, or into plain text when this edition does not have it. */
export interface Links {
  operation(operationId: string, words?: string): string;
  webhook(name: string, words?: string): string;
  error(code: string, words?: string): string;
  question(id: string, words?: string): string;
  section(name: string, words?: string): string;
}

/**
 * The links of an edition's page.
 *
 * @param questions those that the page lists.
 */
export function createLinks(contract: Contract, questions: OpenQuestions): Links {
  const operations = new Map(contract.operations.map((operation) => [operation.operationId, operation]));
  const webhooks = new Map(contract.webhooks.map((webhook) => [webhook.name, webhook]));
  const codes = new Set(contract.errorCodes.map(({ code }) => code));
  return {
    operation(operationId, words) {
      const operation = operations.get(operationId);
      if (operation !== undefined) return link(words ?? operation.summary, [operation.tag, operationId]);
      return (words ?? contract.absentOperations[operationId] ?? operationId) + absentSuffix;
    },
    webhook(name, words) {
      const webhook = webhooks.get(name);
      return link(words ?? webhook?.summary ?? name, webhook && [webhook.tag, name]);
    },
    error: (code, words = code) => link(words, codes.has(code) ? [errorsSection, code] : undefined),
    question: (id, words = id) => link(words, Object.hasOwn(questions, id) ? [questionsSection, id] : undefined),
    section: (name, words = name) => link(words, [name]),
  };
}

/** Redoc's address of an entry of the side bar: lower case, with a hyphen for everything but letters and digits. */
function link(words: string, path: string[] | undefined): string {
  if (path === undefined) return words;
  const slugs = path.map((part) => part.toLowerCase().replace(/[^a-z0-9]+/g, "-"));
  return `[${words}](#/${slugs.join("/")})`;
}

/**
 * Resolves this project's own link targets (`[words](operation:createUserAccount)`, also `webhook:`, `error:`,
 * `question:` and `section:`) and marks (`{mark:proposed}`) in a text, and turns P-codes in plain words into links.
 */
export function linkText(text: string, links: Links): string {
  const linked = text
    .replace(/\[([^\]]+)\]\((operation|webhook|error|question|section):([^)]+)\)/g, (_, words, kind, name) =>
      links[kind as keyof Links](name, words),
    )
    .replace(/\{mark:(specification|reference|observed|proposed)\}/g, (_, provenance) => provenanceMark(provenance))
    .replaceAll("{mark:sensitive}", mark("sensitive", "Sensitive"))
    .replaceAll("{mark:irregular}", mark("irregular", "Irregular"));
  // Code spans and links are every second part, and stay as they are.
  const parts = linked.split(/(`[^`]*`|\[[^\]]*\]\([^)]*\))/);
  return parts
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/\w+/g, (word) => (isCode(word) ? links.error(word) : word)),
    )
    .join("");
}
