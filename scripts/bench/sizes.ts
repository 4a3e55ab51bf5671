/** What a program weighs that uses this package, beside other clients, and what it costs the type checker. */
import ts from "typescript";
import { type Contract, type Operation, projectRoot, UsageError } from "../contract/index.ts";
import { type BudgetedReport, count, table, times } from "./figures.ts";
import { bundleProgram, generated } from "./programs.ts";
import { operationCount, pathParametersOf, type SampleCall, usualOperations } from "./samples.ts";

const { heyApi, heyApiClient, kubb, kubbFetch } = generated;

/** A program, and the name of its budget; programs of this package have one. */
type Program = [name: string, text: string, budget?: string];

/** Programs that do the same with each client; the others are compared with the first one. */
function programs(contract: Contract, samples: readonly SampleCall[]): [title: string, programs: Program[]][] {
  const some = (operations: readonly Operation[], budget: string): Program[] => {
    const names = operations.map(({ operationId }) => operationId).join(", ");
    const heyApiToo = `export { createClient } from "./${heyApiClient}";`;
    return [
      [
        "partner-wallet-api/operations",
        `export { createClient, ${names} } from "partner-wallet-api/operations";`,
        budget,
      ],
      ["openapi-fetch alone", `export { default } from "openapi-fetch";`],
      ["hey-api", `export { ${names} } from "./${heyApi}"; ${heyApiToo}`],
      ["kubb", `export { ${names} } from "./${kubb}"; export { setConfig } from "./${kubbFetch}";`],
    ];
  };
  const singles = [...new Set(samples.map(({ operation }) => operation))];
  return [
    ...singles.map((operation): [string, Program[]] => {
      const method = operation.method.toUpperCase();
      return [`One operation (${method})`, some([operation], `one operation, ${method}`)];
    }),
    [`${operationCount} operations`, some(usualOperations(contract), "ten operations")],
    [
      "All operations",
      [
        ["partner-wallet-api", `export * from "partner-wallet-api";`, "all operations"],
        ["hey-api", `export * from "./${heyApi}"; export { createClient } from "./${heyApiClient}";`],
        ["kubb", `export * from "./${kubb}"; export { setConfig } from "./${kubbFetch}";`],
      ],
    ],
    [
      "Webhooks",
      [
        ["partner-wallet-api/webhooks", `export * from "partner-wallet-api/webhooks";`, "webhook kit"],
        ["parseWebhook", `export { parseWebhook } from "partner-wallet-api/webhooks";`, "parseWebhook"],
      ],
    ],
  ];
}

/** Bundles, minifies and compresses everything. @param folder as of `generatePeers`. */
export async function measureSizes(
  folder: string,
  contract: Contract,
  samples: readonly SampleCall[],
): Promise<BudgetedReport> {
  const rows: string[][] = [["Program", "minified and compressed, bytes", "ratio"]];
  const figures: Record<string, number> = {};
  for (const [section, [title, all]] of programs(contract, samples).entries()) {
    let reference: number | undefined;
    for (const [index, [name, text, budget]] of all.entries()) {
      const bundled = await bundleProgram(folder, `size-${section}-${index}`, text, { minify: true });
      reference ??= bundled.compressed;
      rows.push([`${title}: ${name}`, count(bundled.compressed), times(bundled.compressed / reference)]);
      for (const { name: module, compressed } of bundled.onDemand) {
        rows.push([`… on demand: ${module}`, count(compressed), times(compressed / reference)]);
      }
      if (budget !== undefined) figures[`${budget}, bytes minified and compressed`] = bundled.compressed;
    }
  }
  const { report, figures: types } = measureTypes(contract);
  return { report: `${table(rows)}\n\n${report}`, figures: { ...figures, ...types } };
}

/** Type-checks a program that makes ten calls and tells their P-codes apart, with the declarations of `dist/`. */
function measureTypes(contract: Contract): BudgetedReport {
  const operations = usualOperations(contract);
  const ids = operations.map(({ operationId }) => operationId).join(", ");
  const [functions, facade] = [
    `import { createClient, ${ids} } from "partner-wallet-api/operations";
const client = createClient({ baseUrl: "https://api.example", apiKey: "key" });
${operations.map((operation) => callOf(operation, `${operation.operationId}(client, `)).join("\n")}`,
    `import { createPartnerClient } from "partner-wallet-api";
const client = createPartnerClient({ baseUrl: "https://api.example", apiKey: "key" });
${operations.map((operation) => callOf(operation, `client.${operation.operationId}(`)).join("\n")}`,
  ];
  // Whatever every program costs is not to be charged to this package.
  const nothing = check("export {};");
  const rows: string[][] = [["Ten calls", "type instantiations", "types"]];
  const figures: Record<string, number> = {};
  for (const [name, text] of Object.entries({ functions, facade })) {
    const { instantiations, types } = check(text);
    rows.push([name, count(instantiations), count(types)]);
    figures[`ten calls, ${name}, type instantiations`] = instantiations;
    figures[`ten calls, ${name}, types`] = types;
  }
  rows.push(["nothing", count(nothing.instantiations), count(nothing.types)]);
  return { report: table(rows), figures };
}

/** A function that compiles only where each P-code of the operation can be told apart, and any other one is refused. */
function callOf(operation: Operation, call: string): string {
  const codes = [...new Set(operation.answers.flatMap(({ status, codes }) => (status >= 400 ? codes : [])))];
  const path = pathParametersOf(operation);
  const query = operation.parameters.filter((parameter) => parameter.in === "query");
  const body = operation.requestBody?.bodies[0]?.examples[0]?.value;
  const options = {
    ...(Object.keys(path).length > 0 && { path }),
    ...(query.length > 0 && { query: Object.fromEntries(query.map(({ name, example }) => [name, example])) }),
    ...(body !== undefined && { body }),
  };
  return `export async function try_${operation.operationId}() {
  const { data, error } = await ${call}${JSON.stringify(options)});
  switch (error?.errorCode) {
    ${codes.map((code) => `case ${JSON.stringify(code)}: return error.errorCode;`).join("\n    ")}
    // @ts-expect-error
    case "no code of this operation":
  }
  return data;
}`;
}

/** @throws {UsageError} with the errors of the compiler. */
function check(text: string): { instantiations: number; types: number } {
  const file = `${projectRoot}/bench-consumer.ts`;
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile;
  host.getSourceFile = (path, version, ...rest) =>
    path === file ? ts.createSourceFile(path, text, version) : getSourceFile(path, version, ...rest);
  const program = ts.createProgram([file], options, host);
  const problems = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
  if (problems.length > 0) throw new UsageError(`A program with ten calls does not compile: ${problems.map(String)}`);
  return { instantiations: program.getInstantiationCount(), types: program.getTypeCount() };
}
