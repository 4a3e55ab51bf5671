/** `node --import tsx test/peers/generate.ts <bundle> <folder>` writes clients of hey-api and kubb into the folder (`npm run bench`). */
import { createClient } from "@hey-api/openapi-ts";
import { safeBuild } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";

const [input = "", folder = ""] = process.argv.slice(2);
await createClient({
  input,
  output: `${folder}/hey-api`,
  plugins: ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"],
  logs: { level: "silent" },
});
const { error, failedPlugins } = await safeBuild({
  config: {
    root: folder,
    input: { path: input },
    output: { path: "kubb", format: false, lint: false },
    plugins: [
      pluginOas({ validate: false, generators: [] }),
      pluginTs(),
      pluginClient({ client: "fetch", bundle: true, dataReturnType: "full" }),
    ],
  },
});
if (error !== undefined || failedPlugins.size > 0) throw error ?? new Error("kubb generated nothing.");
