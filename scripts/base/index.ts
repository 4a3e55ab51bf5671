export { escapeControls } from "./escape-controls.ts";
export { escapePattern } from "./escape-pattern.ts";
export { found } from "./found.ts";
export { githubCommand } from "./github-command.ts";
export { junitReport } from "./junit.ts";
export { type Manifest, readManifest } from "./manifest.ts";
export { didYouMean, nearestName } from "./nearest-name.ts";
export { omit } from "./omit.ts";
// Each name by itself, so that the bundle of the mock leaves out project.ts, which expects this repository around it.
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
export { type BuildStep, type StepState, stepStateOf } from "./step-state.ts";
export { UsageError } from "./usage-error.ts";
