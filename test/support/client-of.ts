import { found } from "../../scripts/base/index.ts";
import { generateClient } from "../../scripts/client/generate/index.ts";
import type { OpenApiDocument } from "../../scripts/contract/model/index.ts";
import { copyOf, sources } from "./contract.ts";

export type Change = (document: OpenApiDocument) => unknown;

/** The generated files of a changed contract. */
export async function clientOf(change: Change): Promise<Record<string, string>> {
  const document = await copyOf("test");
  change(document);
  return generateClient(document, sources.registers());
}

export function schemasIn({ components }: OpenApiDocument): Record<string, object> {
  return found(components?.schemas, "schemas") as Record<string, object>;
}
