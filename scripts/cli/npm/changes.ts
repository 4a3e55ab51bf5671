import { UsageError } from "../../base/index.ts";
import { refuseWith } from "../kit/arguments.ts";
import { runNpmCommand } from "../kit/npm-command.ts";

const text =
  "Shows how changes of the contract affect partners, since the last released version or since REF, a version or commit.";
const options = [
  { name: "json", text: "as JSON" },
  { name: "markdown", text: "as a section of CHANGELOG.md" },
  { name: "github", text: "as annotations of GitHub" },
  { name: "document", text: "print the contract in the form of openapi/released/, without a comparison" },
  { name: "check", text: "fail when the version does not allow it, or an exemption is expired or unused" },
];

const description = { text, options, operands: "[REF]", maxOperands: 1 };

await runNpmCommand("changes", description, async (parsedArgs) => {
  const { has, operands } = parsedArgs;
  refuseWith(parsedArgs, "document", ["json", "markdown", "github", "check"], 0);
  refuseWith(parsedArgs, "json", ["markdown", "github"]);
  refuseWith(parsedArgs, "markdown", ["github"]);
  const changes = await import("../../tools/changes/index.ts");
  const { Sources } = await import("../../contract/sources/index.ts");
  const currentContract = await changes.bundleAnnotated(new Sources());
  if (has("document")) {
    process.stdout.write(changes.serializeReleased(currentContract));
    return;
  }
  const earlierContract = await changes.readEarlier(operands[0]);
  const contractChanges = changes.compareContracts(earlierContract.document, currentContract);
  const today = new Date().toISOString().slice(0, 10);
  const { otherChanges, exemptionByChange, problems } = changes.applyExemptions(
    contractChanges,
    changes.readExemptions(),
    today,
  );
  if (has("json")) console.log(JSON.stringify(contractChanges, null, 2));
  else if (has("markdown")) process.stdout.write(changes.formatMarkdown(contractChanges));
  else if (has("github")) console.log(changes.formatGithub(contractChanges, exemptionByChange));
  else
    console.log(
      `Compared with ${earlierContract.name}:\n${changes.formatText(contractChanges, { isColoured: process.stdout.hasColors?.() ?? false, exemptionByChange })}`,
    );
  if (!has("check")) return;
  const problem = changes.versionProblem(
    otherChanges,
    earlierContract.document.info.version,
    currentContract.info.version,
  );
  const allProblems = problem === undefined ? problems : [...problems, problem];
  if (allProblems.length > 0) throw new UsageError(allProblems.join("\n"));
});
