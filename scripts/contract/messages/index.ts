/** Helpers for messages: the error with a remedy, the nearest name, escaping for a terminal and GitHub, and reports for CI servers. */
export { escapeControls } from "./escape-controls.ts";
export { githubCommand } from "./github-command.ts";
export { type JunitCase, junitReport } from "./junit.ts";
export { didYouMean, nearestName } from "./nearest-name.ts";
export { UsageError } from "./usage-error.ts";
