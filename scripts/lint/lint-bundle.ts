/** Lints the bundle with Spectral, a second opinion by another parser. Findings are traced back to the sources. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import spectral from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { parse } from "yaml";
import type { OpenApiDocument } from "../contract/document.ts";
import { projectRoot } from "../contract/project.ts";
import { lineOf } from "./judge.ts";
import type { Place } from "./place.ts";
import { type Finding, sortFindings, withRemedy } from "./report.ts";
import type { SourceContract } from "./source-contract.ts";

/**
 * @param document the bundle that holds everything.
 * @param contract the sources that it was made from.
 */
export async function lintBundle(document: OpenApiDocument, contract: SourceContract): Promise<Finding[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset(readRuleset());
  const results = await linter.run(document as unknown as Record<string, unknown>);
  return sortFindings(
    results.map(({ code, message, path }) => {
      const description = linter.ruleset?.rules[code]?.description;
      const remedy = `Follow Spectral's rule ${code}${description == null ? "" : `: ${description}`}`;
      return {
        ...lineOf(sourceOf(path, contract)),
        severity: "error",
        rule: String(code),
        message: withRemedy(message, remedy),
      };
    }),
  );
}

/** The rules of .spectral.yaml, which anybody's Spectral can read too, without loading a whole ruleset bundler. */
function readRuleset(): InstanceType<typeof spectral.Ruleset> {
  const { rules } = parse(readFileSync(`${projectRoot}/.spectral.yaml`, "utf8")) as { rules: Record<string, "off"> };
  return new spectral.Ruleset({ extends: [[oas, "all"]], rules });
}

/** The hand-written place that a path in the bundle comes from. */
function sourceOf(path: (string | number)[], { root, references }: SourceContract): Place {
  const [section, , name, ...rest] = path;
  const component = references.find(({ target }) => basename(target.file, ".yaml") === name)?.target;
  const start = section === "components" && component !== undefined ? component : root;
  const keys = start === root ? path : rest;
  let place = start;
  for (const key of keys) {
    const next = place.at(key);
    if (!next.exists) break;
    place = next;
  }
  return place;
}
