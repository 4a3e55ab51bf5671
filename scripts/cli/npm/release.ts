import type { Level } from "../../tools/changes/index.ts";
import { ArgumentError, refuseWith } from "../kit/arguments.ts";
import { runNpmCommand } from "../kit/npm-command.ts";

const text =
  "Makes a release: version, changelog, released contract, commit, tag, package, site, SBOM. Without a level, makes the files to publish of the tagged commit. Pushes nothing.";
const options = [
  { name: "version-only", text: "only set the version, for a breaking change" },
  { name: "untried", text: "skip installing and using the package, which needs the npm registry" },
];

await runNpmCommand(
  "release",
  { text, options, operands: "[patch|minor|major]", maxOperands: 1 },
  async (parsedArgs) => {
    const { has, operands } = parsedArgs;
    const [level] = operands;
    refuseWith(parsedArgs, "version-only", ["untried"]);
    const { levels } = await import("../../tools/changes/index.ts");
    const isLevel = (name: string): name is Level => (levels as readonly string[]).includes(name);
    if (level !== undefined && !isLevel(level))
      throw new ArgumentError(`There is no level "${level}". Name one of ${levels.join(", ")}.`);
    const { makeArtifacts, makeRelease, setNextVersion } = await import("../../tools/release/index.ts");
    const today = new Date().toISOString().slice(0, 10);
    if (has("version-only")) {
      if (level === undefined) throw new ArgumentError(`--version-only needs one of ${levels.join(", ")}.`);
      console.log(`The version is ${await setNextVersion(level, today)}. Run "npm run build" and commit.`);
    } else if (level === undefined) await makeArtifacts({ mustTry: !has("untried") });
    else await makeRelease(level, { date: today, mustTry: !has("untried") });
  },
);
