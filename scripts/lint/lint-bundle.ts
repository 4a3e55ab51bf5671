import fs from "node:fs";
import spectral from "@stoplight/spectral-core";
import { bundleAndLoadRuleset } from "@stoplight/spectral-ruleset-bundler/with-loader";
import { projectRoot } from "../base/index.ts";
import { type BundledContract, publish, RefusedSchema, sourceFinder, toOpenApi30 } from "../contract/bundle/index.ts";
import { type OpenApiDocument, pointerOf, type SourceLocation } from "../contract/model/index.ts";
import { lineOf, readPublication, type Sources } from "../contract/sources/index.ts";
import { type Finding, withRemedy } from "./findings.ts";

type FindSource = (pointer: string) => SourceLocation;

export async function lintBundle({ document, places }: BundledContract, sources: Sources): Promise<Finding[]> {
  const published = publish(document, readPublication(sources));
  const findSource = sourceFinder(places, sources);
  return [...openApi30Findings(published, findSource), ...(await spectralFindings(published, findSource))];
}

function openApi30Findings(document: OpenApiDocument, findSource: FindSource): Finding[] {
  try {
    toOpenApi30(document);
    return [];
  } catch (error) {
    if (!(error instanceof RefusedSchema)) throw error;
    const { pointer, problem, remedy } = error;
    const place = lineOf(findSource(pointer));
    return [{ ...place, severity: "error", rule: "openapi-3.0-form", message: withRemedy(problem, remedy) }];
  }
}

async function spectralFindings(document: OpenApiDocument, findSource: FindSource): Promise<Finding[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset(await bundleAndLoadRuleset(`${projectRoot}/.spectral.yaml`, { fs, fetch }));
  const results = await linter.run(document as unknown as Record<string, unknown>);
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
