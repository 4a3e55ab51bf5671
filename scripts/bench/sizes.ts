/** Sizes of bundles: the whole client, one operation, and the webhook kit. */
import type { Contract, Operation, Webhook } from "../contract/contract.ts";
import type { Budgeted } from "./budgets.ts";
import { type Size, sizeOf } from "./bundle.ts";
import { count, table, times } from "./markdown.ts";
import { made } from "./peers.ts";
import { webhookPrograms } from "./webhook-programs.ts";

/** A program to bundle. */
interface Program {
  name: string;
  text: string;
  /** References that are made for Node. */
  platform?: "node";
  /** Under which name its size has a budget: programs of this package. */
  budget?: string;
}

const clients: Program[] = [
  { name: "partner-wallet-api", text: `export * from "partner-wallet-api";`, budget: "client" },
  { name: "openapi-fetch alone", text: `export { default } from "openapi-fetch";` },
  { name: "hey-api", text: `export * from "./${made.heyApi}"; export { client } from "./hey-api/client.gen.ts";` },
  { name: "kubb", text: `export * from "./${made.kubb}"; export { setConfig } from "./kubb/.kubb/fetch.ts";` },
  { name: "increase (made by Stainless)", text: `export { default } from "increase";`, platform: "node" },
  { name: "stripe", text: `export { default } from "stripe";`, platform: "node" },
];

/** The same read with every client. */
function oneOperation({ operationId, path: template }: Operation): Program[] {
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
      text: `import { ${operationId} } from "./${made.heyApi}";
import { createClient } from "./${made.heyApiClient}";
export const call = (options: any, path: any) => ${operationId}({ client: createClient(options), path });`,
    },
    {
      name: "kubb",
      text: `import { ${operationId} } from "./${made.kubb}";
export const call = (options: any, path: any) => ${operationId}(path.externalUserId, options);`,
    },
  ];
}

function webhookKit(webhooks: readonly Webhook[]): Program[] {
  const programs = webhookPrograms(webhooks);
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
 * @param single the operation of the comparison of one operation.
 */
export async function measureSizes(folder: string, contract: Contract, single: Operation): Promise<Budgeted> {
  const whole = await measure(folder, "client", clients);
  const one = await measure(folder, "operation", oneOperation(single));
  const webhooks = await measure(folder, "webhooks", webhookKit(contract.webhooks));
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

/** The sizes of some programs, as multiples of the first one. */
async function measure(folder: string, subject: string, programs: readonly Program[]): Promise<Budgeted> {
  const sizes: Size[] = [];
  for (const [index, { text, platform }] of programs.entries()) {
    sizes.push(await sizeOf(folder, `size-${subject}-${index}`, text, platform));
  }
  const [first] = sizes as [Size];
  const rows = programs.map(({ name }, index) => {
    const { minified, gzip } = sizes[index] as Size;
    return [name, count(minified), count(gzip), times(gzip / first.gzip)];
  });
  const budgeted = programs.flatMap(({ budget }, index) =>
    budget === undefined ? [] : [[`${budget}, bytes minified and compressed`, (sizes[index] as Size).gzip] as const],
  );
  return {
    report: table([["Program", "minified, bytes", "gzip, bytes", "ratio"], ...rows]),
    figures: Object.fromEntries(budgeted),
  };
}
