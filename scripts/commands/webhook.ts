/** `npm run webhook` */
import { UsageError } from "../contract/index.ts";
import { runWebhookCommand } from "../mock/webhooks/command.ts";
import { loadPlan } from "../plan/index.ts";

try {
  process.exitCode = await runWebhookCommand(process.argv.slice(2), {
    usage: "npm run webhook --",
    loadPlan,
    print: (line) => console.log(line),
    printError: (line) => console.error(line),
  });
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
}
