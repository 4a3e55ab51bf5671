/** `npm run webhook` */
import { UsageError } from "../../contract/model/index.ts";
import { loadPlan } from "../../mock/make-plan/index.ts";
import { runWebhookCommand } from "../package/webhook.ts";

try {
  const usage = "npm run webhook --";
  const { log: print, error: printError } = console;
  process.exitCode = await runWebhookCommand(process.argv.slice(2), { usage, loadPlan, print, printError });
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
}
