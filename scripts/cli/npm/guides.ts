import { UsageError } from "../../base/index.ts";
import { runNpmCommand } from "../kit/npm-command.ts";

const text = "Writes the generated parts of the guides, and the line that installs the package.";

await runNpmCommand("guides", { text }, async () => {
  const { writeGuides } = await import("../../tools/build/index.ts");
  const { formatFindings } = await import("../../lint/index.ts");
  const { changedPaths, findings } = await writeGuides();
  console.log(changedPaths.length === 0 ? "The guides are up to date." : `Written: ${changedPaths.join(", ")}`);
  if (findings.length > 0) throw new UsageError(formatFindings(findings));
});
