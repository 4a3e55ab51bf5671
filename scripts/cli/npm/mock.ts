/** `npm run mock`: runs the package's mock with the plan of this repository. */
import { runMockCommand } from "../package/mock.ts";

const code = await runMockCommand(process.argv.slice(2), {
  usage: "npm run mock --",
  // Imported when it is needed: not for --help, nor for an argument that is refused.
  loadPlan: async () => (await import("../../mock/make-plan/index.ts")).loadPlan(),
});
if (code !== undefined) process.exitCode = code;
