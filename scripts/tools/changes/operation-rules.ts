/** Rules for the facts of operations and webhooks, and of their parts; `deprecated` is also a fact of schemas. */
import type { Deprecation } from "./facts.ts";
import type { ServerAddress } from "./servers.ts";
import { additive, breaking, breaks, changedTo, code, editorial, list, type Rule, type Verdict } from "./verdicts.ts";

export const operationRules: Readonly<Record<string, Rule>> = {
  operationId: changedTo("is called", "Rename the function that you call."),
  name: changedTo("is called", "Rename the function that handles it."),
  method: breaks((after, before) => `is called by ${upper(after)} now (it was ${upper(before)}). Change the call.`),
  path: breaks((after, before) => `is at ${code(after)} now (it was at ${code(before)}). Change the call.`),
  route: changedTo("is", "Change the route."),
  address: breaks(() => "is on the service's other address now. Change the base address of the call."),
  servers: judgeServers,
  security: (before, after, direction) => {
    const [old, now] = [before as string[][], after as string[][]];
    if (direction === "request" && now.some((each) => each.length === 0))
      return additive("can be called without credentials now.");
    const either = (all: readonly string[][]): string =>
      all.map((each) => each.join(" and ") || "nothing").join(", or ");
    // Credentials still suffice if they contain everything that one of the new alternatives requires.
    const suffices = (credentials: string[]): boolean =>
      now.some(
        (needed) =>
          needed.every((each) => credentials.includes(each)) && (needed.length > 0 || credentials.length === 0),
      );
    if (old.every(suffices)) return additive(`accepts other credentials as well, or needs fewer: ${either(now)}.`);
    return breaking(`needs other credentials: ${either(now)} (it was ${either(old)}).`);
  },
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
};

function judgeServers(before: unknown, after: unknown): Verdict | undefined {
  // An operation's servers replace the servers of the document (OpenAPI 3.1, section 4.8.10).
  if (before === undefined || after === undefined) {
    const operationServers = after as ServerAddress[] | undefined;
    const where =
      operationServers === undefined ? "the addresses of the service" : list(operationServers.map(({ url }) => url));
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

const upper = (value: unknown): string => String(value).toUpperCase();
