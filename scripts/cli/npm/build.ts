import { runNpmCommand } from "../kit/npm-command.ts";

const text = "Lints the contract, then makes the bundles, the client, the docs, the mock and dist/.";
const options = [{ name: "check", text: "change nothing; only say which committed files are stale" }];

await runNpmCommand("build", { text, options }, async ({ has }) => {
  const { build, checkGenerated } = await import("../../tools/build/index.ts");
  await (has("check") ? checkGenerated() : build());
});
