export { lintInChildProcess } from "./child-process.ts";
export { explainRule } from "./explain.ts";
export { errorsIn, type Finding, formatFindings, withRemedy } from "./findings.ts";
export { type LintResult, lintContract } from "./lint-contract.ts";
export { redoclyRules, severityByRule } from "./redocly-rules.ts";
export { reportFormats } from "./report-formats.ts";
