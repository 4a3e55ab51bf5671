import { found } from "../../scripts/base/index.ts";
import { generateClient } from "../../scripts/client/generate/index.ts";
import type { OpenApiDocument } from "../../scripts/contract/model/index.ts";
import { copyOf, sources } from "./contract.ts";

export type Change = (document: OpenApiDocument) => unknown;

let smallText: Promise<string> | undefined;

/** A contract with few operations, from which a client is generated in a tenth of the time. */
export async function smallContract(): Promise<OpenApiDocument> {
  smallText ??= copyOf("test").then((document) => {
    const paths = /^\/v1\/(card\/(pin|block)|(order|transfer)(\/details\/.*)?|user\/transaction-history\/.*)$/;
    keepMembers(document.paths, (path) => paths.test(path));
    keepMembers(document.webhooks ?? {}, (name) => ["orderStatus", "p2pTransfer"].includes(name));
    const names = namesOfSchemas(document);
    keepMembers(schemasIn(document), (name) => names.has(name));
    return JSON.stringify(document);
  });
  return JSON.parse(await smallText);
}

/** The generated files of a small contract after a change. */
export async function clientOf(change: Change = () => undefined): Promise<Record<string, string>> {
  const document = await smallContract();
  change(document);
  return generateClient(document, sources.registers());
}

function keepMembers(object: object, isKept: (name: string) => boolean): void {
  for (const name of Object.keys(object)) if (!isKept(name)) Reflect.deleteProperty(object, name);
}

/** The schemas that the paths and webhooks refer to, and those that these refer to. */
function namesOfSchemas(document: OpenApiDocument): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = (node: unknown): void => {
    for (const [, name = ""] of JSON.stringify(node ?? {}).matchAll(/"#\/components\/schemas\/([^"/]+)/g)) {
      if (names.has(name)) continue;
      names.add(name);
      collect(schemasIn(document)[name]);
    }
  };
  const { schemas: _, ...components } = document.components ?? {};
  collect([document.paths, document.webhooks, components]);
  return names;
}

export function schemasIn({ components }: OpenApiDocument): Record<string, object> {
  return found(components?.schemas, "schemas") as Record<string, object>;
}
