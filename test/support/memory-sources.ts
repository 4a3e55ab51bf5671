/** Contracts for tests, in memory. */
import { Sources } from "../../scripts/contract/sources/index.ts";

const folder = "/contract";

/**
 * The sources of a contract in memory.
 *
 * @param files texts or objects by path relative to the folder of the contract. Objects are written as JSON, which is valid YAML. The root
 * document is `openapi.yaml`.
 */
export function memorySources(files: Record<string, string | object>): Sources {
  const texts = new Map(
    Object.entries(files).map(([path, content]) => {
      return [`${folder}/${path}`, typeof content === "string" ? content : JSON.stringify(content)];
    }),
  );
  return new Sources(`${folder}/openapi.yaml`, {
    list: () => [...texts.keys()].sort(),
    read: (file) => texts.get(file),
  });
}
