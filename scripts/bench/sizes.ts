/** Sizes of bundles: one operation, ten, the whole client, and the functions for webhooks. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Contract, Operation, Webhook } from "../contract/index.ts";
import { before } from "./before.ts";
import { type BudgetedReport, count, table, times } from "./figures.ts";
import { pathParametersOf, type SampleCall, usualOperations } from "./samples.ts";
import { receiverPrograms } from "./webhooks.ts";
import { bundleProgram, filesOfBundle, generated } from "./workshop.ts";

interface BundledProgram {
  name: string;
  text: string;
  /** Set for a client that needs modules of Node. */
  platform?: "node";
  /** The name of its budget; programs of this package have one. */
  budget?: string;
}

const { heyApi, heyApiClient, heyApiDefault, kubb, kubbFetch } = generated;

/** Programs that make the same call with every client. */
function oneOperation(operation: Operation, hasBody: boolean): BundledProgram[] {
  const { operationId, path: template } = operation;
  const method = operation.method.toUpperCase();
  const given = hasBody ? "body" : "path";
  // Positional: the path parameters one by one, then the body.
  const values = [
    ...Object.keys(pathParametersOf(operation)).map((name) => `path.${name}`),
    ...(hasBody ? ["body"] : []),
  ];
  const call = (text: string) => `export const call = (options: any, ${given}: any) => ${text};`;
  const parameters = hasBody ? "{ body }" : "{ params: { path } }";
  return [
    {
      name: "partner-wallet-api/operations",
      text: `import { createClient, ${operationId} } from "partner-wallet-api/operations";
${call(`${operationId}(createClient(options), { ${given} })`)}`,
      budget: `one operation, ${method}`,
    },
    {
      name: "openapi-fetch alone",
      text: `import createClient from "openapi-fetch";
${call(`createClient<any>(options).${method}(${JSON.stringify(template)}, ${parameters})`)}`,
    },
    {
      name: "hey-api",
      text: `import { ${operationId} } from "./${heyApi}";
import { createClient } from "./${heyApiClient}";
${call(`${operationId}({ client: createClient(options), ${given} })`)}`,
    },
    {
      name: "kubb",
      text: `import { ${operationId} } from "./${kubb}";\n${call(`${operationId}(${values.join(", ")}, options)`)}`,
    },
  ];
}

/** Programs with the same operations of every client. */
function someOperations(operations: readonly Operation[]): BundledProgram[] {
  const names = operations.map(({ operationId }) => operationId).join(", ");
  return [
    {
      name: "partner-wallet-api/operations",
      text: `export { createClient, ${names} } from "partner-wallet-api/operations";`,
      budget: "ten operations",
    },
    { name: "openapi-fetch alone", text: `export { default } from "openapi-fetch";` },
    {
      name: "hey-api",
      text: `export { ${names} } from "./${heyApi}"; export { createClient } from "./${heyApiClient}";`,
    },
    { name: "kubb", text: `export { ${names} } from "./${kubb}"; export { setConfig } from "./${kubbFetch}";` },
  ];
}

const wholeClients: BundledProgram[] = [
  { name: "partner-wallet-api", text: `export * from "partner-wallet-api";`, budget: "all operations" },
  { name: "openapi-fetch alone", text: `export { default } from "openapi-fetch";` },
  { name: "hey-api", text: `export * from "./${heyApi}"; export { client } from "./${heyApiDefault}";` },
  { name: "kubb", text: `export * from "./${kubb}"; export { setConfig } from "./${kubbFetch}";` },
  { name: "increase (made by Stainless)", text: `export { default } from "increase";`, platform: "node" },
  { name: "stripe", text: `export { default } from "stripe";`, platform: "node" },
];

function webhookFunctions(webhooks: readonly Webhook[]): BundledProgram[] {
  const programs = receiverPrograms(webhooks);
  return [
    {
      name: "partner-wallet-api/webhooks, all of it",
      text: `export * from "partner-wallet-api/webhooks";`,
      budget: "webhook kit",
    },
    { name: "parseWebhook of it", text: programs["partner-wallet-api"], budget: "parseWebhook" },
    { name: "Ajv at run time", text: programs.ajv },
    { name: "zod", text: programs.zod },
  ];
}

/**
 * Measures all sizes.
 *
 * @param folder the workshop.
 * @param samples the calls of the programs with one operation: of those for the same operation, the first.
 */
export async function measureSizes(
  folder: string,
  contract: Contract,
  samples: readonly SampleCall[],
): Promise<BudgetedReport> {
  const singles = new Map(samples.map(({ operation, body }) => [operation, body !== undefined]));
  const ten = usualOperations(contract);
  const sections: [title: string, programs: BundledProgram[]][] = [
    ...[...singles].map(([operation, hasBody]): [string, BundledProgram[]] => [
      `One operation (${operation.method.toUpperCase()}), everything else left out by the bundler`,
      oneOperation(operation, hasBody),
    ]),
    [`${ten.length} operations`, someOperations(ten)],
    ["The whole client (increase and stripe are of other, larger services)", wholeClients],
    ["Parsing and validating the webhooks", webhookFunctions(contract.webhooks)],
  ];
  const reports: string[] = [];
  let figures = {};
  for (const [index, [title, programs]] of sections.entries()) {
    const measured = await measure(folder, String(index), programs);
    reports.push(`${title}:\n\n${measured.report}`);
    figures = { ...figures, ...measured.figures };
  }
  const note = `Bundled, minified, and compressed as a server would send it. "Before" is the package of ${before.commit}.`;
  return { report: [...reports, note].join("\n\n"), figures };
}

/**
 * Measures some programs. Ratios refer to the first one. What a program imports on demand is not part of its size, and is
 * shown beneath it.
 */
async function measure(folder: string, section: string, programs: readonly BundledProgram[]): Promise<BudgetedReport> {
  const figures: Record<string, number> = {};
  const rows: string[][] = [];
  let reference: number | undefined;
  for (const [index, { name, text, platform, budget }] of programs.entries()) {
    const bundle = await bundleProgram(folder, `size-${section}-${index}`, text, { minify: true, platform });
    const { atOnce, onDemand } = filesOfBundle(bundle);
    const { bytes, compressed } = sizeOf(folder, atOnce);
    reference ??= compressed;
    const old = budget === undefined ? undefined : before.bytes[budget];
    rows.push([name, count(bytes), count(compressed), times(compressed / reference), shown(old)]);
    for (const path of onDemand) {
      const loaded = sizeOf(folder, [path]);
      // esbuild names a file after the module, with a hash.
      const module = basename(path).replace(/-\w+\.mjs$/, "");
      const ratio = times(loaded.compressed / reference);
      const label = `${name}, on demand: ${module}`;
      rows.push([label, count(loaded.bytes), count(loaded.compressed), ratio, shown(before.onDemand[module])]);
    }
    if (budget !== undefined) figures[`${budget}, bytes minified and compressed`] = compressed;
  }
  return { report: table([["Program", "minified, bytes", "gzip, bytes", "ratio", "before"], ...rows]), figures };
}

function sizeOf(folder: string, paths: readonly string[]): { bytes: number; compressed: number } {
  const contents = paths.map((path) => readFileSync(join(folder, path)));
  const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);
  return {
    bytes: sum(contents.map(({ length }) => length)),
    compressed: sum(contents.map((content) => gzipSync(content, { level: 9 }).length)),
  };
}

function shown(bytes: number | undefined): string {
  return bytes === undefined ? "" : count(bytes);
}
