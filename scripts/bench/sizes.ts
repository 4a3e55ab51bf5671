/** Sizes of bundles: the whole client, one operation, and the functions for webhooks. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Contract, Operation, Webhook } from "../contract/index.ts";
import { type BudgetedReport, count, table, times } from "./figures.ts";
import { receiverPrograms } from "./webhooks.ts";
import { bundleProgram, generated } from "./workshop.ts";

interface BundledProgram {
  name: string;
  text: string;
  /** Set for a client that needs modules of Node. */
  platform?: "node";
  /** The name of its budget; programs of this package have one. */
  budget?: string;
}

const wholeClients: BundledProgram[] = [
  { name: "partner-wallet-api", text: `export * from "partner-wallet-api";`, budget: "client" },
  { name: "openapi-fetch alone", text: `export { default } from "openapi-fetch";` },
  {
    name: "hey-api",
    text: `export * from "./${generated.heyApi}"; export { client } from "./${generated.heyApiDefault}";`,
  },
  { name: "kubb", text: `export * from "./${generated.kubb}"; export { setConfig } from "./${generated.kubbFetch}";` },
  { name: "increase (made by Stainless)", text: `export { default } from "increase";`, platform: "node" },
  { name: "stripe", text: `export { default } from "stripe";`, platform: "node" },
];

/** Programs that make the same call with every client. */
function oneOperation({ operationId, path: template }: Operation): BundledProgram[] {
  return [
    {
      name: "partner-wallet-api",
      text: `import { createPartnerClient } from "partner-wallet-api";
export const call = (options: any, path: any) => createPartnerClient(options).${operationId}({ path });`,
      budget: "one operation",
    },
    {
      name: "openapi-fetch alone",
      text: `import createClient from "openapi-fetch";
export const call = (options: any, path: any) => createClient<any>(options).GET(${JSON.stringify(template)}, { params: { path } });`,
    },
    {
      name: "hey-api",
      text: `import { ${operationId} } from "./${generated.heyApi}";
import { createClient } from "./${generated.heyApiClient}";
export const call = (options: any, path: any) => ${operationId}({ client: createClient(options), path });`,
    },
    {
      name: "kubb",
      text: `import { ${operationId} } from "./${generated.kubb}";
export const call = (options: any, path: any) => ${operationId}(path.externalUserId, options);`,
    },
  ];
}

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
 * @param single the operation of the comparison of one operation: a GET with the path parameter `externalUserId`.
 */
export async function measureSizes(folder: string, contract: Contract, single: Operation): Promise<BudgetedReport> {
  const whole = await measure(folder, "client", wholeClients);
  const one = await measure(folder, "operation", oneOperation(single));
  const webhooks = await measure(folder, "webhooks", webhookFunctions(contract.webhooks));
  return {
    report: `The whole client (increase and stripe are of other, larger services):

${whole.report}

One operation, everything else left out by the bundler:

${one.report}

Parsing and validating the webhooks:

${webhooks.report}`,
    figures: { ...whole.figures, ...one.figures, ...webhooks.figures },
  };
}

/**
 * Measures some programs: bundled, minified, and compressed as a server would send them. Ratios refer to the first one. What a
 * program imports on demand is not part of its size, and is shown beneath it.
 */
async function measure(folder: string, subject: string, programs: readonly BundledProgram[]): Promise<BudgetedReport> {
  const figures: Record<string, number> = {};
  const rows: string[][] = [];
  let reference: number | undefined;
  for (const [index, { name, text, platform, budget }] of programs.entries()) {
    const file = await bundleProgram(folder, `size-${subject}-${index}`, text, { minify: true, platform });
    const content = readFileSync(file);
    const compressed = gzipSync(content, { level: 9 }).length;
    reference ??= compressed;
    rows.push([name, count(content.length), count(compressed), times(compressed / reference)]);
    for (const loaded of filesBeside(file)) {
      const size = gzipSync(loaded, { level: 9 }).length;
      rows.push([`${name}: loaded on demand`, count(loaded.length), count(size), times(size / reference)]);
    }
    if (budget !== undefined) figures[`${budget}, bytes minified and compressed`] = compressed;
  }
  return { report: table([["Program", "minified, bytes", "gzip, bytes", "ratio"], ...rows]), figures };
}

/** The contents of the files that a bundle imports on demand. */
function filesBeside(bundle: string): Buffer[] {
  const folder = dirname(bundle);
  const others = readdirSync(folder).filter((name) => name !== basename(bundle));
  return others.map((name) => readFileSync(join(folder, name)));
}
