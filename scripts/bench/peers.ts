/** The workshop of the bench: a temporary folder with this package, and the peers installed and generated beside it. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleFile, projectRoot } from "../contract/project.ts";
import { readBundle } from "../mock/read-bundle.ts";
import { run } from "../verify/run.ts";
import { webhookDocument } from "./webhook-document.ts";

/** What is installed. Versions are pinned so that figures change only when something here changes. */
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

/** Where the workshop keeps what it made from the contract, below its folder. */
export const made = {
  heyApi: "hey-api/index.ts",
  heyApiClient: "hey-api/client/index.ts",
  kubb: "kubb/index.ts",
  zod: "hey-api-zod/zod.gen.ts",
  webhookDocument: "webhooks.json",
  openapiTypes: "openapi-types.ts",
} as const;

/** Telemetry of every tool off. */
const env = { ...process.env, DO_NOT_TRACK: "1", KUBB_DISABLE_TELEMETRY: "1", SCARF_ANALYTICS: "false" };

const kubbConfig = (contract: string): string => `
import { defineConfig } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";

export default defineConfig({
  root: ".",
  input: { path: ${JSON.stringify(contract)} },
  output: { path: "kubb", format: false, lint: false },
  plugins: [
    pluginOas({ validate: false, generators: [] }),
    pluginTs(),
    pluginClient({ client: "fetch", bundle: true, dataReturnType: "full" }),
  ],
});
`;

/**
 * Makes the workshop. It needs the npm registry.
 *
 * @returns its folder.
 * @throws {UsageError} when something cannot be installed or generated.
 */
export async function openWorkshop(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    writeFileSync(
      join(folder, "package.json"),
      JSON.stringify({ private: true, type: "module", dependencies: versions }),
    );
    await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], { cwd: folder });
    copyPackage(folder);
    await generate(folder);
    return folder;
  } catch (error) {
    closeWorkshop(folder);
    throw error;
  }
}

/** Removes the workshop. */
export function closeWorkshop(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Puts this package where an installed one is: a link would lead the tools back into the repository. */
function copyPackage(folder: string): void {
  const target = join(folder, "node_modules/partner-wallet-api");
  mkdirSync(target);
  cpSync(`${projectRoot}/package.json`, join(target, "package.json"));
  cpSync(`${projectRoot}/generated/latest`, join(target, "generated/latest"), { recursive: true });
}

/** Lets every generator make its client from the very same bundle. */
async function generate(folder: string): Promise<void> {
  const contract = bundleFile("latest", "json");
  const options = { cwd: folder, env };
  const tool = (name: string) => join(folder, "node_modules/.bin", name);
  const heyApi = (input: string, output: string, plugins: string[]) =>
    run(tool("openapi-ts"), ["--input", input, "--output", output, "--plugins", ...plugins, "--silent"], options);
  await heyApi(contract, "hey-api", ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"]);
  writeFileSync(join(folder, made.webhookDocument), JSON.stringify(webhookDocument(readBundle("latest"))));
  await heyApi(made.webhookDocument, "hey-api-zod", ["zod"]);
  await run(tool("openapi-typescript"), [contract, "--output", made.openapiTypes], options);
  writeFileSync(join(folder, "kubb.config.mjs"), kubbConfig(contract));
  await run(tool("kubb"), ["generate", "--config", "kubb.config.mjs"], options);
}
