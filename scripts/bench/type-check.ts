/** What a consumer costs the type checker. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "../contract/contract.ts";
import { run } from "../verify/run.ts";
import type { Budgeted } from "./budgets.ts";
import { type ConsumerName, consumerNames, consumerPrograms, operationCount } from "./consumers.ts";
import { count, table, times } from "./markdown.ts";
import { summarise } from "./rounds.ts";

interface Diagnostics {
  instantiations: number;
  types: number;
  checkTime: number;
}

/** How often each consumer is checked. The counts are the same every time, the times are not. */
const rounds = 3;

/** Checks every consumer, in turns. */
export async function measureTypeCheck(folder: string, contract: Contract): Promise<Budgeted> {
  for (const [name, program] of Object.entries(consumerPrograms(contract))) writeConsumer(folder, name, program);
  const measured = new Map<ConsumerName, Diagnostics[]>(consumerNames.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of consumerNames) measured.get(name)?.push(await check(folder, name));
  }
  const results = consumerNames.map((name) => {
    const all = measured.get(name) as Diagnostics[];
    const first = all[0] as Diagnostics;
    return { ...first, name, checkTime: summarise(all.map(({ checkTime }) => checkTime)).median };
  });
  const ours = results.find(({ name }) => name === "partner-wallet-api") as (typeof results)[number];
  const rows = results.map(({ name, instantiations, types, checkTime }) => [
    name,
    count(instantiations),
    times(instantiations / ours.instantiations),
    count(types),
    times(checkTime / ours.checkTime),
  ]);
  return {
    report: `${table([["Consumer", "instantiations", "ratio", "types", "check time, ratio"], ...rows])}

A program that calls ${operationCount} operations and tells all their P-codes apart, checked with \`strict\` and \`skipLibCheck\`.`,
    figures: { "consumer, type instantiations": ours.instantiations, "consumer, types": ours.types },
  };
}

function fileOf(name: string): string {
  return `consumer-${name.replaceAll(" ", "-")}`;
}

function writeConsumer(folder: string, name: string, program: string): void {
  writeFileSync(join(folder, `${fileOf(name)}.ts`), program);
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
  const project = { compilerOptions, files: [`${fileOf(name)}.ts`] };
  writeFileSync(join(folder, `${fileOf(name)}.tsconfig.json`), JSON.stringify(project));
}

async function check(folder: string, name: string): Promise<Diagnostics> {
  const compiler = join(folder, "node_modules/typescript/bin/tsc");
  const args = [compiler, "--extendedDiagnostics", "--project", `${fileOf(name)}.tsconfig.json`];
  const printed = await run(process.execPath, args, { cwd: folder });
  const figure = (label: string) => Number(new RegExp(`^${label}:\\s+([\\d.]+)`, "m").exec(printed)?.[1]);
  return { instantiations: figure("Instantiations"), types: figure("Types"), checkTime: figure("Check time") };
}
