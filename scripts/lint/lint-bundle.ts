import fs from "node:fs";
import spectral from "@stoplight/spectral-core";
import { bundleAndLoadRuleset } from "@stoplight/spectral-ruleset-bundler/with-loader";
import { projectRoot } from "../base/index.ts";
import { publish, RefusedSchema, sourceFinder, sourceOf, toOpenApi30 } from "../contract/bundle/index.ts";
import { type OpenApiDocument, pointerOf } from "../contract/model/index.ts";
import { lineOf, readPublication, type Sources } from "../contract/sources/index.ts";
import { type Finding, withRemedy } from "./findings.ts";

export async function lintBundle(document: OpenApiDocument, sources: Sources): Promise<Finding[]> {
  const published = publish(document, readPublication(sources));
  return [...openApi30Findings(published, sources), ...(await spectralFindings(published, sources))];
}

function openApi30Findings(document: OpenApiDocument, sources: Sources): Finding[] {
  try {
    toOpenApi30(document);
    return [];
  } catch (error) {
    if (!(error instanceof RefusedSchema)) throw error;
    const { pointer, problem, remedy } = error;
    const place = lineOf(sourceOf(pointer, sources));
    return [{ ...place, severity: "error", rule: "openapi-3.0-form", message: withRemedy(problem, remedy) }];
  }
}

async function spectralFindings(document: OpenApiDocument, sources: Sources): Promise<Finding[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset(await bundleAndLoadRuleset(`${projectRoot}/.spectral.yaml`, { fs, fetch }));
  const results = await linter.run(document as unknown as Record<string, unknown>);
  const findSource = sourceFinder(sources);
  return results.map(({ code, message, path, severity }) => {
    const description = linter.ruleset?.rules[code]?.description;
    const remedy = `Follow Spectral's rule ${code}${description == null ? "" : `: ${description}`}`;
    return {
      ...lineOf(findSource(pointerOf(path))),
      // Spectral's severities are 0 (error) to 3 (hint).
      severity: severity === 0 ? "error" : "warn",
      rule: String(code),
      message: withRemedy(message, remedy),
    };
  });
}
