import { parseYaml, stringifyYaml } from "@redocly/openapi-core";
import { UsageError } from "../../scripts/base/index.ts";
import { bundleEditions } from "../../scripts/contract/bundle/index.ts";
import { editClean, lintTexts, sourcesOf, type Texts } from "./clean-contract.ts";

type Path = (string | number)[];

/** The paths of all members and items that have a value. */
export function pathsIn(node: unknown, path: Path = []): Path[] {
  if (typeof node !== "object" || node === null) return node === null || path.length === 0 ? [] : [path];
  const keys = Array.isArray(node) ? [...node.keys()] : Object.keys(node);
  const innerPaths = keys.flatMap((key) => pathsIn((node as Record<string | number, unknown>)[key], [...path, key]));
  return path.length === 0 ? innerPaths : [path, ...innerPaths];
}

export function withValue(text: string, path: Path, value: unknown): string {
  const document = parseYaml(text) as Record<string | number, unknown>;
  const parent = path
    .slice(0, -1)
    .reduce<Record<string | number, unknown>>((node, key) => node[key] as never, document);
  parent[path.at(-1) ?? ""] = value;
  return stringifyYaml(document, { noRefs: true });
}

/** The error with which bundling fails; undefined if it succeeds or refuses the contract. */
export async function bundlingError(texts: Texts): Promise<unknown> {
  return bundleEditions(sourcesOf(texts)).then(
    () => undefined,
    (error) => (error instanceof UsageError ? undefined : error),
  );
}

/** Removes the value of each nth key of a file of the small contract. Returns the failures of lint and bundling, not their findings. */
export async function blankKeyErrors(file: string, everyNth = 1): Promise<string[]> {
  const text = editClean({}).get(file) ?? "";
  const errors: string[] = [];
  for (const path of pathsIn(parseYaml(text)).filter((_, index) => index % everyNth === 0)) {
    const changedTexts = editClean({ [file]: withValue(text, path, null) });
    const findings = await lintTexts(changedTexts).then(
      (result) => result.findings.map(({ rule, message }) => `${rule} ${message}`),
      (error) => [String(error)],
    );
    const wrongFindings = findings.filter((finding) => /contract-readable|cannot be evaluated|TypeError/.test(finding));
    const bundling = await bundlingError(changedTexts);
    const found = [...wrongFindings, ...(bundling === undefined ? [] : [bundling])];
    errors.push(...found.map((error) => `${path.join("/")}: ${error}`));
  }
  return errors;
}
