import { isCode, type OpenApiDocument } from "../model/index.ts";
import { componentSchemasOf } from "./components.ts";

const acronyms = /^(api|cvv|iban|kyc|pin|poa|sepa|utc|uuid|\dds)$/i;

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
  return words
    .map((word, index) => {
      if (acronyms.test(word)) return word.toUpperCase();
      return index === 0 ? word : word.toLowerCase();
    })
    .join(" ");
}
