/** What a partner's program costs the type checker, with every client. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Contract, hasAnyCode, type Operation } from "../contract/index.ts";
import { run } from "../verify/processes.ts";
import { pathParametersOf } from "./calls.ts";
import { type BudgetedReport, count, summarise, table, times } from "./figures.ts";
import { generated } from "./workshop.ts";

export const consumerNames = ["nothing imported", "partner-wallet-api", "openapi-fetch", "hey-api", "kubb"] as const;
type ConsumerName = (typeof consumerNames)[number];

/** How many operations a consumer calls. */
export const operationCount = 10;

/** Peers that generate TypeScript, which the compiler checks whole. They are measured as declarations as well. */
const sourcePeers = ["openapi-fetch", "hey-api", "kubb"] as const satisfies readonly ConsumerName[];
const declarationFolder = "declared";

/** How often each consumer is checked. Counts are the same every time, times are not. */
const rounds = 3;

interface CheckFigures {
  instantiations: number;
  types: number;
  /** Seconds. */
  checkTime: number;
}

/**
 * Type-checks every consumer, in turns.
 *
 * @param folder the workshop.
 * @throws {UsageError} with the errors of the compiler, when a consumer does not compile.
 */
export async function measureTypeCheck(folder: string, contract: Contract): Promise<BudgetedReport> {
  const consumers = await writeConsumers(folder, contract);
  const checks = new Map<string, CheckFigures[]>(consumers.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of consumers) checks.get(name)?.push(await check(folder, name, { skipLibCheck: true }));
  }
  const results: (CheckFigures & { name: string; everything: number })[] = [];
  for (const [name, all] of checks) {
    const checkTime = summarise(all.map((figures) => figures.checkTime)).median;
    const { instantiations: everything } = await check(folder, name, { skipLibCheck: false });
    results.push({ ...(all[0] as CheckFigures), name, checkTime, everything });
  }
  const ours = results.find(({ name }) => name === "partner-wallet-api") as (typeof results)[number];
  const rows = results.map(({ name, instantiations, types, checkTime, everything }) => [
    name,
    count(instantiations),
    times(instantiations / ours.instantiations),
    count(types),
    times(checkTime / ours.checkTime),
    count(everything),
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

/** The consumers: programs that make the same calls, and tell all P-codes of each call apart. */
export function consumerPrograms(contract: Contract): Record<ConsumerName, string> {
  const operations = contract.operations.filter(isUsual).slice(0, operationCount);
  const program = (head: string, body: (operation: Operation) => string) =>
    [head, ...operations.map((operation) => functionOf(operation, body(operation)))].join("\n");
  const names = operations.map(({ operationId }) => operationId).join(", ");
  const address = `const baseUrl = "https://api.example";`;
  return {
    "nothing imported": "export {};\n",
    "partner-wallet-api": program(
      `import { createPartnerClient } from "partner-wallet-api";
${address}
const client = createPartnerClient({ baseUrl, depositBaseUrl: baseUrl, apiKey: "key" });`,
      (operation) => `  const { data, error } = await client.${operation.operationId}({ ${optionsOf(operation)} });
${narrowing(operation)}`,
    ),
    "openapi-fetch": program(
      `import createClient from "openapi-fetch";
import type { paths } from "./${generated.openapiTypes}";
${address}
const client = createClient<paths>({ baseUrl });`,
      (operation) => {
        const call = `${operation.method.toUpperCase()}(${JSON.stringify(operation.path)}`;
        return `  const { data, error } = await client.${call}, { ${optionsOf(operation, "params")} });
${narrowing(operation, `"errorCode" in error`)}`;
      },
    ),
    "hey-api": program(
      `import { ${names} } from "./${generated.heyApi}";
import { createClient } from "./${generated.heyApiClient}";
${address}
const client = createClient({ baseUrl });`,
      (operation) => `  const { data, error } = await ${operation.operationId}({ client, ${optionsOf(operation)} });
${narrowing(operation, `"errorCode" in error`)}`,
    ),
    kubb: program(
      `import { ${names} } from "./${generated.kubb}";
import type { ${operations.flatMap(kubbErrorTypes).join(", ")} } from "./${generated.kubb}";`,
      // Its client returns the body of a refusal as data: the partner has to say which type it is of.
      (operation) => `  const { data, status } = await ${operation.operationId}(${positionalOf(operation)});
  const error = status < 300 ? undefined : (data as unknown as ${kubbErrorTypes(operation).join(" | ")});
${narrowing(operation)}`,
    ),
  };
}

/** Whether an operation has P-codes, all of them known, and no file to upload. */
function isUsual({ requestBody, answers }: Operation): boolean {
  const isUpload = requestBody?.bodies[0]?.mediaType.startsWith("multipart/") ?? false;
  return !isUpload && answers.some(({ codes }) => codes.length > 0) && !answers.some(hasAnyCode);
}

function functionOf(operation: Operation, body: string): string {
  const codes = codesOf(operation).map((code) => JSON.stringify(code));
  return `export async function try_${operation.operationId}(): Promise<${codes.join(" | ")} | undefined> {
${body}
}`;
}

/**
 * The part of a function that handles `data` and `error`. It compiles only where every P-code of the operation can be told
 * apart and any other code is refused: a client whose errors are `any` fails here instead of looking cheap.
 *
 * @param condition what has to be checked besides that `error` is defined.
 */
function narrowing(operation: Operation, condition?: string): string {
  const cases = codesOf(operation).map((code) => `case ${JSON.stringify(code)}:\n        return error.errorCode;`);
  return `  if (error !== undefined${condition === undefined ? "" : ` && ${condition}`}) {
    switch (error.errorCode) {
      ${cases.join("\n      ")}
      // @ts-expect-error
      case "no code of this operation":
    }
  }
  void data;
  return undefined;`;
}

function codesOf({ answers }: Operation): string[] {
  return [...new Set(answers.flatMap(({ status, codes }) => (status >= 400 ? codes : [])))];
}

/** The types that kubb generates for the answers with P-codes. */
function kubbErrorTypes({ operationId, answers }: Operation): string[] {
  const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  return answers.flatMap(({ status, codes }) => (status >= 400 && codes.length > 0 ? [`${name}${status}`] : []));
}

/** The members of an options object. `wrapper` names the member that holds the parameters, if they have one. */
function optionsOf(operation: Operation, wrapper?: string): string {
  const { path, query, body } = partsOf(operation);
  const parameters = [path && `path: ${path}`, query && `query: ${query}`].filter(Boolean).join(", ");
  const wrapped = wrapper === undefined || parameters === "" ? parameters : `${wrapper}: { ${parameters} }`;
  return [wrapped, body && `body: ${body}`].filter(Boolean).join(", ");
}

/** The positional arguments of a call: path parameters, then body and query. */
function positionalOf(operation: Operation): string {
  const path = Object.values(pathParametersOf(operation)).map((value) => JSON.stringify(value));
  const { query, body } = partsOf(operation);
  return [...path, body, query].filter(Boolean).join(", ");
}

/** The parts of a call as source text, each undefined where the operation has none. */
function partsOf(operation: Operation): Record<"path" | "query" | "body", string | undefined> {
  const query = operation.parameters.flatMap(({ name, in: location, example }) =>
    location === "query" ? [[name, example]] : [],
  );
  const path = pathParametersOf(operation);
  const body = operation.requestBody?.bodies[0]?.examples[0]?.value;
  return {
    path: Object.keys(path).length === 0 ? undefined : JSON.stringify(path),
    query: query.length === 0 ? undefined : JSON.stringify(Object.fromEntries(query)),
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}
