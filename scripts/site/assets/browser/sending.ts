/** Edits and sends the call of a sample; loaded when the reader first does either. */
import type { EditableField, PageCall } from "../../samples/page-call.ts";
import { createElement } from "./dom.ts";
import { codeNote } from "./sending/code-note.ts";
import { copyButtons, makeEditor } from "./sending/editor.ts";
import { assumptionsOf, MockWorld, namesIn } from "./sending/effects.ts";
import { isLoopbackUrl, send } from "./sending/response.ts";

export interface Sending {
  edit: typeof edit;
  sendNow: typeof sendNow;
}

/**
 * @param given the call as the contract has it, with the placeholders of address and key.
 * @param onEdit takes the edited call with the same placeholders, or why it cannot be sent.
 * @param copies what the buttons copy, by language.
 */
function edit(
  given: PageCall,
  fields: readonly EditableField[],
  onEdit: (call: PageCall | string) => void,
  copies: Readonly<Record<string, () => Promise<string>>>,
): HTMLElement[] {
  return [...makeEditor(given, fields, onEdit), ...(navigator.clipboard === undefined ? [] : [copyButtons(copies)])];
}

/** @param status an element with the role `status`, which gets one line. */
async function sendNow(call: PageCall, status: HTMLElement, result: HTMLElement): Promise<void> {
  const { host } = new URL(call.url);
  // Another host may be a real service that moves money, so the reader has to confirm calls other than GET.
  if (!isLoopbackUrl(call.url) && call.method !== "GET" && !confirm(`Send this call to ${host}, with your key?`))
    return;
  status.textContent = `Sending to ${host} …`;
  const world = isLoopbackUrl(call.url) ? await MockWorld.at(call.url, call.headers["x-api-key"] ?? "") : undefined;
  const before = await world?.look();
  const { line, parts, headers, body } = await send(call);
  const assumptions = headers?.get("x-mock-assumes")?.split(", ") ?? [];
  result.replaceChildren(...parts, ...(await codeNote(body)));
  // Below a long sample, the response would be outside the window.
  result.scrollIntoView({ block: "nearest" });
  status.textContent = headers === undefined ? line : `Response from ${host}: ${line}`;
  if (world === undefined || before === undefined) return;
  const list = createElement("ul");
  const title = createElement("h4", {}, "What happened next");
  const happened = createElement(
    "section",
    { class: "sent-effects" },
    title,
    list,
    ...(await assumptionsOf(assumptions)),
  );
  result.append(happened, startOver(world, status, result));
  void watch(() => world.effectsSince(before, namesIn(body, call)), list);
}

const watches = 10;

/** The mock sends most events seconds after the call. */
async function watch(look: () => ReturnType<MockWorld["effectsSince"]>, list: HTMLElement): Promise<void> {
  for (let run = 0; run < watches && (run === 0 || list.isConnected); run += 1) {
    const effects = await look().catch(() => undefined);
    if (effects === undefined) return;
    list.replaceChildren(...effects.items);
    if (effects.isComplete) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

function startOver(world: MockWorld, status: HTMLElement, result: HTMLElement): HTMLElement {
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
