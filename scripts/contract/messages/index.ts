/** Helpers for messages: the error with a remedy, the nearest name, and escaping for a terminal, XML and GitHub. */
export { escapeControls } from "./escape-controls.ts";
export { escapeXml } from "./escape-xml.ts";
export { githubCommand } from "./github-command.ts";
export { didYouMean, nearestName } from "./nearest-name.ts";
export { UsageError } from "./usage-error.ts";
