import { loadPlan } from "../../mock/make-plan/index.ts";
import { runWebhookCommand } from "../package/webhook.ts";

const { log: print, error: printError } = console;
process.exitCode = await runWebhookCommand(process.argv.slice(2), {
  ...{ usage: "npm run webhook --", loadPlan, print, printError },
});
