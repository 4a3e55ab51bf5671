/** Walks the hand-written document with Redocly: its rules judge, and places are collected for the rules of this project. */
import { type Document, detectSpec } from "@redocly/openapi-core";
import { isRef } from "../contract/document.ts";
import { collectingRule, createCollector } from "./collect.ts";
import type { Sources } from "./read-sources.ts";
import { builtInRules, runRedocly } from "./redocly.ts";
import { type Finding, withRemedy } from "./report.ts";
import type { Collected } from "./source-contract.ts";

/** Findings of these rules say that there is no sound document: whatever else is found follows from them. */
const formRules = ["struct", "no-unresolved-refs"];

export interface Walk {
  findings: Finding[];
  /** Undefined when the document is not sound. */
  collected: Collected | undefined;
}

export async function walkSources(sources: Sources): Promise<Walk> {
  const { rootFile, documents, resolver } = sources;
  const document = documents.get(rootFile) as Document;
  if (!isOpenApi31(document)) {
    const remedy = "Name the root document of the contract, or start it with `openapi: 3.1.1`";
    return unsound([atStart(rootFile, "openapi-version", "This is no OpenAPI 3.1 document", remedy)]);
  }
  let collected: Collected | undefined;
  const collector = createCollector((found) => {
    collected = found;
  });
  const rules = { ...builtInRules(), [collectingRule]: "error" } as const;
  try {
    const findings = await runRedocly(document, resolver, rules, [collector]);
    const malformed = findings.filter(({ rule }) => formRules.includes(rule));
    return malformed.length > 0 ? unsound(malformed) : { findings, collected };
  } catch (error) {
    const reasons = await reasonsFor(error as Error, sources);
    if (reasons.length === 0) throw error;
    return unsound(reasons);
  }
}

function unsound(findings: Finding[]): Walk {
  return { findings, collected: undefined };
}

function isOpenApi31({ parsed }: Document): boolean {
  try {
    return detectSpec(parsed) === "oas3_1";
  } catch {
    return false;
  }
}

/** Why Redocly gave up. It does so on references in a circle, and some of its rules do when the form is broken. */
async function reasonsFor(error: Error, { rootFile, documents, resolver }: Sources): Promise<Finding[]> {
  if (error.message.includes("circular pointer")) {
    // It does not say where. Most likely it is a file that is nothing but a reference.
    const suspects = [...documents].filter(([, { parsed }]) => isRef(parsed)).map(([file]) => file);
    const remedy = "Let it point to something that is no reference";
    return (suspects.length > 0 ? suspects : [rootFile]).map((file) =>
      atStart(file, "circular-reference", "A reference leads back to itself", remedy),
    );
  }
  const rules = Object.fromEntries(Object.entries(builtInRules()).filter(([name]) => formRules.includes(name)));
  return runRedocly(documents.get(rootFile) as Document, resolver, rules);
}

function atStart(file: string, rule: string, problem: string, remedy: string): Finding {
  return { file, line: 1, column: 1, severity: "error", rule, message: withRemedy(problem, remedy) };
}
