/** Loaded when the reader first edits or sends a call. */
import type { EditableField, PageCall } from "../../samples/page-call.ts";
import { createElement } from "./dom.ts";
import { codeNote } from "./sending/code-note.ts";
import { copyButtons, makeEditor } from "./sending/editor.ts";
import { assumptionsOf, idsIn, MockWorld } from "./sending/effects.ts";
import { isLoopbackUrl, send } from "./sending/response.ts";

export interface Sending {
  edit: typeof edit;
  sendNow: typeof sendNow;
}

/**
 * @param call the sample's original call, with placeholders for address and key.
 * @param onEdit receives the edited call with the same placeholders, or the reason why the call cannot be sent.
 * @param copies the functions that return the code for each copy button, by language.
 */
function edit(
  call: PageCall,
  fields: readonly EditableField[],
  onEdit: (call: PageCall | string) => void,
  copies: Readonly<Record<string, () => Promise<string>>>,
): HTMLElement[] {
  return [...makeEditor(call, fields, onEdit), ...(navigator.clipboard === undefined ? [] : [copyButtons(copies)])];
}

/**
 * Shows the response and, for a mock on this computer, the effects of the call.
 *
 * @param status an element with the role `status`, which shows one line about the response.
 */
async function sendNow(call: PageCall, status: HTMLElement, result: HTMLElement): Promise<void> {
  const { host } = new URL(call.url);
  // Another host may be a real service that moves money, so the reader has to confirm calls other than GET.
  if (!isLoopbackUrl(call.url) && call.method !== "GET" && !confirm(`Send this call to ${host}, with your key?`))
    return;
  status.textContent = `Sending to ${host} …`;
  const world = isLoopbackUrl(call.url)
    ? await MockWorld.connect(call.url, call.headers["x-api-key"] ?? "")
    : undefined;
  const dataBefore = await world?.read();
  const { line, parts, headers, body } = await send(call);
  const assumptions = headers?.get("x-mock-assumes")?.split(", ") ?? [];
  result.replaceChildren(...parts, ...(await codeNote(body)));
  // Below a long sample, the response would be outside the window.
  result.scrollIntoView({ block: "nearest" });
  status.textContent = headers === undefined ? line : `Response from ${host}: ${line}`;
  if (world === undefined || dataBefore === undefined) return;
  const list = createElement("ul");
  const title = createElement("h4", {}, "What happened next");
  const effectsSection = createElement(
    "section",
    { class: "sent-effects" },
    title,
    list,
    ...(await assumptionsOf(assumptions)),
  );
  result.append(effectsSection, startOverNote(world, status, result));
  void watch(() => world.effectsSince(dataBefore, idsIn(body, call)), list);
}

const maxReads = 10;

/** Reads the effects each second until they are complete, at most {@link maxReads} times: events can follow later. */
async function watch(readEffects: () => ReturnType<MockWorld["effectsSince"]>, list: HTMLElement): Promise<void> {
  for (let attempt = 0; attempt < maxReads && (attempt === 0 || list.isConnected); attempt += 1) {
    const effects = await readEffects().catch(() => undefined);
    if (effects === undefined) return;
    list.replaceChildren(...effects.items);
    if (effects.isComplete) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

function startOverNote(world: MockWorld, status: HTMLElement, result: HTMLElement): HTMLElement {
  const button = createElement("button", { type: "button", class: "send start-over" }, "Start over");
  button.addEventListener("click", async () => {
    const isDone = await world.startOver().then(
      () => true,
      () => false,
    );
    status.textContent = isDone ? "The mock's data is as at the start." : "The mock does not respond.";
    if (isDone) result.replaceChildren();
  });
  const words = "The mock keeps its data, so some calls succeed once. ";
  return createElement("p", { class: "note" }, words, button);
}

Object.assign(globalThis, { sending: { edit, sendNow } satisfies Sending });
