/** Rules for the facts of operations and webhooks, and of their parts; `deprecated` is also a fact of schemas. */
import type { Deprecation } from "./facts.ts";
import type { ServerAddress } from "./servers.ts";
import {
  additive,
  breaking,
  breakingRule,
  changeRule,
  codeList,
  editorial,
  inCode,
  type Rule,
  type Verdict,
} from "./verdicts.ts";

export const operationRules: Readonly<Record<string, Rule>> = {
  operationId: changeRule("is called", "Rename the function that you call."),
  name: changeRule("is called", "Rename the function that handles it."),
  method: breakingRule(
    (after, before) => `is called by ${upperCase(after)} now (it was ${upperCase(before)}). Change the call.`,
  ),
  path: breakingRule((after, before) => `is at ${inCode(after)} now (it was at ${inCode(before)}). Change the call.`),
  route: changeRule("is", "Change the route."),
  address: breakingRule(() => "is on the service's other address now. Change the base address of the call."),
  servers: judgeServers,
  security: (before, after, direction) => {
    const [oldValue, newValue] = [before as string[][], after as string[][]];
    if (direction === "request" && newValue.some((each) => each.length === 0))
      return additive("can be called without credentials now.");
    const alternativesText = (credentialSets: readonly string[][]): string =>
      credentialSets.map((each) => each.join(" and ") || "nothing").join(", or ");
    // Credentials still suffice if they contain everything that one of the new alternatives requires. An alternative without credentials
    // (here of a webhook) replaces only one without credentials, because a receiver that expects credentials refuses such a call.
    const suffices = (credentials: string[]): boolean =>
      newValue.some(
        (requirement) =>
          requirement.every((each) => credentials.includes(each)) &&
          (requirement.length > 0 || credentials.length === 0),
      );
    if (oldValue.every(suffices))
      return additive(`accepts other credentials as well, or needs fewer: ${alternativesText(newValue)}.`);
    return breaking(`needs other credentials: ${alternativesText(newValue)} (it was ${alternativesText(oldValue)}).`);
  },
  dedupeKey: changeRule("identifies an event by", "Empty your store of handled events."),
  partTypes: breakingRule(() => "accepts other media types of its parts. Check what you send."),
  deprecated: (before, after) => {
    const [oldValue, newValue] = [before, after] as [Deprecation | undefined, Deprecation | undefined];
    if (newValue === undefined) return editorial("is no longer deprecated.");
    if (oldValue === undefined) return additive(`is deprecated: ${newValue.description}`);
    if (newValue.until === oldValue.until) return additive(`is deprecated with other words: ${newValue.description}`);
    const lastDayBefore = oldValue.until === undefined ? "no last day was given" : `it was ${oldValue.until}`;
    if (newValue.until === undefined)
      return additive(`is deprecated without a last day now (${lastDayBefore}): ${newValue.description}`);
    if (oldValue.until !== undefined && newValue.until > oldValue.until)
      return additive(
        `is deprecated with a later last day, ${newValue.until} (${lastDayBefore}): ${newValue.description}`,
      );
    return breaking(
      `ends earlier than was said, on ${newValue.until} (${lastDayBefore}). Stop using it before: ${newValue.description}`,
    );
  },
};

function judgeServers(before: unknown, after: unknown): Verdict | undefined {
  // An operation's servers replace the servers of the document (OpenAPI 3.1, section 4.8.10).
  if (before === undefined || after === undefined) {
    const operationServers = after as ServerAddress[] | undefined;
    const place =
      operationServers === undefined
        ? "the addresses of the service"
        : codeList(operationServers.map(({ url }) => url));
    return breaking(`is at ${place} now. Change the base address of the call.`);
  }
  const [oldValue, newValue] = [before, after] as [ServerAddress[], ServerAddress[]];
  const removedServers = oldValue.filter(({ url }) => !newValue.some((each) => each.url === url));
  if (removedServers.length > 0) {
    const sentences = removedServers.map(({ name, url }) => {
      const renamedServer = newValue.find((each) => each.name === name);
      return renamedServer === undefined
        ? `no longer has the address ${inCode(url)} (${name})`
        : `has the address ${inCode(renamedServer.url)} for ${name} now (it was ${inCode(url)})`;
    });
    return breaking(`${sentences.join(", ")}. Change the base address of your calls.`);
  }
  const addedServers = newValue.filter(({ url }) => !oldValue.some((each) => each.url === url));
  if (addedServers.length > 0)
    return additive(`has the address ${addedServers.map(({ url }) => inCode(url)).join(", ")} as well.`);
  return editorial("has other names of its servers.");
}

const upperCase = (value: unknown): string => String(value).toUpperCase();
