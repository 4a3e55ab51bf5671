/** The response is shown with its values unchanged, JSON with line breaks and indentation. */
import { readChunks } from "../../../../client/src/reading/index.ts";
import { mockCommandLine } from "../../../samples/addresses.ts";
import type { PageCall } from "../../../samples/page-call.ts";
import { createElement } from "../dom.ts";
import { layOutJson } from "./json-layout.ts";

const timeoutMs = 30_000;
const maxBytes = 5_000_000;
const maxShownCharacters = 200_000;

export interface ReceivedResponse {
  /** One line, which screen readers read. */
  line: string;
  parts: HTMLElement[];
  headers?: Headers;
  /** The body, if it is complete and JSON. */
  body?: unknown;
}

export const isLoopbackUrl = (url: string) => /^(localhost|127\.0\.0\.1)$/.test(new URL(url).hostname);

export async function send(call: PageCall): Promise<ReceivedResponse> {
  const { method, url, headers, json, text, files } = call;
  const form = new FormData();
  for (const { part, name, type, content } of files ?? []) form.append(part, new File([content], name, { type }));
  const body = files ? form : json === undefined ? null : (text ?? JSON.stringify(json));
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(timeoutMs);
  let response: Response | undefined;
  try {
    response = await fetch(url, { method, headers, body, signal, redirect: "manual" });
    if (response.type === "opaqueredirect")
      return resultWithoutResponse("A redirect. Browsers do not show where it leads.", terminalAdvice);
    return await readResponse(response, startedAt);
  } catch (error) {
    if (response === undefined) return resultWithoutResponse(await reasonOf(url, error as Error));
    const arrivalText = (error as Error).name === "TimeoutError" ? `within ${timeoutMs / 1000} seconds` : "whole";
    return resultWithoutResponse(`${statusOf(response)}, but its body did not arrive ${arrivalText}.`, unknownOutcome);
  }
}

const terminalAdvice = "Send the sample from a terminal instead.";
const unknownOutcome = "The call may have been carried out.";

function resultWithoutResponse(line: string, ...otherSentences: string[]): ReceivedResponse {
  return {
    line,
    parts: [createElement("p", { class: "note" }, [line, ...otherSentences].join(" "))],
  };
}

const statusOf = ({ status, statusText }: Response) => `${status} ${statusText}`.trim();

async function readResponse(response: Response, startedAt: number): Promise<ReceivedResponse> {
  const chunks: Uint8Array[] = [];
  const reader = response.body?.getReader();
  const isWhole = reader === undefined || (await readChunks(reader, chunks, maxBytes));
  if (!isWhole) reader?.cancel().catch(() => {});
  const text = await new Blob(chunks as BlobPart[]).text();
  const line = `${statusOf(response)} in ${Math.round(performance.now() - startedAt)} ms`;
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  const { body, shownText, remarks } = readText(text, isWhole, response.headers.get("content-type") ?? "");
  const makeBlock = (text: string) => createElement("pre", { tabindex: "0" }, createElement("code", {}, text));
  const figure = createElement(
    "figure",
    { class: "code" },
    createElement("figcaption", {}, "Response"),
    createElement("details", {}, createElement("summary", {}, `${lines.length} headers`), makeBlock(lines.join("\n"))),
    ...remarks.map((text) => createElement("p", { class: "remark" }, text)),
    ...(shownText === "" ? [] : [makeBlock(shownText)]),
  );
  return { line, parts: [figure], headers: response.headers, body };
}

function readText(
  text: string,
  isWhole: boolean,
  contentType: string,
): { body?: unknown; shownText: string; remarks: string[] } {
  if (text === "") return { shownText: "", remarks: ["The response has no body."] };
  const remarks: string[] = [];
  let body: unknown;
  let shownText = text;
  if (isWhole) {
    try {
      body = JSON.parse(text);
      shownText = layOutJson(text);
    } catch {
      if (/json/i.test(contentType)) remarks.push("The body is not valid JSON, although its media type says so.");
    }
  }
  if (!isWhole) remarks.push(`The body has more than ${maxBytes / 1e6} MB; the rest was not read.`);
  if (shownText.length > maxShownCharacters) {
    remarks.push(
      `Shown: the first ${maxShownCharacters.toLocaleString("en")} of ${shownText.length.toLocaleString("en")} characters.`,
    );
    shownText = shownText.slice(0, maxShownCharacters);
  }
  return { body, shownText, remarks };
}

let isBlockedByPolicy = false;
addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
  isBlockedByPolicy = effectiveDirective === "connect-src";
});

/** Browsers do not report why a call failed, so the likely reasons are tested. */
async function reasonOf(url: string, { name, message }: Error): Promise<string> {
  // Waits for the event `securitypolicyviolation`, which arrives shortly after the call has failed.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const wasBlocked = isBlockedByPolicy;
  isBlockedByPolicy = false;
  const { origin } = new URL(url);
  if (name === "TimeoutError") return `${origin} did not respond within ${timeoutMs / 1000} seconds. ${unknownOutcome}`;
  if (wasBlocked) {
    return `The Content-Security-Policy of this site forbids calls to ${origin}: only https and this computer are allowed. ${terminalAdvice}`;
  }
  const signal = AbortSignal.timeout(2_000);
  const isReachable = await fetch(origin, { mode: "no-cors", signal }).then(Boolean, () => false);
  if (isReachable) {
    return `${origin} is there, but the call failed (${message}): it closed the connection, or it does not let pages of ${location.origin} call it (CORS). ${unknownOutcome} ${terminalAdvice}`;
  }
  const advice = isLoopbackUrl(url)
    ? `If the mock should be there, start it with: ${mockCommandLine}`
    : "Check the address.";
  return `No response from ${origin} (${message}): nothing listens there, or it closed the connection. ${unknownOutcome} ${advice}`;
}
