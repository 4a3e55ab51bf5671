/** `npm run build`: from `openapi/` to everything that is generated. `-- --check` only says what is stale. */
import { parseArgs } from "node:util";
import { readContract } from "../contract/contract.ts";
import type { OpenApiDocument } from "../contract/document.ts";
import { readOpenQuestions } from "../contract/open-questions.ts";
import { docsFolder, type Edition, editionFolder, editions } from "../contract/project.ts";
import { runCommand, UsageError } from "../contract/usage-error.ts";
import { buildDocs } from "../docs/build.ts";
import { lintContract } from "../lint/lint-contract.ts";
import { formatFindings } from "../lint/report.ts";
import { bundleEditions } from "./bundle.ts";
import { generateEditions } from "./editions.ts";
import { findStaleFiles, replaceFolder } from "./files.ts";
import { runStep } from "./steps.ts";

/**
 * Runs all steps in order: lint, bundle, client, docs.
 *
 * @throws {UsageError} when a step fails; the message says what to do. What was generated before is left as it was.
 */
export async function build(): Promise<void> {
  const startedAt = performance.now();
  const documents = await generate();
  await runStep("docs", async () => {
    await buildDocs({ outputFolder: docsFolder, documents });
    return { result: undefined, summary: "generated/docs" };
  });
  console.log(`Built in ${((performance.now() - startedAt) / 1000).toFixed(2)} s.`);
}

/**
 * Runs the steps whose results are committed: lint, bundle, client.
 *
 * @returns the bundles.
 * @throws {UsageError} when a step fails.
 */
export async function generate(): Promise<Record<Edition, OpenApiDocument>> {
  await runStep("lint", lintStep);
  const documents = await runStep("bundle", bundleStep);
  await runStep("client", async () => {
    const generated = await generateEditions(documents, readOpenQuestions());
    for (const edition of editions) replaceFolder(editionFolder(edition), generated[edition]);
    return { result: undefined, summary: editions.map((edition) => `generated/${edition}`).join(", ") };
  });
  return documents;
}

/**
 * Compares what is committed with what the contract gives.
 *
 * @throws {UsageError} naming the files that are stale.
 */
export async function checkGenerated(): Promise<void> {
  const generated = await generateEditions(await bundleEditions(), readOpenQuestions());
  const stale = editions.flatMap((edition) =>
    findStaleFiles(editionFolder(edition), generated[edition]).map((path) => `  generated/${edition}/${path}`),
  );
  if (stale.length > 0) {
    throw new UsageError(`These generated files are stale:\n${stale.join("\n")}\nRun "npm run build" and commit them.`);
  }
  console.log("Everything in generated/ is up to date.");
}

async function lintStep(): Promise<{ result: undefined; summary: string }> {
  const { findings } = await lintContract();
  const errors = findings.filter((finding) => finding.severity === "error");
  if (errors.length > 0) {
    throw new UsageError(
      `${formatFindings(errors)}\nThe contract has ${errors.length} error(s). Mend them, then build again.`,
    );
  }
  return { result: undefined, summary: "openapi/ is clean" };
}

async function bundleStep(): Promise<{ result: Record<Edition, OpenApiDocument>; summary: string }> {
  const documents = await bundleEditions();
  const counts = editions.map((edition) => {
    const { operations, webhooks, errorCodes } = readContract(documents[edition]);
    return `${edition}: ${operations.length} operations, ${webhooks.length} webhooks, ${errorCodes.length} codes`;
  });
  return { result: documents, summary: counts.join("; ") };
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
  await (values.check ? checkGenerated() : build());
}

if (process.argv[1] === import.meta.filename) await runCommand(main);
