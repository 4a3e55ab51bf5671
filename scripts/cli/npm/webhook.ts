import { runWebhookCommand } from "../package/webhook.ts";

const { log: print, error: printError } = console;
process.exitCode = await runWebhookCommand(process.argv.slice(2), {
  usage: "npm run webhook --",
  // Imported when it is needed: not for --help, nor for an argument that is refused.
  loadPlan: async () => (await import("../../mock/make-plan/index.ts")).loadPlan(),
  ...{ print, printError },
});
