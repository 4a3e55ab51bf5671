/** Runs other client generators on a document. Each writes TypeScript to the folder `output`. */
import { createClient } from "@hey-api/openapi-ts";
import { safeBuild } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";
import { generateApi } from "swagger-typescript-api";

export async function generateWithHeyApi(input: string, output: string): Promise<void> {
  await createClient({ input, output, logs: { level: "silent" } });
}

export async function generateWithKubb(input: string, output: string): Promise<void> {
  const { error, failedPlugins } = await safeBuild({
    config: {
      root: process.cwd(),
      input: { path: input },
      output: { path: output, format: false, lint: false },
      plugins: [
        pluginOas({ validate: false, generators: [] }),
        pluginTs(),
        pluginClient({ client: "fetch", bundle: true, dataReturnType: "full" }),
      ],
    },
  });
  if (error !== undefined || failedPlugins.size > 0) throw error ?? new Error("kubb generated nothing.");
}

export async function generateWithSwaggerTypescriptApi(input: string, output: string): Promise<void> {
  await generateApi({ input, output, fileName: "api.ts", silent: true });
}

/** Throws if orval warns. */
export async function generateWithOrval(input: string, output: string, baseUrl = ""): Promise<void> {
  // orval keeps the `console.log` that it finds when it is loaded.
  const { log } = console;
  const warnings: string[] = [];
  console.log = (line: unknown) => String(line).includes("⚠") && warnings.push(String(line));
  try {
    const { generate } = await import("orval");
    await generate({ input: { target: input }, output: { target: `${output}/api.ts`, client: "fetch", baseUrl } });
  } finally {
    console.log = log;
  }
  if (warnings.length > 0) throw new Error(warnings.join("\n"));
}
