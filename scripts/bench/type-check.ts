/** What a consumer costs the type checker. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "../contract/contract.ts";
import { run } from "../verify/run.ts";
import type { Budgeted } from "./budgets.ts";
import { type ConsumerName, consumerNames, consumerPrograms, operationCount } from "./consumers.ts";
import { count, table, times } from "./markdown.ts";
import { made } from "./peers.ts";
import { summarise } from "./rounds.ts";

interface Diagnostics {
  instantiations: number;
  types: number;
  checkTime: number;
}

/** How often each consumer is checked. The counts are the same every time, the times are not. */
const rounds = 3;

/** The peers that hand out TypeScript sources, which the compiler checks with the consumer: as a package would hold them, too. */
const sourcePeers = ["openapi-fetch", "hey-api", "kubb"] as const satisfies readonly ConsumerName[];
const declared = "declared";

/** Checks every consumer, in turns. */
export async function measureTypeCheck(folder: string, contract: Contract): Promise<Budgeted> {
  const consumers = await writeConsumers(folder, contract);
  const measured = new Map<string, Diagnostics[]>(consumers.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of consumers) measured.get(name)?.push(await check(folder, name, { skipLibCheck: true }));
  }
  const results: (Diagnostics & { name: string; everything: Diagnostics })[] = [];
  for (const [name, all] of measured) {
    const checkTime = summarise(all.map((diagnostics) => diagnostics.checkTime)).median;
    const everything = await check(folder, name, { skipLibCheck: false });
    results.push({ ...(all[0] as Diagnostics), name, checkTime, everything });
  }
  const ours = results.find(({ name }) => name === "partner-wallet-api") as (typeof results)[number];
  const rows = results.map(({ name, instantiations, types, checkTime, everything }) => [
    name,
    count(instantiations),
    times(instantiations / ours.instantiations),
    count(types),
    times(checkTime / ours.checkTime),
    count(everything.instantiations),
  ]);
  const head = ["Consumer", "instantiations", "ratio", "types", "check time, ratio", "without skipLibCheck"];
  return {
    report: `${table([head, ...rows])}

A program that calls ${operationCount} operations and tells all their P-codes apart, checked with \`strict\` and \`skipLibCheck\`. Peers
generate TypeScript sources, which are checked whole; declarations, such as this package has, are only checked as far as they
are used. Compare this package with the rows "as declarations". The last column counts instantiations where declarations are
checked whole as well. The client of kubb does not type refusals: its consumer has to cast.`,
    figures: { "consumer, type instantiations": ours.instantiations, "consumer, types": ours.types },
  };
}

/** Writes the consumers, those of some peers a second time against declarations, and returns their names. */
async function writeConsumers(folder: string, contract: Contract): Promise<string[]> {
  const programs = consumerPrograms(contract);
  for (const name of consumerNames) writeFileSync(join(folder, `${fileOf(name)}.ts`), programs[name]);
  await declarePeers(folder);
  const again = sourcePeers.map((peer) => {
    const name = `${peer}, as declarations`;
    const program = programs[peer].replaceAll(/"\.\/([^"]+)\.ts"/g, `"./${declared}/$1.js"`);
    writeFileSync(join(folder, `${fileOf(name)}.ts`), program);
    return name;
  });
  return [...consumerNames, ...again];
}

/** Turns what the peers generated into declarations. */
async function declarePeers(folder: string): Promise<void> {
  const project = {
    compilerOptions: {
      ...compilerOptions,
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: ".",
      outDir: declared,
    },
    files: [made.heyApi, made.heyApiClient, made.kubb, made.openapiTypes],
  };
  const name = `${declared}.tsconfig.json`;
  writeFileSync(join(folder, name), JSON.stringify(project));
  await run(process.execPath, [compilerOf(folder), "--project", name], { cwd: folder });
}

const compilerOptions = {
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
  types: [],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

function compilerOf(folder: string): string {
  return join(folder, "node_modules/typescript/bin/tsc");
}

function fileOf(name: string): string {
  return `consumer-${name.replaceAll(/\W+/g, "-")}`;
}

async function check(folder: string, name: string, options: { skipLibCheck: boolean }): Promise<Diagnostics> {
  const project = `${fileOf(name)}.tsconfig.json`;
  const content = { compilerOptions: { ...compilerOptions, ...options }, files: [`${fileOf(name)}.ts`] };
  writeFileSync(join(folder, project), JSON.stringify(content));
  const args = [compilerOf(folder), "--extendedDiagnostics", "--project", project];
  const printed = await run(process.execPath, args, { cwd: folder });
  const figure = (label: string) => Number(new RegExp(`^${label}:\\s+([\\d.]+)`, "m").exec(printed)?.[1]);
  return { instantiations: figure("Instantiations"), types: figure("Types"), checkTime: figure("Check time") };
}
