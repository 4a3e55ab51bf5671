/** `npm run bench:payments` */
import { runNpmCommand } from "../../../scripts/cli/kit/npm-command.ts";

const text =
  "Measures payments per second, with SQLite in one process and with Postgres in three, 16 at a time in each process, and compares them with plain calls and with the calls that a payment makes, which also read the history; and measures the time in which SQLite finds 100 open payments among 1,000,000.";

await runNpmCommand("bench:payments", { text }, async () => {
  const { measurePayments } = await import("./measure-payments.ts");
  await measurePayments();
});
