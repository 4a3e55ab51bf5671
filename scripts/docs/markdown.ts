/** Builds the Markdown, with inline HTML, of the texts on a page. */
import type { Provenance } from "../contract/index.ts";

const provenanceWords: Record<Provenance, string> = {
  specification: "Stated in the specification",
  reference: "Seen in the public reference",
  observed: "Seen in a program that calls the service, or inferred from one",
  proposed: "Proposed: to be confirmed",
};

/** The same in one word, where many marks stand close together. */
export const shortProvenanceWords: Record<Provenance, string> = {
  specification: "Stated",
  reference: "Seen",
  observed: "Observed",
  proposed: "Proposed",
};

/** The mark that states the provenance of something. */
export function provenanceMark(provenance: Provenance): string {
  return mark(provenance, provenanceWords[provenance]);
}

/** The same mark in one word. */
export function shortProvenanceMark(provenance: Provenance): string {
  return mark(provenance, shortProvenanceWords[provenance]);
}

/** A highlighted word or two. `page.hbs` has the colour of each kind. */
export function mark(kind: Provenance | "question" | "sensitive" | "irregular", words: string): string {
  return `<span class="mark mark-${kind}">${words}</span>`;
}

/** A name or value, as code. */
export function code(value: string): string {
  return `\`${value}\``;
}

/** Text of the contract on one line, with the characters escaped that start HTML or end a cell of a table. */
export function inline(text: string): string {
  const parts = text
    .trim()
    .replace(/\s+/g, " ")
    .replaceAll("|", "\\|")
    .split(/(`[^`]*`)/);
  return parts.map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "&lt;"))).join("");
}

/** A table. The cells are Markdown already. */
export function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A list of short texts. */
export function list(items: string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

/** Blocks of Markdown below each other; empty ones are left out. */
export function blocks(...texts: (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text.trim() !== "").join("\n\n");
}

/** A text with a full stop at its end, unless it ends a sentence already. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}

/** A long block that is closed until the reader opens it. */
export function details(summary: string, text: string): string {
  return blocks(`<details><summary>${summary}</summary>`, text, "</details>");
}
