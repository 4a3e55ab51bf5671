/** `npm run webhook` */
import { UsageError } from "../contract/index.ts";
import { runWebhookCommand } from "../mock/webhooks/command.ts";

async function loadTestPlan() {
  const { loadPlan, readBundle, readPlanRegisters } = await import("../plan/index.ts");
  const { Sources } = await import("../sources/index.ts");
  // The edition that has a path for every webhook.
  const edition = "test";
  return loadPlan({ edition, document: readBundle(edition), registers: readPlanRegisters(new Sources()) });
}

try {
  process.exitCode = await runWebhookCommand(process.argv.slice(2), {
    usage: "npm run webhook --",
    loadPlan: loadTestPlan,
    print: (line) => console.log(line),
    printError: (line) => console.error(line),
  });
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
}
