import { capitaliseAcronyms, isCode, type OpenApiDocument } from "../model/index.ts";
import { componentSchemasOf } from "./components.ts";

export function deriveTitles(document: OpenApiDocument): void {
  const schemas = componentSchemasOf(document);
  for (const [name, schema] of Object.entries(schemas)) {
    if (typeof schema !== "object") continue;
    const meaning = isCode(name) ? schema["x-error"]?.meaning : undefined;
    schemas[name] = { title: meaning === undefined ? titleOf(name) : `${name} ${meaning}`, ...schema };
  }
}

function titleOf(name: string): string {
  const words = name.split(/(?<=[a-z])(?=[A-Z0-9])|(?<=[0-9](?:ds)?)(?=[A-Z])/);
  return capitaliseAcronyms(words.map((word, index) => (index === 0 ? word : word.toLowerCase())));
}
