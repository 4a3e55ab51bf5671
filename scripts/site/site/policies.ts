/** The policies of this repository, Markdown files at its root. */
import { readFileSync } from "node:fs";
import { projectRoot } from "../../contract/model/index.ts";

const files = ["SECURITY", "SUPPORT"];

/**
 * A section of a policy, as Markdown without its heading.
 *
 * @param name of the file, without its ending: `SUPPORT`.
 * @param heading of the second level; undefined where the file has no such section.
 */
export function policySection(name: string, heading: string): string | undefined {
  if (!files.includes(name)) return undefined;
  const text = readFileSync(`${projectRoot}/${name}.md`, "utf8");
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  return section?.slice(heading.length).trim();
}
