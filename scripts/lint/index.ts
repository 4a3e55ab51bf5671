export { lintInChildProcess } from "./child-process.ts";
export { explainRule } from "./explain.ts";
export { type Finding, formatFindings } from "./findings.ts";
export { reportFormats } from "./formats.ts";
export { type Lint, lintContract } from "./lint-contract.ts";
export { allRules, redoclyRules } from "./redocly-rules.ts";
export { assumptionFindings } from "./rules/assumptions.ts";
