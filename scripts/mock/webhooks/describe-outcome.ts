import { acknowledgedStatus, type Outcome } from "./send.ts";

const meanings: readonly (readonly [statuses: RegExp, meaning: string])[] = [
  [/^200$/, "acknowledged"],
  [/^2/, "not acknowledged: only 200 does that"],
  [/^3/, "a redirect, which is not followed: give the final address"],
  [/^4(00|22)$/, "refused the body"],
  [/^40[13]$/, "refused the token: give the one that the receiver expects with --token"],
  [/^404$/, "no such path: give --path, or the base path of the receiver"],
  [/^405$/, "takes no POST on this path: give --path"],
  [/^(429|503)$/, "cannot take it now: the service would deliver it again"],
  [/^5/, "failed: the service would deliver it again, see the log of the receiver"],
];

const advice: Readonly<Record<string, string>> = {
  "connection refused": "is the receiver running, and is its port right?",
  "no TLS connection": "does the receiver want http://?",
  "the response is no HTTP": "does the receiver want https://?",
};

export function isExpectedStatus({ status }: Outcome, isUnauthorised: boolean): boolean {
  return isUnauthorised ? status === 401 || status === 403 : status === acknowledgedStatus;
}

/** @param isUnauthorised whether a wrong token was sent on purpose. */
export function describeOutcome({ status, problem = "no response" }: Outcome, isUnauthorised = false): string {
  if (status === undefined) return [problem, advice[problem] ?? []].flat().join(": ");
  if (isUnauthorised && isExpectedStatus({ status }, true)) return `${status}, refused the wrong token, as it should`;
  if (isUnauthorised && status === acknowledgedStatus) return `${status}, accepted a wrong token: it should answer 401`;
  const [, meaning = "not acknowledged"] = meanings.find(([statuses]) => statuses.test(String(status))) ?? [];
  return `${status}, ${meaning}`;
}
