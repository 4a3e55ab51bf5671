/** What a partner's program costs the type checker, with every client. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "../contract/index.ts";
import { run } from "../verify/processes.ts";
import { before } from "./before.ts";
import { type ConsumerName, consumerNames, consumerPrograms } from "./consumers.ts";
import { type BudgetedReport, count, table, times } from "./figures.ts";
import { operationCount } from "./samples.ts";
import { generated } from "./workshop.ts";

/** The consumers of this package, with the names of their budgets. */
const ownConsumers = {
  "partner-wallet-api/operations": "ten calls, functions",
  "partner-wallet-api": "ten calls, facade",
} as const;

/** Peers that generate TypeScript, which the compiler checks whole. They are measured as declarations as well. */
const sourcePeers = ["openapi-fetch", "hey-api", "kubb"] as const satisfies readonly ConsumerName[];
const declarationFolder = "declared";

/** How often each consumer is checked. Counts are the same every time; of the times, the shortest counts. */
const rounds = 2;

interface CheckFigures {
  instantiations: number;
  types: number;
  /** Seconds. */
  checkTime: number;
}

/**
 * Type-checks every consumer.
 *
 * @param folder the workshop.
 * @throws {UsageError} with the errors of the compiler, when a consumer does not compile.
 */
export async function measureTypeCheck(folder: string, contract: Contract): Promise<BudgetedReport> {
  const consumers = await writeConsumers(folder, contract);
  const checks = new Map<string, CheckFigures[]>(consumers.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    await twoAtOnce(consumers, async (name) => {
      checks.get(name)?.push(await check(folder, name, { skipLibCheck: true }));
    });
  }
  const everything = new Map<string, number>();
  await twoAtOnce(consumers, async (name) => {
    everything.set(name, (await check(folder, name, { skipLibCheck: false })).instantiations);
  });
  const results = [...checks].map(([name, all]) => {
    const checkTime = Math.min(...all.map((figures) => figures.checkTime));
    return { ...(all[0] as CheckFigures), name, checkTime, everything: everything.get(name) as number };
  });
  const figuresOf = (name: string) => results.find((result) => result.name === name) as (typeof results)[number];
  const reference = figuresOf(Object.keys(ownConsumers)[0] as string);
  const rows = results.map(({ name, instantiations, types, checkTime, everything }) => [
    name,
    count(instantiations),
    times(instantiations / reference.instantiations),
    count(types),
    times(checkTime / reference.checkTime),
    count(everything),
  ]);
  const { commit, typeCheck: old } = before;
  const oldRatio = times(old.instantiations / reference.instantiations);
  rows.push(["partner-wallet-api, before", count(old.instantiations), oldRatio, count(old.types)]);
  const head = ["Consumer", "instantiations", "ratio", "types", "check time, ratio", "without skipLibCheck"];
  const figures = Object.entries(ownConsumers).flatMap(([name, budget]) => {
    const { instantiations, types } = figuresOf(name);
    return [
      [`${budget}, type instantiations`, instantiations],
      [`${budget}, types`, types],
    ];
  });
  return {
    report: `${table([head, ...rows])}

A program that calls ${operationCount} operations and tells all their P-codes apart, checked with \`strict\` and \`skipLibCheck\`. Peers
generate TypeScript sources, which are checked whole; declarations, such as this package has, are only checked as far as they
are used. Compare this package with the rows "as declarations". The last column counts instantiations where declarations are
checked whole as well. The client of kubb does not type refusals: its consumer has to cast. "Before" is the package of ${commit}.`,
    figures: Object.fromEntries(figures),
  };
}

/** Does the work for all names, two at a time: checking them one by one would take most of the time of the bench. */
async function twoAtOnce(names: readonly string[], work: (name: string) => Promise<void>): Promise<void> {
  const waiting = [...names];
  const take = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await work(name);
  };
  await Promise.all([take(), take()]);
}

/** Writes the consumers, and those of some peers once more for their declarations. Returns all names. */
async function writeConsumers(folder: string, contract: Contract): Promise<string[]> {
  const programs = consumerPrograms(contract);
  const { heyApi, heyApiClient, kubb, openapiTypes } = generated;
  const emitDeclarations = { noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: "." };
  await compile(folder, declarationFolder, [heyApi, heyApiClient, kubb, openapiTypes], {
    ...emitDeclarations,
    outDir: declarationFolder,
  });
  const declared = sourcePeers.map((peer) => {
    const program = programs[peer].replaceAll(/"\.\/([^"]+)\.ts"/g, `"./${declarationFolder}/$1.js"`);
    return [`${peer}, as declarations`, program] as const;
  });
  const all = [...consumerNames.map((name) => [name, programs[name]] as const), ...declared];
  for (const [name, program] of all) writeFileSync(join(folder, `${fileOf(name)}.ts`), program);
  return all.map(([name]) => name);
}

function fileOf(consumer: string): string {
  return `consumer-${consumer.replaceAll(/\W+/g, "-")}`;
}

async function check(folder: string, consumer: string, options: { skipLibCheck: boolean }): Promise<CheckFigures> {
  const printed = await compile(folder, fileOf(consumer), [`${fileOf(consumer)}.ts`], options);
  const figure = (label: string) => Number(new RegExp(`^${label}:\\s+([\\d.]+)`, "m").exec(printed)?.[1]);
  return { instantiations: figure("Instantiations"), types: figure("Types"), checkTime: figure("Check time") };
}

/** Runs the compiler of the workshop, and returns its statistics. */
async function compile(folder: string, project: string, files: string[], options: object): Promise<string> {
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
    ...options,
  };
  const configuration = `${project}.tsconfig.json`;
  writeFileSync(join(folder, configuration), JSON.stringify({ compilerOptions, files }));
  return run("tsc", ["--extendedDiagnostics", "--project", configuration], { cwd: folder });
}
