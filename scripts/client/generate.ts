/** Generates the client package of an edition. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readContract } from "../contract/contract.ts";
import type { OpenApiDocument } from "../contract/document.ts";
import type { OpenQuestions } from "../contract/open-questions.ts";
import type { Edition } from "../contract/project.ts";
import { compileSources } from "./compile.ts";
import { generateSources } from "./sources.ts";
import { generateTypes } from "./types.ts";
import { generateValidators } from "./validators.ts";

const runtimeFolder = fileURLToPath(new URL("runtime", import.meta.url));

/**
 * The files of the client: what depends on the contract, the runtime, and the types.
 *
 * @returns paths below `generated/<edition>/client/` and their texts.
 */
export async function generateClient(
  document: OpenApiDocument,
  edition: Edition,
  questions: OpenQuestions,
): Promise<Record<string, string>> {
  const contract = readContract(document);
  return {
    ...compileSources({ ...generateSources(contract, edition, questions), ...runtimeSources() }),
    ...generateValidators(contract),
    "types.d.ts": await generateTypes(document, questions),
  };
}

function runtimeSources(): Record<string, string> {
  const files = readdirSync(runtimeFolder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  return Object.fromEntries(
    files.sort().map((name) => [`runtime/${name}`, readFileSync(`${runtimeFolder}/${name}`, "utf8")]),
  );
}
