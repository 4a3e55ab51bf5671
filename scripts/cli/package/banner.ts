import type { RunningMock } from "../../mock/host/index.ts";
import type { Edition, Plan } from "../../mock/plan/index.ts";
import { controlPath } from "../../mock/request/index.ts";
import { exampleCurl } from "../../mock/server/index.ts";

export interface BannerFacts extends Pick<RunningMock, "url" | "depositUrl"> {
  readonly plan: Plan;
  readonly edition: Edition;
  readonly isStateless: boolean;
  /** The number of accepted API keys; undefined when every key is accepted. */
  readonly keyCount: number | undefined;
  readonly webhookOrigin: string | undefined;
  readonly seconds: number;
}

export function bannerOf(facts: BannerFacts): string {
  const { plan, edition, url, depositUrl, isStateless, keyCount, webhookOrigin, seconds } = facts;
  const rows = [
    `  main address     ${url}`,
    `  deposit address  ${depositUrl}`,
    ...(isStateless ? [] : [`  control          ${url}${controlPath}/`]),
    ...(webhookOrigin === undefined ? [] : [`  webhooks to      ${webhookOrigin}`]),
  ];
  const keysText =
    keyCount === undefined ? "Any key is accepted" : `Accepted keys: ${keyCount}; replace KEY by one of them`;
  return [
    `Mock of the edition ${edition}${isStateless ? ", without state" : ""}, ready in ${seconds.toFixed(2)} s`,
    ...rows,
    `Try: ${exampleCurl(plan, url, { edition, acceptsAnyKey: keyCount === undefined })}`,
    `${keysText}${isStateless ? "" : "; each has separate users and records"}. Choose a response with the header Prefer: code=…, example=… Stop with Ctrl+C.`,
  ].join("\n");
}

export function bannerAsJson({ edition, url, depositUrl, isStateless, seconds }: BannerFacts): string {
  const control = isStateless ? null : `${url}${controlPath}/`;
  return JSON.stringify({ ready: true, edition, url, depositUrl, control, seconds: Number(seconds.toFixed(3)) });
}
