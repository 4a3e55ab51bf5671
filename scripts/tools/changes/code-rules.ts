import { additive, breaking, breakingRule, codeList, codeText, type Rules } from "./verdicts.ts";

export const codeRules = {
  status: breakingRule(
    (after, before) => `comes with HTTP ${after} now (it was ${before}). Change what depends on the status.`,
  ),
  retry: breakingRule(
    (after, before) =>
      `has the advice ${codeText(after)} about repeating a call now (it was ${codeText(before)}), which decides whether the client repeats by itself. Check what your program does.`,
  ),
  actor: (before, after) => additive(`asks ${codeText(after)} to act now (it was ${codeText(before)}).`),
  resolvedBy: (_, after) => additive(`is resolved by ${codeList(after) || "no operation"} now.`),
  isOpen: (_, after) =>
    after
      ? breaking("can carry any P-code now. Handle codes that are not listed.")
      : additive("has a complete list of codes now."),
} satisfies Partial<Rules>;
