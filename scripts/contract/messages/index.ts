export { escapeControls } from "./escape-controls.ts";
export { escapePattern } from "./escape-pattern.ts";
export { githubCommand } from "./github-command.ts";
export { junitReport } from "./junit.ts";
export { didYouMean, nearestName } from "./nearest-name.ts";
export { UsageError } from "./usage-error.ts";
