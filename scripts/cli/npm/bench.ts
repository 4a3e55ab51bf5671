import { runNpmCommand } from "../kit/npm-command.ts";

const text =
  "Compares sizes with their budgets, and processor time: that of calls with openapi-fetch, and that of the mock with Prism.";
const options = [{ name: "short", text: "make a tenth of the rounds, to see that everything works" }];

await runNpmCommand("bench", { text, options }, async ({ has }) => {
  const { bench } = await import("../../tools/bench/index.ts");
  await bench({ isShort: has("short") });
});
