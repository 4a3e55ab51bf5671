/** Small pieces of the Markdown (with inline HTML) that the pages are made of. */
import type { Provenance } from "../contract/document.ts";

const provenanceWords: Record<Provenance, string> = {
  specification: "Stated in the specification",
  reference: "Seen in the public reference",
  proposed: "Proposed: to be confirmed",
};

/** The same in a word, for places where many stand together. */
export const shortProvenanceWords: Record<Provenance, string> = {
  specification: "Stated",
  reference: "Seen",
  proposed: "Proposed",
};

/** The mark that says where something comes from. */
export function provenanceMark(provenance: Provenance): string {
  return mark(provenance, provenanceWords[provenance]);
}

/** The same mark in a word. */
export function shortProvenanceMark(provenance: Provenance): string {
  return mark(provenance, shortProvenanceWords[provenance]);
}

/** A short text that stands out. Its colour is in `page.hbs`, by kind. */
export function mark(kind: Provenance | "question" | "sensitive" | "irregular", words: string): string {
  return `<span class="mark mark-${kind}">${words}</span>`;
}

/** Text of the contract on one line, with what would be taken for HTML or for a table's border made harmless. */
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

/** Blocks of Markdown below each other, empty ones left out. */
export function blocks(...texts: (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text.trim() !== "").join("\n\n");
}

/** A text as a sentence: with a full stop at the end when it has none. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}

/** A block that opens on a click, for what would push the rest of the page too far down. */
export function details(summary: string, text: string): string {
  return blocks(`<details><summary>${summary}</summary>`, text, "</details>");
}
