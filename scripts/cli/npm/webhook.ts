import { runWebhookCommand } from "../package/webhook.ts";

const { log: print, error: printError } = console;
process.exitCode = await runWebhookCommand(process.argv.slice(2), {
  usage: "npm run webhook --",
  // Imported when the command loads the plan: --help and an unknown option do without it.
  loadPlan: async () => (await import("../../mock/make-plan/index.ts")).loadPlan(),
  print,
  printError,
});
