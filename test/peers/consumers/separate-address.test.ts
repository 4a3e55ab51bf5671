/** Generators ignore the servers of an operation, so the generated comment of the deposit lookup must name its address. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import { safeBuild } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";
import { generateSource } from "oazapfts";
import { generateApi } from "swagger-typescript-api";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { bundleFile } from "../../../scripts/contract/model/index.ts";

const input = bundleFile("latest", "json");
const operation = "getCryptoDepositDetails";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "separate-address-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tools: Record<string, () => Promise<string>> = {
  "hey-api": async () => {
    await createClient({ input, output: join(folder, "hey-api"), logs: { level: "silent" } });
    return textIn("hey-api");
  },
  kubb: async () => {
    const { error } = await safeBuild({
      config: {
        // With another root, kubb would write into the working directory.
        root: process.cwd(),
        input: { path: input },
        output: { path: join(folder, "kubb"), format: false, lint: false },
        plugins: [
          pluginOas({ validate: false, generators: [] }),
          pluginTs(),
          pluginClient({ client: "fetch", bundle: true }),
        ],
      },
    });
    expect(error).toBeUndefined();
    return textIn("kubb");
  },
  oazapfts: () => generateSource(input),
  orval: async () => {
    const printed = vi.spyOn(console, "log").mockImplementation(() => {});
    const { generate } = await import("orval");
    await generate({ input: { target: input }, output: { target: join(folder, "orval/all.ts"), client: "fetch" } });
    printed.mockRestore();
    return textIn("orval");
  },
  "swagger-typescript-api": async () => {
    const { files } = await generateApi({ input, output: false, silent: true });
    return files.map(({ fileContent }) => fileContent).join("\n");
  },
};

it.each(Object.entries(tools))("%s names the address above the function", async (tool, generate) => {
  const text = await generate();
  // orval writes the comment above the type of the response instead of the function.
  const suffix = tool === "orval" ? "Response200" : "\\b";
  const declared = new RegExp(`^(export (async )?(const|function|type) )?${operation}${suffix}`);
  const comments = [...text.matchAll(/\/\*\*[\s\S]*?\*\/\s*(.*)/g)].filter(([, next = ""]) => declared.test(next));
  expect(comments.length).toBeGreaterThan(0);
  for (const [comment] of comments) expect(comment).toContain("deposit_base_url");
});

function textIn(name: string): string {
  return readdirSync(join(folder, name), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => readFileSync(join(folder, name, path), "utf8"))
    .join("\n");
}
