/** While the page is visible, it polls the control interface about once a second. */
import type { Balances, Delivery, SeenRequest, User, WaitingFault } from "../plan/control.ts";
import { chosenOf, type Questions } from "./answers.ts";
import { call, keyField } from "./call.ts";
import { codeBlock, createElement, findById, note } from "./dom.ts";
import { showForms } from "./forms.ts";

const maxRows = 200;

keyField.value = sessionStorage.getItem("key") ?? "any-key-will-do-for-the-mock";

let doneMessage = "";
let errorMessage = "";

async function change(method: string, path: string, body?: unknown): Promise<void> {
  doneMessage = "";
  errorMessage = await call(method, path, body).then(
    () => "",
    (error: Error) => error.message,
  );
  await refresh();
}

const itemByRow = new WeakMap<Element, string>();

/** Rows of unchanged items keep their elements, so that opened details and selected text remain. */
function showRows<Item>(
  id: string,
  items: readonly Item[],
  render: (item: Item) => (Node | string)[],
  emptyText: string,
): void {
  const list = findById(id);
  const oldRows = new Map([...list.children].map((row) => [itemByRow.get(row), row]));
  const rowOf = (item: string, parts: () => (Node | string)[]): Element => {
    const oldRow = oldRows.get(item);
    if (oldRow !== undefined) return oldRow;
    const newRow = createElement("li", {}, ...parts());
    itemByRow.set(newRow, item);
    return newRow;
  };
  const newRows = items.map((item) => rowOf(JSON.stringify(item), () => render(item)));
  if (items.length === 0) newRows.push(rowOf(emptyText, () => [note(emptyText)]));
  const areRowsUnchanged =
    newRows.length === list.children.length && newRows.every((newRow, index) => newRow === list.children[index]);
  if (!areRowsUnchanged) list.replaceChildren(...newRows);
}

const span = (className: string, text: string) => createElement("span", { className }, text);
const timeOf = (time: number | string) =>
  createElement("time", { className: "muted" }, new Date(time).toISOString().slice(5, 19).replace("T", " "));
const expandableRow = (parts: readonly Node[], ...content: readonly Node[]) => [
  createElement("details", {}, createElement("summary", {}, ...parts), ...content),
];
const actionButton = (text: string, subject: string, ...request: Parameters<typeof change>) =>
  createElement(
    "button",
    { type: "button", ariaLabel: `${text} ${subject}`, onclick: () => void change(...request) },
    text,
  );
const optionalCodeBlock = (title: string, value: unknown) => (value === undefined ? [] : [codeBlock(title, value)]);

function requestRow({ at, method, path, status, code: pcode = "", notes, body, response }: SeenRequest): Node[] {
  const isSuccess = typeof status === "number" && status < 400;
  const result = span(isSuccess ? "good" : "bad", `${status === "drop" ? "no response" : status} ${pcode}`);
  const parts = [timeOf(at), span("what", `${method} ${path}`), result];
  return expandableRow(
    parts,
    ...notes.map(note),
    ...optionalCodeBlock("Body of the request", body),
    ...optionalCodeBlock("Body of the response", response),
  );
}

const stateClasses: Readonly<Record<string, string>> = { delivered: "good", failed: "bad" };

function eventRow({ number, webhook, path, at, body, state, attempts }: Delivery): Node[] {
  const parts = [timeOf(at), span("what", webhook), span(stateClasses[state] ?? "muted", state)];
  const attemptNotes = attempts.map((attempt) =>
    note(`${new Date(attempt.at).toISOString()} ${attempt.status ?? attempt.problem}`),
  );
  const redeliverButton = actionButton("Deliver again", `event ${number}`, "POST", `deliveries/${number}/redeliver`);
  return expandableRow(
    parts,
    note(`POST ${path}`),
    ...attemptNotes,
    codeBlock("Body of the event", JSON.parse(body)),
    redeliverButton,
  );
}

function faultRow({ number, left, ...fault }: WaitingFault): Node[] {
  const faultTexts = Object.entries(fault).map(
    ([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const removeButton = actionButton("Remove", `fault ${number}`, "DELETE", `faults/${number}`);
  return [span("what", faultTexts.join(", ")), span("muted", `${left} left`), removeButton];
}

function ownerRow({ externalUserId, verification, access, funds }: User): (Node | string)[] {
  const fundsText = Object.entries(funds).map(([currency, amount]) => `${amount} ${currency}`);
  return [span("what", externalUserId), span("muted", `${verification} ${access}`), fundsText.join(", ") || "no money"];
}

interface ChosenAnswer {
  readonly id: string;
  readonly answer: string;
  readonly otherAnswers: Readonly<Record<string, string>>;
}

const answerRow = ({ id, answer, otherAnswers }: ChosenAnswer) => [
  span("what", id),
  span("", answer),
  actionButton("Remove", `the answer to ${id}`, "PUT", "answers", otherAnswers),
];

function chosenAnswers(questions: Questions): ChosenAnswer[] {
  const chosenById = chosenOf(questions);
  return Object.entries(chosenById).map(([id, answer]) => {
    const { [id]: _, ...otherAnswers } = chosenById;
    return { id, answer, otherAnswers };
  });
}

let isFrozen = false;
let hasForms = false;

async function refresh(): Promise<void> {
  let [text, className] = [errorMessage || doneMessage || "Live", errorMessage === "" ? "muted" : "bad"];
  try {
    const [requests, events, users, partner, clock, faults, target, questions] = await Promise.all([
      call<SeenRequest[]>("GET", `requests?limit=${maxRows}`),
      call<Delivery[]>("GET", `deliveries?limit=${maxRows}`),
      call<User[]>("GET", "users"),
      call<{ funds: Balances }>("GET", "partner"),
      call<{ now: string; isFrozen: boolean }>("GET", "clock"),
      call<WaitingFault[]>("GET", "faults"),
      call<{ url: string | null }>("GET", "webhooks"),
      call<Questions>("GET", "answers"),
    ]);
    showRows("requests", requests.reverse(), requestRow, "No request yet.");
    showRows("events", events.reverse(), eventRow, "No event yet.");
    showRows("faults", faults, faultRow, "Every call is answered as it should be.");
    showRows(
      "answers",
      chosenAnswers(questions),
      answerRow,
      "Each open question has the answer that the mock assumes.",
    );
    const partnerRow = { externalUserId: "The partner", verification: "", access: "", ...partner };
    showRows("users", [partnerRow, ...users.slice(-maxRows).reverse()], ownerRow, "");
    isFrozen = clock.isFrozen;
    findById("target").textContent = target.url ? `They are sent to ${target.url}` : "They are kept, and sent nowhere.";
    findById("now").textContent = clock.now.slice(0, 19).replace("T", " ");
    findById("frozen").textContent = isFrozen ? "stands still" : "runs";
    findById("freeze").textContent = isFrozen ? "Run" : "Freeze";
    if (!hasForms) {
      hasForms = true;
      await showForms(refresh);
    }
  } catch (error) {
    [text, className] = [error instanceof TypeError ? "The mock does not answer." : (error as Error).message, "bad"];
  }
  const status = findById("status");
  if (status.textContent !== text) Object.assign(status, { textContent: text, className });
}

keyField.addEventListener("change", () => {
  sessionStorage.setItem("key", keyField.value);
  void refresh();
});
findById("reset").addEventListener("click", async () => {
  await change("POST", "reset");
  if (errorMessage === "") doneMessage = "Users, money, faults, log and clock are as at the start.";
  await refresh();
});
for (const button of document.querySelectorAll<HTMLButtonElement>("[data-advance]")) {
  button.addEventListener("click", () => void change("POST", "clock", { advance: button.dataset.advance }));
}
findById("freeze").addEventListener("click", () => {
  void change("POST", "clock", isFrozen ? { run: true } : { freeze: true });
});

async function poll(): Promise<void> {
  if (!document.hidden) await refresh();
  setTimeout(poll, 1000);
}
void poll();
