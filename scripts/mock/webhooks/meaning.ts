/** Says what the answer to an event means for a partner who tries out a receiver. */
import { acknowledged, type Outcome } from "./send.ts";

const meanings: readonly (readonly [statuses: RegExp, meaning: string])[] = [
  [/^200$/, "acknowledged"],
  [/^2/, "not acknowledged: only 200 does that"],
  [/^3/, "a redirect, which is not followed: give the final address with --to or --path"],
  [/^400$/, "refused the body"],
  [/^40[13]$/, "refused the token: give the one that the receiver expects with --token"],
  [/^404$/, "no such path: give --path, or the base path of the receiver with --to"],
  [/^405$/, "takes no POST on this path: give --path"],
  [/^413$/, "refused the body as too large"],
  [/^415$/, "refused the media type application/json"],
  [/^422$/, "refused the body"],
  [/^429$/, "has too much to do: the service would deliver it again"],
  [/^503$/, "cannot take it now: the service would deliver it again"],
  [/^5/, "failed: the service would deliver it again, see the log of the receiver"],
];

const advice: Readonly<Record<string, string>> = {
  "connection refused": "is the receiver running, and is the port of --to right?",
  "no such host": "check --to",
  "no TLS connection": "does the receiver want http:// in --to?",
  "the answer is no HTTP": "does the receiver want https:// in --to?",
};

/** Whether the receiver did what is expected of it. */
export function isAsExpected({ status }: Outcome, isUnauthorised: boolean): boolean {
  return isUnauthorised ? status === 401 || status === 403 : status === acknowledged;
}

/** The status, if there is one, and what it means. */
export function meaningOf({ status, problem }: Outcome, isUnauthorised: boolean): string {
  if (status === undefined) {
    const reason = problem ?? "no answer";
    return Object.hasOwn(advice, reason) ? `${reason}: ${advice[reason]}` : reason;
  }
  if (isUnauthorised && isAsExpected({ status }, true)) return `${status}, refused the wrong token, as it should`;
  if (isUnauthorised && status === acknowledged) return `${status}, accepted a wrong token: it should answer 401`;
  const [, meaning] = meanings.find(([statuses]) => statuses.test(String(status))) ?? [];
  return `${status}, ${meaning ?? "not acknowledged"}`;
}
