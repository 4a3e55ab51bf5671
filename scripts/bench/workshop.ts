/** The workshop: a temporary folder with the packed package, and with the peers installed and generated beside it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { bundleFile, type OpenApiDocument } from "../contract/index.ts";
import { installPackages, packPackage } from "../verify/package.ts";
import { run, withTemporaryFolder } from "../verify/processes.ts";

/** What is installed. Pinned, so that figures change only when something in this repository changes. */
export const versions = {
  "@hey-api/openapi-ts": "0.92.4",
  "@kubb/cli": "4.39.3",
  "@kubb/core": "4.39.3",
  "@kubb/plugin-client": "4.39.3",
  "@kubb/plugin-oas": "4.39.3",
  "@kubb/plugin-ts": "4.39.3",
  ajv: "8.20.0",
  "ajv-formats": "3.0.1",
  esbuild: "0.28.2",
  increase: "0.583.0",
  "openapi-fetch": "0.17.0",
  "openapi-typescript": "7.13.0",
  stripe: "20.4.1",
  typescript: "5.9.3",
  zod: "4.6.7",
} as const;

/** Files in the workshop that were generated from the contract. */
export const generated = {
  heyApi: "hey-api/index.ts",
  heyApiClient: "hey-api/client/index.ts",
  heyApiDefault: "hey-api/client.gen.ts",
  kubb: "kubb/index.ts",
  kubbFetch: "kubb/.kubb/fetch.ts",
  zod: "hey-api-zod/zod.gen.ts",
  webhookDocument: "webhooks.json",
  openapiTypes: "openapi-types.ts",
} as const;

/**
 * Makes the workshop, uses it, and removes it. Needs the npm registry.
 *
 * @param document the bundle of the edition `latest`.
 * @param use receives the absolute path of the workshop.
 * @throws {UsageError} when something cannot be packed, installed or generated.
 */
export function withWorkshop(document: OpenApiDocument, use: (folder: string) => Promise<void>): Promise<void> {
  return withTemporaryFolder("bench-", async (parent) => {
    const { result: tarball } = await packPackage(parent);
    const peers = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
    const folder = await installPackages(parent, "workshop", [tarball, ...peers]);
    await generatePeers(folder, document);
    await use(folder);
  });
}

/** Runs every generator on the same bundle. */
async function generatePeers(folder: string, document: OpenApiDocument): Promise<void> {
  const bundleOfAll = bundleFile("latest", "json");
  const env = { DO_NOT_TRACK: "1", KUBB_DISABLE_TELEMETRY: "1", SCARF_ANALYTICS: "false" };
  const runTool = (tool: string, args: string[]) => run(tool, args, { cwd: folder, env });
  const runHeyApi = (input: string, output: string, plugins: string[]) =>
    runTool("openapi-ts", ["--input", input, "--output", output, "--plugins", ...plugins, "--silent"]);

  await runHeyApi(bundleOfAll, "hey-api", ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"]);
  writeFileSync(join(folder, generated.webhookDocument), JSON.stringify(webhookDocument(document)));
  await runHeyApi(generated.webhookDocument, "hey-api-zod", ["zod"]);
  await runTool("openapi-typescript", [bundleOfAll, "--output", generated.openapiTypes]);
  writeFileSync(join(folder, "kubb.config.mjs"), kubbConfig(bundleOfAll));
  await runTool("kubb", ["generate", "--config", "kubb.config.mjs"]);
}

const kubbConfig = (input: string): string => `
import { defineConfig } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";

export default defineConfig({
  root: ".",
  input: { path: ${JSON.stringify(input)} },
  output: { path: "kubb", format: false, lint: false },
  plugins: [
    pluginOas({ validate: false, generators: [] }),
    pluginTs(),
    pluginClient({ client: "fetch", bundle: true, dataReturnType: "full" }),
  ],
});
`;

/**
 * Reduces a bundle to its webhooks and the schemas that they refer to, without descriptions, extensions and examples. Ajv and
 * zod would otherwise be charged for operations that a receiver of webhooks does not need.
 */
export function webhookDocument({ openapi, jsonSchemaDialect, info, webhooks, components }: OpenApiDocument): object {
  const schemas: Record<string, unknown> = {};
  const addSchemas = (node: unknown): void => {
    if (typeof node === "object" && node !== null) Object.values(node).forEach(addSchemas);
    if (typeof node !== "string" || !node.startsWith(schemaPrefix)) return;
    const name = node.slice(schemaPrefix.length);
    if (name in schemas) return;
    schemas[name] = components?.schemas?.[name];
    addSchemas(schemas[name]);
  };
  const received = Object.fromEntries(
    Object.entries(webhooks ?? {}).map(([name, { post }]) => [
      name,
      { post: { requestBody: post?.requestBody, responses: { 200: { description: acknowledgement } } } },
    ]),
  );
  addSchemas(received);
  const document = { openapi, jsonSchemaDialect, info, paths: {}, webhooks: received, components: { schemas } };
  return JSON.parse(JSON.stringify(document, withoutProse)) as object;
}

const schemaPrefix = "#/components/schemas/";
const acknowledgement = "Received.";

function withoutProse(key: string, value: unknown): unknown {
  const isText = (key === "description" || key === "title") && typeof value === "string" && value !== acknowledgement;
  return isText || key.startsWith("x-") || key === "examples" ? undefined : value;
}

/**
 * Bundles a program with esbuild. What it imports on demand, and what that shares with the rest, goes to files of its own
 * beside the bundle: see {@link filesOfBundle}.
 *
 * @param folder the workshop, where the packages and files that the program imports are found.
 * @param name name of the program, for its files.
 * @param program its TypeScript.
 * @param options `platform` is `node` for clients that need modules of Node.
 * @returns the absolute path of the bundle.
 * @throws {UsageError} with the errors of esbuild.
 */
export async function bundleProgram(
  folder: string,
  name: string,
  program: string,
  { minify = false, platform = "neutral" }: { minify?: boolean; platform?: "neutral" | "node" | undefined } = {},
): Promise<string> {
  const entry = join(folder, `${name}.entry.ts`);
  const output = join(folder, `${name}.bundle`);
  writeFileSync(entry, program);
  mkdirSync(output, { recursive: true });
  const args = [entry, "--bundle", "--splitting", "--format=esm", `--outdir=${output}`, `--platform=${platform}`];
  args.push("--out-extension:.js=.mjs", `--metafile=${join(output, metafileName)}`);
  if (platform === "neutral") args.push("--main-fields=module,main");
  if (minify) args.push("--minify");
  await run("esbuild", args, { cwd: folder });
  return join(output, `${name}.entry.mjs`);
}

const metafileName = "metafile.json";

/** What esbuild says of the files that it wrote. Their paths are relative to the workshop. */
interface Metafile {
  outputs: Record<string, { imports: { path: string; kind: string }[] }>;
}

/** The files of a bundle, with their paths relative to the workshop. */
export interface BundleFiles {
  /** What is loaded at once: the bundle, and the files that it imports statically. */
  atOnce: string[];
  onDemand: string[];
}

/**
 * Sorts the files of a bundle by when they are loaded.
 *
 * @param bundle absolute path of a bundle that {@link bundleProgram} made.
 */
export function filesOfBundle(bundle: string): BundleFiles {
  const folder = dirname(bundle);
  const { outputs } = JSON.parse(readFileSync(join(folder, metafileName), "utf8")) as Metafile;
  const atOnce = new Set([join(basename(folder), basename(bundle))]);
  // What is added meanwhile is visited as well.
  for (const path of atOnce) {
    const { imports } = outputs[path] as Metafile["outputs"][string];
    for (const { path: imported, kind } of imports) {
      if (kind === "import-statement" && outputs[imported] !== undefined) atOnce.add(imported);
    }
  }
  return { atOnce: [...atOnce], onDemand: Object.keys(outputs).filter((path) => !atOnce.has(path)) };
}
