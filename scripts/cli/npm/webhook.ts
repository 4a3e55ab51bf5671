import { runWebhookCommand } from "../package/webhook.ts";

const { log: print, error: printError } = console;
process.exitCode = await runWebhookCommand(process.argv.slice(2), {
  usage: "npm run webhook --",
  // Imported only when the command needs the plan, which `--help` and an unknown option do not.
  loadPlan: async () => (await import("../../mock/make-plan/index.ts")).loadPlan(),
  print,
  printError,
});
