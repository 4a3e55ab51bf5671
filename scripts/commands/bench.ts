/** `npm run bench` */
import { defineCommand, run } from "./command.ts";

const command = defineCommand("bench", "Measure sizes, types and times, against other clients, Prism and the budgets.")
  .option("--update", "write the figures of today into the budgets")
  .option("--mock", "measure the mock only, as the build has written it")
  .option("--docs", "measure the reference site only, beside the single page")
  .action(
    async ({ update = false, mock = false, docs = false }: { update?: boolean; mock?: boolean; docs?: boolean }) => {
      const { bench } = await import("../bench/bench.ts");
      await bench({ update, only: mock ? "mock" : docs ? "docs" : undefined });
    },
  );

await run(command);
