import { run } from "../kit/npm-command.ts";

const text = "Measures sizes, calls and the mock, and compares them with other programs.";
const options = [{ name: "short", text: "make a tenth of the rounds, to see that everything works" }];

await run("bench", { text, options }, async ({ has }) => {
  const { bench } = await import("../../tools/bench/index.ts");
  await bench({ short: has("short") });
});
