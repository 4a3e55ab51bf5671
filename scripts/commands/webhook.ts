/** `npm run webhook` */
import { UsageError } from "../contract/index.ts";
import { runWebhookCommand } from "../mock/webhooks/command.ts";
import { loadPlan } from "../plan/index.ts";

try {
  const usage = "npm run webhook --";
  const { log: print, error: printError } = console;
  process.exitCode = await runWebhookCommand(process.argv.slice(2), { usage, loadPlan, print, printError });
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
}
