/** `npm run bench` */
import { defineCommand, run } from "./command.ts";

const command = defineCommand("bench", "Measure sizes, types and times, against other clients and against the budgets.")
  .option("--update", "write the sizes of today into the budgets")
  .action(async ({ update = false }: { update?: boolean }) => {
    const { bench } = await import("../bench/bench.ts");
    await bench({ update });
  });

await run(command);
