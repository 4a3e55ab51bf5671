/** The rules for single facts and keywords are in the files `…-rules.ts`. */
import { codeRules } from "./code-rules.ts";
import type { Element, FactValues, Kind } from "./element.ts";
import { followsFromType } from "./forms.ts";
import { ruleOfKeyword } from "./keyword-rules.ts";
import { lifecycleRules } from "./lifecycle-rules.ts";
import { operationRules } from "./operation-rules.ts";
import { schemaRules } from "./schema-rules.ts";
import { additive, breaking, editorial, judgeRange, type Rules, type Verdict } from "./verdicts.ts";

export function judgeAdded({ kind, direction, required }: Element): Verdict {
  const isSentByPartner = direction === "request";
  const requiredVerdict = breaking("is new and required. Send it with every call: calls without it are refused.");
  const partVerdict =
    isSentByPartner && required
      ? requiredVerdict
      : additive(isSentByPartner ? "is new and optional." : "is new. Ignore it if you do not need it.");
  const rules: Record<Kind, Verdict> = {
    service: additive("is new."),
    operation: additive("is new."),
    webhook: additive("is new. Until your receiver handles it, acknowledge it and ignore its body."),
    code: additive("can now be returned. Handle it, or rely on the advice that comes with the error."),
    parameter: partVerdict,
    body: partVerdict,
    media: isSentByPartner
      ? additive("is accepted as well.")
      : breaking("is new. Check that your program can read it."),
    response: isSentByPartner ? additive("is accepted as well.") : additive("is new."),
    header: additive("is new."),
    path: additive("is new."),
    field: partVerdict,
    alternative: isSentByPartner
      ? additive("is accepted as well.")
      : breaking("is new: a value of another form can arrive. Check that your program can read it."),
    condition: breaking("is new: calls that do not fulfil it are refused now."),
    effect: breaking("is new: the call changes more than before. Check what your program expects afterwards."),
    trigger: additive("is new. Check that your receiver does not handle the same result twice."),
    step: additive("is new. Check what your program does after the first of the two states."),
    lookup: additive("is documented now. It tells whether a call without a response was carried out."),
    "external event": additive("is new. Check what your program does afterwards."),
    resource: additive("is new."),
    lifecycle: additive("is new."),
    delivery: additive("is new."),
  };
  return rules[kind];
}

export function judgeRemoved({ kind, direction }: Element): Verdict {
  const isSentByPartner = direction === "request";
  if (kind === "condition") return additive("is gone: fewer calls are refused.");
  if (kind === "alternative" && !isSentByPartner) return additive("is gone: values of this form no longer arrive.");
  const rules: Record<Exclude<Kind, "condition">, string> = {
    service: "is gone. Do without it.",
    operation: "is removed. Stop calling it: calls fail.",
    webhook: "is no longer sent. Find out in another way what it reported.",
    code: "is no longer returned. Remove what depends on it: your program waits for it in vain.",
    parameter: "is removed. Stop sending it: it has no effect, or is refused.",
    body: "is removed.",
    media: isSentByPartner
      ? "is no longer accepted. Send another media type."
      : "is no longer sent. Read another media type.",
    // A response with the direction `request` is the partner's response to a webhook.
    response: isSentByPartner
      ? "is no longer accepted. Answer with another status."
      : "is no longer documented. Expect another status.",
    header: "is removed. Stop relying on it.",
    path: "is removed. Stop relying on it.",
    field: isSentByPartner
      ? "is removed. Stop sending it: it has no effect, or is refused."
      : "is removed. Stop reading it: its value is missing.",
    alternative: "is no longer accepted. Send another form.",
    effect: "is gone: the call no longer changes this. Check what your program expects afterwards.",
    trigger: "is gone: the event no longer follows the call. Find out in another way.",
    step: "is gone. A program that waits for the second state waits in vain.",
    lookup: "is gone. After a call without a response, ask the service whether it was carried out.",
    "external event": "is gone. A program that waits for it waits in vain.",
    resource: "is gone. Do without it.",
    lifecycle: "is gone. Do without it.",
    delivery: "is gone. Do without it.",
  };
  return breaking(rules[kind]);
}

/** With `isNew`, the value had no alternatives before; otherwise, it has none afterwards. */
export function judgeChoice(isNew: boolean, { direction }: Element): Verdict {
  return judgeRange(
    isNew,
    direction,
    isNew ? "is one of the forms that a value has to have now" : "is no longer asked for",
  );
}

export function judgeChanged(before: Element, after: Element): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  const addVerdict = (fact: string, verdict: Verdict | undefined) => verdict && verdicts.set(fact, verdict);
  addVerdict("required", judgeRequired(before, after));
  // The editions of all other elements follow from those of operations.
  if (before.kind === "operation") addVerdict("editions", judgeEditions(before, after));
  for (const name of Object.keys({ ...before.facts, ...after.facts }) as (keyof FactValues)[])
    if (!followsFromType(name, before, after)) addVerdict(name, judgeFact(name, before, after));
  for (const keyword of Object.keys({ ...before.keywords, ...after.keywords }))
    if (!followsFromType(keyword, before, after) && !followsFromContains(keyword, before, after))
      addVerdict(keyword, judgeKeyword(keyword, before, after));
  if (before.provenance !== after.provenance) {
    addVerdict(
      "provenance",
      editorial(`is now ${provenanceWords[after.provenance]} (it was ${provenanceWords[before.provenance]}).`),
    );
  }
  if (!isSame(before.texts, after.texts))
    addVerdict("texts", editorial("has other texts or examples, or values with other marks."));
  return verdicts;
}

/** Judges a field that appears or disappears, because `readOnly` or `writeOnly` changes. */
export function judgePresence(before: Element, after: Element): Map<string, Verdict> {
  const { direction, required } = after;
  const keyword = direction === "request" ? "readOnly" : "writeOnly";
  const isNeeded = direction === "request" && required && after.keywords[keyword] !== true;
  const verdict = judgeKeyword(keyword, before, after);
  if (verdict === undefined) return new Map();
  const neededVerdict = breaking(
    "can be sent now, and is required. Send it with every call: calls without it are refused.",
  );
  return new Map([[keyword, isNeeded ? neededVerdict : verdict]]);
}

const provenanceWords = {
  specification: "stated by the service",
  reference: "taken from the public reference",
  observed: "observed",
  proposed: "proposed",
} as const;

function judgeRequired(
  { required: wasRequired }: Element,
  { required: isRequired, direction }: Element,
): Verdict | undefined {
  if (wasRequired === isRequired) return undefined;
  if (direction === "request") {
    if (!isRequired) return additive("is no longer required.");
    return breaking("is now required. Send it with every call: calls without it are refused.");
  }
  if (isRequired) return additive("is now always present.");
  return breaking("can now be missing. Check for it before you read it.");
}

function judgeEditions({ editions: before }: Element, { editions: after }: Element): Verdict | undefined {
  if (before.length === after.length) return undefined;
  if (after.includes("latest")) return additive("is now in the edition latest.");
  return breaking("has left the edition latest: it is only proposed. Make your client with edition test to call it.");
}

const factRules: Rules = { ...operationRules, ...codeRules, ...schemaRules, ...lifecycleRules };

function judgeFact<Name extends keyof FactValues>(name: Name, before: Element, after: Element): Verdict | undefined {
  const oldValue: FactValues[Name] | undefined = before.facts[name];
  const newValue: FactValues[Name] | undefined = after.facts[name];
  return isSame(oldValue, newValue) ? undefined : factRules[name](oldValue, newValue, after.direction);
}

function judgeKeyword(keyword: string, before: Element, after: Element): Verdict | undefined {
  const [oldValue, newValue] = [before.keywords[keyword], after.keywords[keyword]];
  return isSame(oldValue, newValue) ? undefined : ruleOfKeyword(keyword)(oldValue, newValue, after.direction);
}

/** Whether a keyword has no effect in one of two versions, because it has no `contains`. Then only the change of `contains` is reported. */
const followsFromContains = (keyword: string, before: Element, after: Element): boolean =>
  ["minContains", "maxContains"].includes(keyword) && "contains" in before.keywords !== "contains" in after.keywords;

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  // Most values are short lists of texts, which are compared much faster than their JSON texts are made.
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  return JSON.stringify(a) === JSON.stringify(b);
}
