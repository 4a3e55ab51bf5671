export { escapeControls } from "./escape-controls.ts";
export { escapePattern } from "./escape-pattern.ts";
export { found, present } from "./found.ts";
export { githubCommand } from "./github-command.ts";
export { junitReport } from "./junit.ts";
export { type Manifest, readManifest } from "./manifest.ts";
export { didYouMean, nearestName } from "./nearest-name.ts";
export { omit } from "./omit.ts";
// Exported one by one: with `export *`, the bundle of the mock would contain project.ts, which needs this repository.
export {
  bundleFile,
  contractFile,
  docsFolder,
  type Edition,
  editionFolder,
  editions,
  generatedFolder,
  planFile,
  projectRoot,
  usesPnpm,
} from "./project.ts";
export { resultOrError } from "./result-or-error.ts";
export { type BuildStep, type StepState, stepStateOf } from "./step-state.ts";
export { UsageError } from "./usage-error.ts";
