/** `npm run bench` */
import { defineCommand, run } from "./command.ts";

const command = defineCommand("bench", "Measure sizes, types and times, against other clients, Prism and the budgets.")
  .option("--update", "write the figures of today into the budgets")
  .option("--mock", "measure the mock only, as the build has written it")
  .action(async ({ update = false, mock = false }: { update?: boolean; mock?: boolean }) => {
    const { bench } = await import("../bench/bench.ts");
    await bench({ update, isMockOnly: mock });
  });

await run(command);
