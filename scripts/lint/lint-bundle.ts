import fs from "node:fs";
import spectral from "@stoplight/spectral-core";
import { bundleAndLoadRuleset } from "@stoplight/spectral-ruleset-bundler/with-loader";
import { projectRoot } from "../contract/base/index.ts";
import type { OpenApiDocument, SourceLocation } from "../contract/model/index.ts";
import { type Finding, lineOf, withRemedy } from "./findings.ts";
import type { SourceContract } from "./source-contract.ts";

export async function lintBundle(document: OpenApiDocument, contract: SourceContract): Promise<Finding[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset(await bundleAndLoadRuleset(`${projectRoot}/.spectral.yaml`, { fs, fetch }));
  const results = await linter.run(document as unknown as Record<string, unknown>);
  return results.map(({ code, message, path, severity }) => {
    const description = linter.ruleset?.rules[code]?.description;
    const remedy = `Follow Spectral's rule ${code}${description == null ? "" : `: ${description}`}`;
    return {
      ...lineOf(sourceOf(path, contract)),
      // Spectral's severities are 0 (error) to 3 (hint).
      severity: severity === 0 ? "error" : "warn",
      rule: String(code),
      message: withRemedy(message, remedy),
    };
  });
}

function sourceOf(path: (string | number)[], { root, references }: SourceContract): SourceLocation {
  const [section, , name, ...innerKeys] = path;
  const component = references.find(({ target }) => target.name === name)?.target;
  const start = section === "components" && component !== undefined ? component : root;
  const keys = start === root ? path : innerKeys;
  let location = start;
  for (const key of keys) {
    const next = location.at(key);
    if (!next.exists) break;
    location = next;
  }
  return location;
}
