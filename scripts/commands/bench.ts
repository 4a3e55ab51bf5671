/** `npm run bench` */
import { defineCommand, run } from "./command.ts";

const command = defineCommand("bench", "Measure sizes, calls, the mock and the build beside other programs.")
  .option("--update", "write the figures of today into the budgets")
  .option("--short", "make a tenth of the rounds, to see that everything works")
  .action(async ({ update = false, short = false }: { update?: boolean; short?: boolean }) => {
    const { bench } = await import("../bench/bench.ts");
    await bench({ update, short });
  });

await run(command);
