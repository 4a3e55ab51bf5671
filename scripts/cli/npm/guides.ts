import { run } from "../kit/npm-command.ts";

const text = "Writes the generated parts of the guides, and the line that installs the package.";

await run("guides", { text }, async () => {
  const { writeGuides } = await import("../../tools/build/index.ts");
  const changed = await writeGuides();
  console.log(changed.length === 0 ? "The guides are up to date." : `Written: ${changed.join(", ")}`);
});
