import type { Direction, Element, Kind } from "./element.ts";
import { type Deprecation, limits, type ValueSet } from "./facts.ts";
import { goesWithType } from "./forms.ts";
import { acceptsAll } from "./patterns.ts";
import type { ServerAddress } from "./servers.ts";

export type Severity = "breaking" | "additive" | "editorial";

export interface Verdict {
  readonly severity: Severity;
  /** The change, then the consequence for partners. Continues a sentence that starts with the element: "is now required." */
  readonly sentence: string;
}

const breaking = (sentence: string): Verdict => ({ severity: "breaking", sentence });
const additive = (sentence: string): Verdict => ({ severity: "additive", sentence });
const editorial = (sentence: string): Verdict => ({ severity: "editorial", sentence });

export function judgeAdded({ kind, direction, required }: Element): Verdict {
  const isSent = direction === "request";
  const needed = breaking("is new and required. Send it with every call: calls without it are refused.");
  const part =
    isSent && required
      ? needed
      : additive(isSent ? "is new and optional." : "is new. Ignore it if you do not need it.");
  const rules: Record<Kind, Verdict> = {
    service: additive("is new."),
    operation: additive("is new."),
    webhook: additive("is new. Until your receiver handles it, acknowledge it and ignore its body."),
    code: additive("can now be returned. Handle it, or rely on the advice that comes with the error."),
    parameter: part,
    body: part,
    media: isSent ? additive("is accepted as well.") : breaking("is new. Check that your program can read it."),
    response: isSent ? additive("is accepted as well.") : additive("is new."),
    header: additive("is new."),
    field: part,
    alternative: isSent
      ? additive("is accepted as well.")
      : breaking("is new: a value of another form can arrive. Check that your program can read it."),
    condition: breaking("is new: calls that do not fulfil it are refused now."),
    effect: breaking("is new: the call changes more than before. Check what your program expects afterwards."),
    trigger: additive("is new. Check that your receiver does not handle the same result twice."),
    step: additive("is new. Check what your program does after the first of the two states."),
    lookup: additive("is documented now. It tells whether a call without a response was carried out."),
    "external event": additive("is new. Check what your program does afterwards."),
  };
  return rules[kind];
}

export function judgeRemoved({ kind, direction }: Element): Verdict {
  const isSent = direction === "request";
  if (kind === "condition") return additive("is gone: fewer calls are refused.");
  if (kind === "alternative" && !isSent) return additive("is gone: values of this form no longer arrive.");
  const rules: Record<Exclude<Kind, "condition">, string> = {
    service: "is gone. Do without it.",
    operation: "is removed. Stop calling it: calls fail.",
    webhook: "is no longer sent. Find out in another way what it reported.",
    code: "is no longer returned. Remove what depends on it: your program waits for it in vain.",
    parameter: "is removed. Stop sending it: it has no effect, or is refused.",
    body: "is removed.",
    media: isSent ? "is no longer accepted. Send another media type." : "is no longer sent. Read another media type.",
    // A response with the direction `request` is the partner's response to a webhook.
    response: isSent
      ? "is no longer accepted. Answer with another status."
      : "is no longer documented. Expect another status.",
    header: "is removed. Stop relying on it.",
    field: isSent
      ? "is removed. Stop sending it: it has no effect, or is refused."
      : "is removed. Stop reading it: its value is missing.",
    alternative: "is no longer accepted. Send another form.",
    effect: "is gone: the call no longer changes this. Check what your program expects afterwards.",
    trigger: "is gone: the event no longer follows the call. Find out in another way.",
    step: "is gone. A program that waits for the second state waits in vain.",
    lookup: "is gone. After a call without a response, ask the service whether it was carried out.",
    "external event": "is gone. A program that waits for it waits in vain.",
  };
  return breaking(rules[kind]);
}

/** Judges that a value gets alternatives (`isNew`), or that it loses all its alternatives. */
export function judgeChoice(isNew: boolean, { direction }: Element): Verdict {
  return judgeRange(
    isNew,
    direction,
    isNew ? "is one of the forms that a value has to have now" : "is no longer asked for",
  );
}

export function judgeChanged(before: Element, after: Element): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  const keep = (fact: string, verdict: Verdict | undefined) => verdict && verdicts.set(fact, verdict);
  keep("required", judgeRequired(before, after));
  // Reported only for the whole operation, since all parts belong to the same editions.
  if (before.parent === "") keep("editions", judgeEditions(before, after));
  const names = new Set([...Object.keys(before.facts), ...Object.keys(after.facts)]);
  for (const name of names) {
    const [old, now] = [before.facts[name], after.facts[name]];
    if (isSame(old, now) || goesWithType(name, before, after)) continue;
    const own = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const rule = own ?? (Object.hasOwn(limits, name) ? limitRule(name) : otherRule(name));
    keep(name, rule(old, now, after.direction));
  }
  if (before.provenance !== after.provenance) {
    keep("provenance", editorial(`is now ${words[after.provenance]} (it was ${words[before.provenance]}).`));
  }
  if (!isSame(before.texts, after.texts))
    keep("texts", editorial("has other texts or examples, or values with other marks."));
  return verdicts;
}

/** Judges that a field is there from now on, or no longer is, because it can be read or sent only. */
export function judgePresence(before: Element, after: Element): Map<string, Verdict> {
  const { direction, required } = after;
  const fact = direction === "request" ? "readOnly" : "writeOnly";
  const [old, now] = [before.facts[fact], after.facts[fact]];
  const isNeeded = direction === "request" && required && now !== true;
  const verdict = isNeeded
    ? breaking("can be sent now, and is required. Send it with every call: calls without it are refused.")
    : rules[fact]?.(old, now, direction);
  return new Map(verdict === undefined || isSame(old, now) ? [] : [[fact, verdict]]);
}

const words = {
  specification: "stated by the service",
  reference: "taken from the public reference",
  observed: "observed",
  proposed: "proposed",
} as const;

function judgeRequired({ required: was }: Element, { required: is, direction }: Element): Verdict | undefined {
  if (was === is) return undefined;
  if (direction === "request") {
    if (!is) return additive("is no longer required.");
    return breaking("is now required. Send it with every call: calls without it are refused.");
  }
  if (is) return additive("is now always present.");
  return breaking("can now be missing. Check for it before you read it.");
}

function judgeEditions({ editions: before }: Element, { editions: after }: Element): Verdict | undefined {
  if (before.length === after.length) return undefined;
  if (after.includes("latest")) return additive("is now in the edition latest.");
  return breaking("has left the edition latest: it is only proposed. Make your client with edition test to call it.");
}

type Rule = (before: unknown, after: unknown, direction: Direction) => Verdict | undefined;

const breaks =
  (say: (after: unknown, before: unknown) => string): Rule =>
  (before, after) =>
    breaking(say(after, before));

/** Says the new and the old value of a fact: "starts from `a` now (it was `b`)." */
const changedTo = (verb: string, remedy = "", unit = ""): Rule =>
  breaks((after, before) => `${verb} ${text(after)}${unit} now (it was ${text(before)}).${remedy && ` ${remedy}`}`);

/** Fewer values break requests; more values break programs that read responses. */
function judgeRange(tighter: boolean, direction: Direction, what: string): Verdict {
  if (tighter) {
    if (direction === "response") return additive(`${what}.`);
    return breaking(`${what}. Values that were accepted are refused: check what you send.`);
  }
  if (direction === "request") return additive(`${what}.`);
  return breaking(`${what}. Values arrive that were excluded: check what you read.`);
}

const rules: Record<string, Rule> = {
  operationId: changedTo("is called", "Rename the function that you call."),
  name: changedTo("is called", "Rename the function that handles it."),
  method: breaks((after, before) => `is called by ${upper(after)} now (it was ${upper(before)}). Change the call.`),
  path: breaks((after, before) => `is at ${code(after)} now (it was at ${code(before)}). Change the call.`),
  route: changedTo("is", "Change the route."),
  address: breaks(() => "is on the service's other address now. Change the base address of the call."),
  security: (before, after, direction) => {
    const [old, now] = [before as string[][], after as string[][]];
    if (direction === "request" && now.some((each) => each.length === 0))
      return additive("can be called without credentials now.");
    const either = (all: readonly string[][]): string =>
      all.map((each) => each.join(" and ") || "nothing").join(", or ");
    // Credentials still suffice if one of the new alternatives needs nothing that they do not have.
    const suffices = (credentials: string[]): boolean =>
      now.some(
        (needed) =>
          needed.every((each) => credentials.includes(each)) && (needed.length > 0 || credentials.length === 0),
      );
    if (old.every(suffices)) return additive(`accepts other credentials as well, or needs fewer: ${either(now)}.`);
    return breaking(`needs other credentials: ${either(now)} (it was ${either(old)}).`);
  },
  servers: judgeServers,
  discriminator: (before, after) => {
    const [old, now] = [mappingOf(before), mappingOf(after)];
    const [wasBy, isBy] = [before, after].map((each) => (each as { propertyName?: string } | undefined)?.propertyName);
    if (wasBy !== undefined && isBy !== undefined && wasBy !== isBy)
      return breaking(`tells its forms apart by ${code(isBy)} now (it was ${code(wasBy)}). Generate your types anew.`);
    const moved = Object.keys(old).filter((value) => now[value] !== undefined && now[value] !== old[value]);
    if (moved.length === 0) return undefined;
    return breaking(`reads ${list(moved)} as another schema now. Generate your types anew, and check what reads them.`);
  },
  retry: breaks(
    (after, before) =>
      `has the advice ${text(after)} about repeating a call now (it was ${text(before)}), which decides whether the client repeats by itself. Check what your program does.`,
  ),
  actor: (before, after) => additive(`asks ${text(after)} to act now (it was ${text(before)}).`),
  resolvedBy: (_, after) => additive(`is resolved by ${list(after as string[] | undefined) || "no operation"} now.`),
  requiredNames: (before, after, direction) => {
    const [old, now] = [before, after] as [string[], string[]];
    const isTighter = now.some((name) => !old.includes(name));
    return judgeRange(isTighter, direction, `requires ${list(now) || "no other field"} now`);
  },
  requiredOneOf: (before, after, direction) => {
    const [old, now] = [before ?? [[]], after ?? [[]]] as [string[][], string[][]];
    const areWithin = (sets: string[][], others: string[][]): boolean =>
      sets.every((set) => others.some((other) => other.every((name) => set.includes(name))));
    const isTighter = direction === "request" ? !areWithin(old, now) : areWithin(now, old);
    const words = now.map((names) => names.map(code).join(" and ") || "nothing").join(", or ");
    return judgeRange(isTighter, direction, `needs ${words} now`);
  },
  default: (before, after, direction) => {
    if (before === undefined) return editorial(`has its default ${text(after)} documented now.`);
    const remedy =
      direction === "request" ? "Send the value that you mean" : "Check what you take for it when it is missing";
    return breaking(`has the default ${text(after)} now (it was ${text(before)}). ${remedy}.`);
  },
  of: changedTo("is about", "Check which calls are refused."),
  from: changedTo("starts from"),
  to: changedTo("leads to", "Check what you wait for."),
  later: breaks((after) => `comes ${after ? "after" : "with"} the response now. Check what you read next.`),
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
  creates: changedTo("creates"),
  moves: changedTo("moves"),
  state: changedTo("is about"),
  after: (before, after) => {
    const [old, now] = [before as string[], after as string[]];
    const lost = old.filter((value) => !now.includes(value));
    if (lost.length > 0) return breaking(`is no longer sent after ${list(lost)}. Find out in another way.`);
    return additive(`is sent after ${list(now.filter((value) => !old.includes(value)))} as well.`);
  },
  status: breaks(
    (after, before) => `comes with HTTP ${after} now (it was ${before}). Change what depends on the status.`,
  ),
  dedupeKey: changedTo("identifies an event by", "Empty your store of handled events."),
  partTypes: breaks(() => "accepts other media types of its parts. Check what you send."),
  deprecated: (before, after) => {
    const [old, now] = [before, after] as [Deprecation | undefined, Deprecation | undefined];
    if (now === undefined) return editorial("is no longer deprecated.");
    if (old === undefined) return additive(`is deprecated: ${now.says}`);
    if (now.until === old.until) return additive(`is deprecated with other words: ${now.says}`);
    const was = old.until === undefined ? "no last day was given" : `it was ${old.until}`;
    if (now.until === undefined) return additive(`is deprecated without a last day now (${was}): ${now.says}`);
    if (old.until !== undefined && now.until > old.until)
      return additive(`is deprecated with a later last day, ${now.until} (${was}): ${now.says}`);
    return breaking(`ends earlier than was said, on ${now.until} (${was}). Stop using it before: ${now.says}`);
  },
  // A request has no fields that can only be read, and a response none that can only be sent.
  readOnly: (_, after, direction) => {
    if (direction === "response") return undefined;
    return after ? breaking("can only be read now. Stop sending it.") : additive("can be sent now.");
  },
  writeOnly: (_, after, direction) => {
    if (direction === "request") return undefined;
    return after ? breaking("is only sent now. Stop reading it: its value is missing.") : additive("is returned now.");
  },
  pattern: (before, after, direction) => {
    if (typeof before !== "string" || typeof after !== "string") return otherRule("pattern")(before, after, direction);
    const [isWider, isNarrower] = [acceptsAll(before, after), acceptsAll(after, before)];
    const what = `has the pattern ${text(after)} now (it was ${text(before)})`;
    if (isWider && isNarrower) return editorial(`${what}, which accepts the same.`);
    if (isWider || isNarrower) return judgeRange(isNarrower === true, direction, what);
    return breaking(`${what}. Check what you send and read.`);
  },
  isOpen: (_, after) =>
    after
      ? breaking("can carry any P-code now. Handle codes that are not listed.")
      : additive("has a complete list of codes now."),
  "x-sensitive": (_, after) =>
    after
      ? additive("is marked as sensitive now: the client keeps it out of logs.")
      : breaking("is no longer marked as sensitive: the client no longer keeps it out of logs. Redact it yourself."),
  type: (before, after, direction) => {
    const [old, now] = [before ?? anyType, after ?? anyType] as [string[], string[]];
    const wordsOf = (types: string[]): string => (types === anyType ? "any" : types.join(" or "));
    const what = `is of type ${wordsOf(now)} now (it was ${wordsOf(old)})`;
    const isTighter = !old.every((type) => fits(type, now));
    if (isTighter && !now.every((type) => fits(type, old))) return breaking(`${what}. Change your program.`);
    return judgeRange(isTighter, direction, what);
  },
  values: (before, after, direction) =>
    judgeValues(before as ValueSet | undefined, after as ValueSet | undefined, direction),
  additionalProperties: (_, after, direction) =>
    judgeRange(after === false, direction, after === false ? "takes no other fields now" : "can have other fields now"),
};

function judgeValues(before: ValueSet | undefined, after: ValueSet | undefined, direction: Direction): Verdict {
  if (before === undefined || after === undefined) {
    const { open, values } = (before ?? after) as ValueSet;
    const what = before === undefined ? `has the values ${list(values)} now` : "no longer lists its values";
    return open ? additive(`${what}.`) : judgeRange(before === undefined, direction, what);
  }
  const lost = before.values.filter((value) => !after.values.includes(value));
  const gained = after.values.filter((value) => !before.values.includes(value));
  if (before.open && !after.open)
    return breaking(`has only the values ${list(after.values)} now; any other one was allowed.`);
  if (lost.length > 0) {
    const what = `no longer has the value ${list(lost)}${gained.length > 0 ? `, and can be ${list(gained)}` : ""}`;
    if (direction === "response" && !before.open && gained.length === 0) return additive(`${what}.`);
    const remedy =
      direction === "request"
        ? "What is gone is refused: send another value"
        : "Code that waits for what is gone waits in vain";
    return breaking(`${what}. ${remedy}.`);
  }
  if (!before.open && after.open) return judgeRange(false, direction, "can have values that are not listed now");
  return after.open
    ? additive(`can be ${list(gained)} as well.`)
    : judgeRange(false, direction, `can be ${list(gained)} as well`);
}

function judgeServers(before: unknown, after: unknown): Verdict | undefined {
  // An operation's servers replace the servers of the document (OpenAPI 3.1, section 4.8.10).
  if (before === undefined || after === undefined) {
    const own = after as ServerAddress[] | undefined;
    const where = own === undefined ? "the addresses of the service" : list(own.map(({ url }) => url));
    return breaking(`is at ${where} now. Change the base address of the call.`);
  }
  const [old, now] = [before, after] as [ServerAddress[], ServerAddress[]];
  const gone = old.filter(({ url }) => !now.some((each) => each.url === url));
  if (gone.length > 0) {
    const sentences = gone.map(({ name, url }) => {
      const other = now.find((each) => each.name === name);
      return other === undefined
        ? `no longer has the address ${code(url)} (${name})`
        : `has the address ${code(other.url)} for ${name} now (it was ${code(url)})`;
    });
    return breaking(`${sentences.join(", ")}. Change the base address of your calls.`);
  }
  const added = now.filter(({ url }) => !old.some((each) => each.url === url));
  if (added.length > 0) return additive(`has the address ${added.map(({ url }) => code(url)).join(", ")} as well.`);
  return editorial("has other names of its servers.");
}

const mappingOf = (value: unknown): Record<string, string> =>
  (value as { mapping?: Record<string, string> } | undefined)?.mapping ?? {};

const limitRule =
  (name: string): Rule =>
  (before, after, direction) => {
    const sign = limits[name] as number;
    const [old, now] = [before ?? -sign * Infinity, after ?? -sign * Infinity].map(Number) as [number, number];
    const what =
      after === undefined
        ? `no longer has the ${name} ${before}`
        : `has ${name} ${after} now${before === undefined ? "" : ` (it was ${before})`}`;
    return judgeRange(Math.sign(now - old) === sign, direction, what);
  };

/** For facts that are neither in {@link rules} nor in {@link limits}. An added fact permits fewer values, and a removed fact more. */
const otherRule =
  (name: string): Rule =>
  (before, after, direction) => {
    // A key that has no rule, since nobody but its reader knows what it means.
    if (name.startsWith("x-")) return editorial(`has another ${name}: ${text(after)} (it was ${text(before)}).`);
    if (before === undefined) return judgeRange(true, direction, `has the ${name} ${text(after)} now`);
    if (after === undefined) return judgeRange(false, direction, `no longer has the ${name} ${text(before)}`);
    return breaking(`has the ${name} ${text(after)} now (it was ${text(before)}). Check what you send and read.`);
  };

const anyType = ["array", "boolean", "null", "number", "object", "string"];
const fits = (type: string, types: string[]): boolean =>
  types.includes(type) || (type === "integer" && types.includes("number"));
const code = (value: unknown): string => `\`${value}\``;
const upper = (value: unknown): string => String(value).toUpperCase();
const text = (value: unknown): string =>
  value === undefined ? "nothing" : code(typeof value === "string" ? value : JSON.stringify(value).slice(0, 200));
const list = (values: readonly string[] = []): string => values.map(code).join(", ");
const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
