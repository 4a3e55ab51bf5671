/** `npm run mock`: the command `mock` of the package, with the plan of this repository. */
import { runMockCommand } from "../package/mock.ts";

const code = await runMockCommand(process.argv.slice(2), {
  usage: "npm run mock --",
  // Imported only when the command needs the plan, which `--help` and an unknown option do not.
  loadPlan: async () => (await import("../../mock/make-plan/index.ts")).loadPlan(),
});
if (code !== undefined) process.exitCode = code;
