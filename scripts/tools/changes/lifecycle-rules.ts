/** Rules for the facts of machine-data.ts: conditions, effects and events, resources and their lifecycles, and the delivery of webhooks. */
import { additive, breaking, breaks, changedTo, list, type Rule, text } from "./verdicts.ts";

export const lifecycleRules: Readonly<Record<string, Rule>> = {
  of: changedTo("is about", "Check which calls are refused."),
  from: changedTo("starts from"),
  to: changedTo("leads to", "Check what you wait for."),
  later: breaks((after) => `comes ${after ? "after" : "with"} the response now. Check what you read next.`),
  creates: changedTo("creates"),
  moves: changedTo("moves"),
  state: changedTo("is about"),
  after: (before, after) => {
    const [old, now] = [before as string[], after as string[]];
    const lost = old.filter((value) => !now.includes(value));
    if (lost.length > 0) return breaking(`is no longer sent after ${list(lost)}. Find out in another way.`);
    return additive(`is sent after ${list(now.filter((value) => !old.includes(value)))} as well.`);
  },
  initial: changedTo("begins with"),
  succeeds: changedTo("succeeds with", "Check what you take for a success."),
  identifiedBy: changedTo("is identified by"),
  repeats: breaks(
    (after) => `has ${after ? "the id of its owner" : "an id of its own"} now. Check what you keep by it.`,
  ),
  details: breaks(
    (after) => `is returned by ${list(after as string[]) || "no operation"} now. Check where you look it up.`,
  ),
  attempts: breaks((after, before) => `is tried ${after} times now (it was ${before}).`),
  delays: changedTo("waits", "", " seconds between attempts"),
  healthPath: changedTo("checks", "", " on your server"),
  lists: breaks(
    () => "looks into other lists, or for other records now. Check how you look for a call without a response.",
  ),
  webhook: breaks(() => "looks for another event now. Check how you look for a call without a response."),
  repeat: breaks(
    (after, before) =>
      `has the advice ${text(after)} about repeating the call now (it was ${text(before)}). Check what your program does after a call without a response.`,
  ),
  certain: breaks(
    (after) => `is certain by ${list(after as string[]) || "no field"} now. Send a value of its own with each call.`,
  ),
};
