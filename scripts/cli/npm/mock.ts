/** `npm run mock`: runs the package's mock with the plan of this repository. */
import { loadPlan } from "../../mock/make-plan/index.ts";
import { runMockCommand } from "../package/mock.ts";

const code = await runMockCommand(process.argv.slice(2), { usage: "npm run mock --", loadPlan });
if (code !== undefined) process.exitCode = code;
