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
  const answer = response.status === 204 ? undefined : await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

function say(text, isBad = false) {
  const status = element("status");
  if (status.textContent !== text) status.textContent = text;
  status.className = isBad ? "bad" : "muted";
}

/** What somebody asks for with a button; what is wrong with it stays until the next one. */
let mistake = "";
async function change(method, path, body) {
  try {
    await call(method, path, body);
    mistake = "";
  } catch (error) {
    mistake = error.message;
  }
  await refresh();
}

/** The rows of each list by what they show, so that one that has not changed stays, open or selected as it is. */
const rows = new Map();

function show(id, items, render, whenEmpty) {
  const before = rows.get(id) ?? new Map();
  const now = new Map(
    items
      .map((item) => JSON.stringify(item))
      .map((text, index) => [text, before.get(text) ?? make("li", {}, ...render(items[index]))]),
  );
  rows.set(id, now);
  const list = element(id);
  const wanted = now.size === 0 ? [make("li", { className: "empty" }, whenEmpty)] : [...now.values()];
  if (
    now.size > 0 &&
    wanted.length === list.children.length &&
    wanted.every((row, index) => row === list.children[index])
  )
    return;
  list.replaceChildren(...wanted);
}

const span = (className, text) => make("span", { className }, text);
const timeOf = (at) => span("muted", new Date(at).toISOString().slice(11, 19));
const code = (title, value) =>
  value === undefined
    ? []
    : [
        make(
          "pre",
          { tabIndex: 0, ariaLabel: title },
          typeof value === "string" ? value : JSON.stringify(value, null, 2),
        ),
      ];
const row = (parts, ...inside) => [make("details", {}, make("summary", {}, ...parts), ...inside)];
const press = (text, about, act) =>
  make("button", { type: "button", ariaLabel: `${text} ${about}`, onclick: act }, text);

function requestRow({ at, method, path, status, code: pcode, notes, body, answer }) {
  const className = status < 400 ? "good" : "bad";
  const result = span(className, [status === "drop" ? "no answer" : status, pcode ?? ""].join(" "));
  const told = notes.map((note) => make("p", { className: "muted" }, note));
  return row(
    [timeOf(at), span("what", `${method} ${path}`), result],
    ...told,
    ...code("Body of the request", body),
    ...code("Answer", answer),
  );
}

function eventRow({ number, webhook, path, at, body, state, attempts }) {
  const className = { delivered: "good", failed: "bad" }[state] ?? "muted";
  const tries = attempts.map((made) =>
    make("p", { className: "muted" }, `${new Date(made.at).toISOString()} ${made.status ?? made.problem}`),
  );
  const again = press("Deliver again", `event ${number}`, () => change("POST", `deliveries/${number}/redeliver`));
  return row(
    [timeOf(at), span("what", webhook), span(className, state)],
    make("p", {}, `POST ${path}`),
    ...tries,
    ...code("Body of the event", JSON.parse(body)),
    again,
  );
}

function faultRow({ number, left, ...fault }) {
  const words = Object.entries(fault).map(
    ([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`,
  );
  return [
    span("what", words.join(", ")),
    span("muted", `${left} left`),
    press("Remove", `fault ${number}`, () => change("DELETE", `faults/${number}`)),
  ];
}

function userRow({ externalUserId, verification, access, funds }) {
  const money = Object.entries(funds).map(([currency, amount]) => `${amount} ${currency}`);
  return [
    span("what", externalUserId),
    span("muted", [verification, access].filter(Boolean).join(", ")),
    span("", money.join(", ") || "no money"),
  ];
}

let clock = { isFrozen: false };

async function refresh() {
  try {
    const paths = [
      `requests?limit=${shown}`,
      `deliveries?limit=${shown}`,
      "users",
      "partner",
      "clock",
      "faults",
      "webhooks",
    ];
    const [requests, events, users, partner, time, faults, target] = await Promise.all(
      paths.map((path) => call("GET", path)),
    );
    clock = time;
    show("requests", requests.reverse(), requestRow, "No request yet.");
    show("events", events.reverse(), eventRow, "No event yet.");
    show("faults", faults, faultRow, "Every call is answered as it should be.");
    show("users", [{ externalUserId: "The partner", ...partner }, ...users.slice(-shown).reverse()], userRow, "");
    element("target").textContent =
      target.url === null ? "They are kept, and sent nowhere." : `They are sent to ${target.url}`;
    element("now").textContent = clock.now.slice(0, 19).replace("T", " ");
    element("frozen").textContent = clock.isFrozen ? "stands still" : "runs";
    element("freeze").textContent = clock.isFrozen ? "Run" : "Freeze";
    say(mistake || "Live", mistake !== "");
  } catch (error) {
    say(error instanceof TypeError ? "The mock does not answer." : error.message, true);
  }
}

keyField.addEventListener("change", () => {
  sessionStorage.setItem("key", keyField.value);
  refresh();
});
element("reset").addEventListener("click", () => change("POST", "reset"));
element("freeze").addEventListener("click", () =>
  change("POST", "clock", clock.isFrozen ? { run: true } : { freeze: true }),
);

function onSubmit(id, act) {
  element(id).addEventListener("submit", (event) => {
    event.preventDefault();
    act(Object.fromEntries([...new FormData(event.target)].filter(([, value]) => value !== "")));
  });
}
onSubmit("clock", (fields) => change("POST", "clock", fields));
onSubmit("fault", async (fields) => {
  const numbers = ["status", "times", "rate"].filter((name) => name in fields && !Number.isNaN(Number(fields[name])));
  await change("POST", "faults", {
    ...fields,
    ...Object.fromEntries(numbers.map((name) => [name, Number(fields[name])])),
  });
  if (mistake === "") element("fault").reset();
});

// A page that nobody looks at asks for nothing.
async function live() {
  if (!document.hidden) await refresh();
  setTimeout(live, 1000);
}
live();
