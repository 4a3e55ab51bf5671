import { join } from "node:path";
import { Sources } from "../../scripts/contract/sources/index.ts";

const folder = "/contract";

/** @param files texts or objects by path relative to `openapi/`. Objects are written as JSON, which is valid YAML. */
export function memorySources(files: Record<string, string | object>): Sources {
  const texts = new Map(
    Object.entries(files).map(([path, content]) => {
      return [join(folder, path), typeof content === "string" ? content : JSON.stringify(content)];
    }),
  );
  return new Sources(`${folder}/openapi.yaml`, {
    list: () => [...texts.keys()].sort(),
    read: (file) => texts.get(file),
  });
}
