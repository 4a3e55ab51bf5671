import { runNpmCommand } from "../kit/npm-command.ts";

await runNpmCommand(
  "docs:redoc",
  { text: "Renders each bundle into one HTML file, with redocly build-docs." },
  async () => {
    const { makeRedoc } = await import("../../tools/build/index.ts");
    console.log(`Written: ${await makeRedoc()}`);
  },
);
