import { mockCommandLine } from "../../samples/addresses.ts";
import type { PageCall } from "../../samples/page-call.ts";
import { createElement } from "./dom.ts";

const timeoutMs = 30_000;

export function sender(callOf: () => PageCall): { button: HTMLElement; result: HTMLElement } {
  const button = createElement("button", { type: "button", class: "send" }, "Send it");
  const result = createElement("div", { class: "sent", role: "status" });
  button.addEventListener("click", async () => {
    const call = callOf();
    const { host } = new URL(call.url);
    // Another host may be a real service that moves money, so the reader has to confirm calls other than GET.
    if (!isHere(call.url) && call.method !== "GET" && !confirm(`Send this call to ${host}, with your key?`)) return;
    button.disabled = true;
    result.replaceChildren(createElement("p", {}, `Sending to ${host} …`));
    result.replaceChildren(...(await responseOf(call).catch((error: Error) => reasons(call, error))));
    // Below a long sample, the response would be outside the window.
    result.scrollIntoView({ block: "nearest" });
    button.disabled = false;
  });
  return { button, result };
}

const isHere = (url: string) => /^(localhost|127\.0\.0\.1)$/.test(new URL(url).hostname);

async function responseOf({ method, url, headers, json, files }: PageCall): Promise<HTMLElement[]> {
  const form = new FormData();
  for (const { part, name, type, content } of files ?? []) form.append(part, new File([content], name, { type }));
  const body = files ? form : json === undefined ? null : JSON.stringify(json);
  const startedAt = performance.now();
  const response = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(timeoutMs) });
  const text = await response.text();
  const took = Math.round(performance.now() - startedAt);
  const isJson = response.headers.get("content-type")?.includes("json") && text !== "";
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  const block = (words: string) => createElement("pre", {}, createElement("code", {}, words));
  return [
    createElement(
      "figure",
      { class: "code" },
      createElement("figcaption", {}, `Sent: ${response.status} ${response.statusText} in ${took} ms`),
      createElement("details", {}, createElement("summary", {}, `${lines.length} headers`), block(lines.join("\n"))),
      block(isJson ? JSON.stringify(JSON.parse(text), null, 2) : text || "No body."),
    ),
  ];
}

let isForbidden = false;
addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
  isForbidden = effectiveDirective === "connect-src";
});

/** Browsers do not report why a call failed, so this function tests for the likely reasons. */
async function reasons({ url }: PageCall, { name, message }: Error): Promise<HTMLElement[]> {
  // The event `securitypolicyviolation` arrives shortly after the call has failed.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const { origin } = new URL(url);
  const inTerminal = "Send the sample from a terminal instead.";
  const isThere = () => fetch(origin, { mode: "no-cors" }).then(Boolean, () => false);
  const reason =
    name === "TimeoutError"
      ? `${origin} has not answered within ${timeoutMs / 1000} seconds. The call may have been carried out.`
      : isForbidden
        ? `The Content-Security-Policy of this site forbids calls to ${origin}: only https and this computer are allowed. ${inTerminal}`
        : (await isThere())
          ? `${origin} is there, but does not let pages of ${location.origin} call it (CORS). The call may have been carried out. ${inTerminal}`
          : `Nothing answers at ${origin} (${message}). ${isHere(url) ? `Start the mock with: ${mockCommandLine}` : "Check the address."}`;
  isForbidden = false;
  return [createElement("p", { class: "note" }, reason)];
}
