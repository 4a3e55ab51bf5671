/** Rules for the facts of P-codes, and of the responses that return them. */
import { additive, breaking, breaks, list, type Rule, text } from "./verdicts.ts";

export const codeRules: Readonly<Record<string, Rule>> = {
  status: breaks(
    (after, before) => `comes with HTTP ${after} now (it was ${before}). Change what depends on the status.`,
  ),
  retry: breaks(
    (after, before) =>
      `has the advice ${text(after)} about repeating a call now (it was ${text(before)}), which decides whether the client repeats by itself. Check what your program does.`,
  ),
  actor: (before, after) => additive(`asks ${text(after)} to act now (it was ${text(before)}).`),
  resolvedBy: (_, after) => additive(`is resolved by ${list(after as string[] | undefined) || "no operation"} now.`),
  isOpen: (_, after) =>
    after
      ? breaking("can carry any P-code now. Handle codes that are not listed.")
      : additive("has a complete list of codes now."),
};
