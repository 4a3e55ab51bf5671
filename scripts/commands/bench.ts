/** `npm run bench` */
import { run } from "./command.ts";

const text = "Measures sizes, calls and the mock beside other programs.";
const options = [{ name: "short", text: "make a tenth of the rounds, to see that everything works" }];

await run("bench", { text, options }, async ({ has }) => {
  const { bench } = await import("../bench/bench.ts");
  await bench({ short: has("short") });
});
