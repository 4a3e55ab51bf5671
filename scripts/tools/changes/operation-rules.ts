import type { ServerAddress } from "./servers.ts";
import {
  additive,
  breaking,
  breakingRule,
  changeRule,
  codeList,
  editorial,
  inCode,
  type Rules,
  type Verdict,
} from "./verdicts.ts";

export const operationRules = {
  operationId: changeRule("is called", "Rename the function that you call."),
  name: changeRule("is called", "Rename the function that handles it."),
  method: breakingRule(
    (after, before) => `is called by ${upperCase(after)} now (it was ${upperCase(before)}). Change the call.`,
  ),
  path: breakingRule((after, before) => `is at ${inCode(after)} now (it was at ${inCode(before)}). Change the call.`),
  route: changeRule("is", "Change the route."),
  address: breakingRule(() => "is on the service's other address now. Change the base address of the call."),
  servers: judgeServers,
  security: (before = [], after = [], direction) => {
    if (direction === "request" && after.some((requirement) => requirement.length === 0))
      return additive("can be called without credentials now.");
    const alternativesText = (credentialSets: typeof after): string =>
      credentialSets.map((credentials) => credentials.join(" and ") || "nothing").join(", or ");
    // The old credentials still suffice if they include everything that one of the new alternatives requires. Exception for webhooks: an
    // alternative without credentials suffices only if there were none before, because a receiver that checks credentials refuses a call
    // without them.
    const suffices = (credentials: readonly string[]): boolean =>
      after.some(
        (requirement) =>
          requirement.every((credential) => credentials.includes(credential)) &&
          (requirement.length > 0 || credentials.length === 0),
      );
    if (before.every(suffices))
      return additive(`accepts other credentials as well, or needs fewer: ${alternativesText(after)}.`);
    return breaking(`needs other credentials: ${alternativesText(after)} (it was ${alternativesText(before)}).`);
  },
  dedupeKey: changeRule("identifies an event by", "Empty your store of handled events."),
  partTypes: breakingRule(() => "accepts other media types of its parts. Check what you send."),
  deprecated: (before, after) => {
    if (after === undefined) return editorial("is no longer deprecated.");
    if (before === undefined) return additive(`is deprecated: ${after.description}`);
    if (after.until === before.until) return additive(`is deprecated with other words: ${after.description}`);
    const lastDayBefore = before.until === undefined ? "no last day was given" : `it was ${before.until}`;
    if (after.until === undefined)
      return additive(`is deprecated without a last day now (${lastDayBefore}): ${after.description}`);
    if (before.until !== undefined && after.until > before.until)
      return additive(`is deprecated with a later last day, ${after.until} (${lastDayBefore}): ${after.description}`);
    return breaking(
      `ends earlier than was said, on ${after.until} (${lastDayBefore}). Stop using it before: ${after.description}`,
    );
  },
} satisfies Partial<Rules>;

type Servers = readonly ServerAddress[];

function judgeServers(before: Servers | undefined, after: Servers | undefined): Verdict {
  // An operation's servers replace the servers of the document (OpenAPI 3.1, section 4.8.10).
  if (before === undefined || after === undefined) {
    const place = after === undefined ? "the addresses of the service" : codeList(after.map(({ url }) => url));
    return breaking(`is at ${place} now. Change the base address of the call.`);
  }
  const removedServers = before.filter(({ url }) => !after.some((candidate) => candidate.url === url));
  if (removedServers.length > 0) {
    const sentences = removedServers.map(({ name, url }) => {
      const renamedServer = after.find((candidate) => candidate.name === name);
      return renamedServer === undefined
        ? `no longer has the address ${inCode(url)} (${name})`
        : `has the address ${inCode(renamedServer.url)} for ${name} now (it was ${inCode(url)})`;
    });
    return breaking(`${sentences.join(", ")}. Change the base address of your calls.`);
  }
  const addedServers = after.filter(({ url }) => !before.some((candidate) => candidate.url === url));
  if (addedServers.length > 0)
    return additive(`has the address ${addedServers.map(({ url }) => inCode(url)).join(", ")} as well.`);
  return editorial("has other names of its servers.");
}

const upperCase = (value: unknown): string => String(value).toUpperCase();
