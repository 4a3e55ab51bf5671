import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../base/index.ts";
import type { Contract, Operation } from "../../contract/model/index.ts";
import { run } from "../processes/index.ts";
import { table } from "./figures.ts";
import { bundleProgram } from "./programs.ts";
import { optionsOf, type SampleCall, typicalOperationCount, typicalOperations } from "./samples.ts";

export type Figures = Readonly<Record<string, number>>;

interface Section {
  readonly report: string;
  readonly figures: Figures;
}

/** `exportNames` returns a program that exports some operations; `exportAll` is one that exports all. */
export interface OtherClient {
  readonly name: string;
  readonly exportNames: (nameList: string) => string;
  readonly exportAll: string;
}

/** `budget` names the budget of the program; programs of other clients have none. */
type BundledProgram = [name: string, text: string, budget?: string];

/** In each group, the first program is the reference for the ratios of the others. */
function programGroups(
  contract: Contract,
  samples: readonly SampleCall[],
  otherClients: readonly OtherClient[],
): [title: string, programs: BundledProgram[]][] {
  const programsFor = (operations: readonly Operation[], budget: string): BundledProgram[] => {
    const nameList = nameListOf(operations);
    const ownProgram = `export { createClient, ${nameList} } from "partner-wallet-api/operations";`;
    return [
      ["partner-wallet-api/operations", ownProgram, budget],
      ["openapi-fetch alone", `export { default } from "openapi-fetch";`],
      ...otherClients.map(({ name, exportNames }): BundledProgram => [name, exportNames(nameList)]),
    ];
  };
  const programsForAll: BundledProgram[] = [
    ["partner-wallet-api", `export * from "partner-wallet-api";`, "all operations"],
    ...otherClients.map(({ name, exportAll }): BundledProgram => [name, exportAll]),
  ];
  const webhooks: BundledProgram[] = [
    ["partner-wallet-api/webhooks", `export * from "partner-wallet-api/webhooks";`, "webhook kit"],
    ["parseWebhook", `export { parseWebhook } from "partner-wallet-api/webhooks";`, "parseWebhook"],
  ];
  const payments: BundledProgram[] = [
    [
      "payments with the store in SQLite",
      `export { createPayments, createSqliteStore } from "partner-wallet-api/payments";`,
      "payments",
    ],
  ];
  const sampleOperations = [...new Set(samples.map(({ operation }) => operation))];
  return [
    ...sampleOperations.map((operation): [string, BundledProgram[]] => {
      const method = operation.method.toUpperCase();
      return [`One operation (${method})`, programsFor([operation], `one operation, ${method}`)];
    }),
    [`${typicalOperationCount} operations`, programsFor(typicalOperations(contract), "ten operations")],
    ["All operations", programsForAll],
    ["Webhooks", webhooks],
    ["Payments", payments],
  ];
}

export async function measureSizes(
  folder: string,
  contract: Contract,
  samples: readonly SampleCall[],
  otherClients: readonly OtherClient[] = [],
): Promise<Section> {
  const rows: string[][] = [["Program", "minified and compressed, bytes", "ratio", "on demand"]];
  const figures: Record<string, number> = {};
  for (const [groupIndex, [title, groupPrograms]] of programGroups(contract, samples, otherClients).entries()) {
    let reference: number | undefined;
    for (const [index, [name, text, budget]] of groupPrograms.entries()) {
      const { compressed, onDemand } = await bundleProgram(folder, `size-${groupIndex}-${index}`, text, {
        minify: true,
      });
      reference ??= compressed;
      rows.push([`${title}: ${name}`, String(compressed), (compressed / reference).toFixed(2), String(onDemand)]);
      if (budget !== undefined) figures[`${budget}, bytes minified and compressed`] = compressed;
    }
  }
  const typeSection = await measureTypes(folder, contract);
  return { report: `${table(rows)}\n\n${typeSection.report}`, figures: { ...figures, ...typeSection.figures } };
}

async function measureTypes(folder: string, contract: Contract): Promise<Section> {
  const operations = typicalOperations(contract);
  const calls = operations.map((operation) => {
    const { operationId } = operation;
    return `export const ${operationId}Data = (await ${operationId}(client, ${JSON.stringify(optionsOf(operation))})).data;`;
  });
  const text = `import { createClient, ${nameListOf(operations)} } from "partner-wallet-api/operations";
const client = createClient({ baseUrl: "https://api.example", apiKey: "key" });
${calls.join("\n")}`;
  const [[instantiations, types], countsOfEmptyProgram] = [
    await countTypes(folder, text),
    await countTypes(folder, "export {};"),
  ];
  const rows = [["Program", "type instantiations", "types"], ["ten calls", instantiations, types].map(String)];
  const figures = { "ten calls, type instantiations": instantiations, "ten calls, types": types };
  return { report: table([...rows, ["nothing", ...countsOfEmptyProgram].map(String)]), figures };
}

async function countTypes(folder: string, text: string): Promise<[instantiations: number, types: number]> {
  const file = join(folder, "consumer.ts");
  writeFileSync(file, text);
  const options =
    "--target es2022 --lib es2022,dom,dom.iterable --module esnext --moduleResolution bundler --strict --skipLibCheck --noEmit";
  const args = [...options.split(" "), "--extendedDiagnostics", file];
  const output = await run(join(projectRoot, "node_modules/.bin/tsc"), args, { cwd: folder });
  const count = (name: string) => Number(new RegExp(`^${name}: +(\\d+)`, "m").exec(output)?.[1]);
  return [count("Instantiations"), count("Types")];
}

function nameListOf(operations: readonly Operation[]): string {
  return operations.map(({ operationId }) => operationId).join(", ");
}
