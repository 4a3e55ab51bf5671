// The page of the mock: asks the control interface once a second, and shows what has changed. It runs in the browser as it is.

const shown = 200;
const element = (id) => document.getElementById(id);
const keyField = element("key");
keyField.value = sessionStorage.getItem("key") ?? "any-key-will-do-for-the-mock";

/** An element with its texts and children. */
function make(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

async function call(method, path, body) {
  const headers = { "x-api-key": keyField.value, "content-type": "application/json" };
  const response = await fetch(`/__mock/${path}`, { method, headers, body: body && JSON.stringify(body) });
  const value = response.status === 204 ? undefined : await response.json();
  if (!response.ok) throw new Error(value.message);
  return value;
}

/** What somebody asks for with a button; what is wrong with it stays until the next one. */
let mistake = "";
async function change(method, path, body) {
  mistake = await call(method, path, body).then(
    () => "",
    (error) => error.message,
  );
  await refresh();
}

/** Shows a list. A row whose item has not changed stays, open or selected as it is. */
function show(id, items, render, whenEmpty) {
  const list = element(id);
  const before = new Map([...list.children].map((row) => [row.item, row]));
  const rows = (items.length > 0 ? items : [whenEmpty]).map((given) => {
    const item = JSON.stringify(given);
    return before.get(item) ?? make("li", { item }, ...(given === whenEmpty ? [note(whenEmpty)] : render(given)));
  });
  if (rows.length !== before.size || rows.some((row, at) => row !== list.children[at])) list.replaceChildren(...rows);
}

const span = (className, text) => make("span", { className }, text);
const note = (text) => make("p", { className: "muted" }, text);
const timeOf = (at) => span("muted", new Date(at).toISOString().slice(11, 19));
const code = (title, value) =>
  value === undefined ? "" : make("pre", { tabIndex: 0, ariaLabel: title }, JSON.stringify(value, null, 2));
const row = (parts, ...inside) => [make("details", {}, make("summary", {}, ...parts), ...inside)];
const press = (text, about, ...request) =>
  make("button", { type: "button", ariaLabel: `${text} ${about}`, onclick: () => change(...request) }, text);

function requestRow({ at, method, path, status, code: pcode = "", notes, body, response }) {
  const result = span(status < 400 ? "good" : "bad", `${status === "drop" ? "no response" : status} ${pcode}`);
  const parts = [timeOf(at), span("what", `${method} ${path}`), result];
  return row(parts, ...notes.map(note), code("Body of the request", body), code("DocumentedResponse", response));
}

function eventRow({ number, webhook, path, at, body, state, attempts }) {
  const parts = [
    timeOf(at),
    span("what", webhook),
    span({ delivered: "good", failed: "bad" }[state] ?? "muted", state),
  ];
  const tries = attempts.map((made) => note(`${new Date(made.at).toISOString()} ${made.status ?? made.problem}`));
  const again = press("Deliver again", `event ${number}`, "POST", `deliveries/${number}/redeliver`);
  return row(parts, note(`POST ${path}`), ...tries, code("Body of the event", JSON.parse(body)), again);
}

function faultRow({ number, left, ...fault }) {
  const words = Object.entries(fault).map(
    ([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const remove = press("Remove", `fault ${number}`, "DELETE", `faults/${number}`);
  return [span("what", words.join(", ")), span("muted", `${left} left`), remove];
}

function userRow({ externalUserId = "The partner", verification = "", access = "", funds }) {
  const money = Object.entries(funds).map(([currency, amount]) => `${amount} ${currency}`);
  return [span("what", externalUserId), span("muted", `${verification} ${access}`), money.join(", ") || "no money"];
}

let isFrozen = false;

async function refresh() {
  let [text, className] = [mistake || "Live", mistake === "" ? "muted" : "bad"];
  try {
    const paths = ["requests", "deliveries", "users", "partner", "clock", "faults", "webhooks"];
    const lists = paths.map((path, index) => call("GET", index < 2 ? `${path}?limit=${shown}` : path));
    const [requests, events, users, partner, clock, faults, target] = await Promise.all(lists);
    show("requests", requests.reverse(), requestRow, "No request yet.");
    show("events", events.reverse(), eventRow, "No event yet.");
    show("faults", faults, faultRow, "Every call is answered as it should be.");
    show("users", [partner, ...users.slice(-shown).reverse()], userRow);
    isFrozen = clock.isFrozen;
    element("target").textContent = target.url ? `They are sent to ${target.url}` : "They are kept, and sent nowhere.";
    element("now").textContent = clock.now.slice(0, 19).replace("T", " ");
    element("frozen").textContent = isFrozen ? "stands still" : "runs";
    element("freeze").textContent = isFrozen ? "Run" : "Freeze";
  } catch (error) {
    [text, className] = [error instanceof TypeError ? "The mock does not answer." : error.message, "bad"];
  }
  const status = element("status");
  if (status.textContent !== text) Object.assign(status, { textContent: text, className });
}

keyField.addEventListener("change", () => {
  sessionStorage.setItem("key", keyField.value);
  refresh();
});
element("reset").addEventListener("click", () => change("POST", "reset"));
element("freeze").addEventListener("click", () => change("POST", "clock", isFrozen ? { run: true } : { freeze: true }));

const hints = { operation: "every one", user: "everyone", code: "P501", status: "503", delay: "2 seconds" };
for (const [name, placeholder] of Object.entries({ ...hints, lose: "request, answer", times: "1", rate: "1" })) {
  element("fault").lastChild.before(make("label", {}, `${name} `, make("input", { name, placeholder, size: 12 })));
}

/** Sends the fields of a form that are filled in, as numbers where the control interface takes numbers. */
function onSubmit(id, path) {
  element(id).addEventListener("submit", async (event) => {
    event.preventDefault();
    const given = [...new FormData(event.target)].filter(([, value]) => value !== "");
    const isNumber = ([name, value]) => ["status", "times", "rate"].includes(name) && !Number.isNaN(Number(value));
    const body = Object.fromEntries(given.map((one) => (isNumber(one) ? [one[0], Number(one[1])] : one)));
    await change("POST", path, body);
    if (mistake === "") event.target.reset();
  });
}
onSubmit("clock", "clock");
onSubmit("fault", "faults");

// A page that nobody looks at asks for nothing.
async function live() {
  if (!document.hidden) await refresh();
  setTimeout(live, 1000);
}
live();
