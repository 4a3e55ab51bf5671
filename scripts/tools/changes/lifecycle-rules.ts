import { otherRule } from "./keyword-rules.ts";
import { additive, breaking, breakingRule, changeRule, codeList, codeText, type Rules } from "./verdicts.ts";

export const lifecycleRules = {
  of: changeRule("is about", "Check which calls are refused."),
  from: changeRule("starts from"),
  to: changeRule("leads to", "Check what you wait for."),
  later: breakingRule((after) => `comes ${after ? "after" : "with"} the response now. Check what you read next.`),
  creates: changeRule("creates"),
  moves: changeRule("moves"),
  resource: otherRule("resource"),
  state: changeRule("is about"),
  after: (before = [], after = []) => {
    const removedValues = before.filter((value) => !after.includes(value));
    if (removedValues.length > 0)
      return breaking(`is no longer sent after ${codeList(removedValues)}. Find out in another way.`);
    return additive(`is sent after ${codeList(after.filter((value) => !before.includes(value)))} as well.`);
  },
  initial: changeRule("begins with"),
  succeeds: changeRule("succeeds with", "Check what you take for a success."),
  identifiedBy: changeRule("is identified by"),
  repeats: breakingRule(
    (after) => `has ${after ? "the id of its owner" : "an id of its own"} now. Check what you keep by it.`,
  ),
  details: breakingRule(
    (after) => `is returned by ${codeList(after) || "no operation"} now. Check where you look it up.`,
  ),
  attempts: breakingRule((after, before) => `is tried ${after} times now (it was ${before}).`),
  delays: changeRule("waits", "", " seconds between attempts"),
  healthPath: changeRule("checks", "", " on your server"),
  lists: breakingRule(
    () => "looks into other lists, or for other records now. Check how you look for a call without a response.",
  ),
  webhook: breakingRule(() => "looks for another event now. Check how you look for a call without a response."),
  repeat: breakingRule(
    (after, before) =>
      `has the advice ${codeText(after)} about repeating the call now (it was ${codeText(before)}). Check what your program does after a call without a response.`,
  ),
  shownBy: otherRule("shownBy"),
  certain: breakingRule(
    (after) => `is certain by ${codeList(after) || "no field"} now. Send a value of its own with each call.`,
  ),
} satisfies Partial<Rules>;
