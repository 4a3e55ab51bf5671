/** How to run each answer to an open question with the mock. */
import { projectRoot } from "../../contract/model/index.ts";
import { readYaml } from "../../contract/sources/index.ts";

type Worlds = Readonly<Record<string, Readonly<Record<string, { readonly cannot?: string }>>>>;

let worlds: Worlds | undefined;

/** A sentence in Markdown; empty for an answer that is not in `openapi/answers.yaml`. */
export function howToRun(id: string, answer: string): string {
  worlds ??= readYaml<Worlds>(`${projectRoot}/openapi/answers.yaml`, "The answers to open questions");
  const world = worlds[id]?.[answer];
  if (world === undefined) return "";
  if (world.cannot !== undefined) return `It cannot be run: ${world.cannot}`;
  if (Object.keys(world).length === 0) return "The mock does this by default.";
  return `To run it: \`npx partner-wallet-api mock --answer "${id}=${answer}"\``;
}
