import { run } from "../kit/npm-command.ts";

await run("docs:redoc", { text: "Renders each bundle into one HTML file, with redocly build-docs." }, async () => {
  const { makeRedoc } = await import("../../tools/build/index.ts");
  console.log(`Written: ${await makeRedoc()}`);
});
