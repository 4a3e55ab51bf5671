/** What a call led to in the mock: events, balances, the state of the record, and the assumptions behind the response. */
import type { PageCall } from "../../../samples/page-call.ts";
import { createElement } from "../dom.ts";
import { loadIndex, siteUrl } from "../find.ts";
import { layOutJson } from "./json-layout.ts";

type Funds = Record<string, string>;

export interface World {
  /** By owner: the balances by currency. */
  funds: Record<string, Funds>;
  /** The number of events so far. */
  events: number;
}

interface Delivery {
  number: number;
  webhook: string;
  body: string;
  state: string;
}

const patienceMs = 2_000;

export class MockWorld {
  readonly #origin: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#origin = new URL(url).origin;
    this.#key = key;
  }

  /** @returns undefined if the address is not that of a mock that admits this site. */
  async look(): Promise<World | undefined> {
    try {
      const [users, partner, deliveries] = (await Promise.all([
        this.#get("users"),
        this.#get("partner"),
        this.#get("deliveries"),
      ])) as [{ externalUserId: string; funds: Funds }[], { funds: Funds }, Delivery[]];
      const ofUsers = users.map(({ externalUserId, funds }) => [externalUserId, funds]);
      return {
        funds: Object.fromEntries([...ofUsers, ["the partner", partner.funds]]),
        events: (deliveries.at(-1)?.number ?? -1) + 1,
      };
    } catch {
      return undefined;
    }
  }

  async startOver(): Promise<void> {
    await this.#ask("reset", "POST");
  }

  /**
   * The differences from `before`, after the mock has done everything that is due.
   *
   * @param names the ids that identify the events of this call.
   */
  async effectsSince(before: World, names: readonly string[]): Promise<{ items: HTMLElement[]; hasEvents: boolean }> {
    await this.#ask("settle", "POST");
    const after = await this.look();
    const all = (await this.#get(`deliveries?after=${before.events - 1}`)) as Delivery[];
    const deliveries = all.filter(({ body }) => names.some((name) => body.includes(JSON.stringify(name))));
    const moved = movements(before.funds, after?.funds ?? {}).map(([owner, currency, from, to]) =>
      createElement("li", {}, `${owner}: ${from} → ${to} ${currency.toUpperCase()}`),
    );
    const none = [
      ...(moved.length === 0 ? ["No balance changed."] : []),
      ...(deliveries.length === 0 ? ["No event was sent so far."] : []),
    ].map((words) => createElement("li", {}, words));
    return {
      items: [...moved, ...deliveries.map(eventItem), ...stateItems(deliveries), ...none],
      hasEvents: deliveries.length > 0,
    };
  }

  async #ask(path: string, method: string): Promise<Response> {
    const response = await fetch(`${this.#origin}/__mock/${path}`, {
      method,
      headers: { "x-api-key": this.#key },
      signal: AbortSignal.timeout(patienceMs),
    });
    if (!response.ok) throw new Error(String(response.status));
    return response;
  }

  async #get(path: string): Promise<unknown> {
    return (await this.#ask(path, "GET")).json();
  }
}

/** The ids in the response; without any, the users in the request. */
export function namesIn(response: unknown, { url, json }: PageCall): string[] {
  const ids = Object.entries(Object(response)).flatMap(([name, value]) => (/id$/i.test(name) ? [String(value)] : []));
  const users = Object.entries(Object(json)).flatMap(([name, value]) => (/UserId$/.test(name) ? [String(value)] : []));
  return ids.length > 0 ? ids : [...users, ...new URL(url).pathname.split("/").slice(2).map(decodeURIComponent)];
}

function movements(before: World["funds"], after: World["funds"]): [string, string, string, string][] {
  return Object.entries(after).flatMap(([owner, funds]) =>
    Object.entries(funds).flatMap(([currency, amount]): [string, string, string, string][] => {
      const old = before[owner]?.[currency] ?? "0";
      return old === amount ? [] : [[owner, currency, old, amount]];
    }),
  );
}

function eventItem({ webhook, body, state }: Delivery): HTMLElement {
  const link = createElement("a", { href: `${siteUrl()}webhooks/${webhook}.html` }, webhook);
  const text = createElement("pre", { tabindex: "0" }, createElement("code", {}, layOutJson(body)));
  const details = createElement("details", {}, createElement("summary", {}, "its body"), text);
  const words =
    state === "undelivered" ? "event, sent to nobody because the mock has no address of a receiver: " : "event: ";
  return createElement("li", {}, words, link, details);
}

/** The last status that an event reports, with the lifecycle that the page names. */
function stateItems(deliveries: readonly Delivery[]): HTMLElement[] {
  const statuses = deliveries.flatMap(({ body }) => {
    const { status } = JSON.parse(body) as { status?: unknown };
    return typeof status === "string" ? [status] : [];
  });
  const page = document.querySelector<HTMLAnchorElement>('main a[href*="lifecycles/"]');
  if (statuses.length === 0) return [];
  const words = statuses.map((status) => createElement("code", {}, status));
  const lifecycle = page === null ? [] : [" in ", createElement("a", { href: page.href }, "its lifecycle")];
  return [
    createElement(
      "li",
      {},
      "status: ",
      ...words.flatMap((word, at) => (at === 0 ? [word] : [" → ", word])),
      ...lifecycle,
    ),
  ];
}

/** @param entries of the header `x-mock-assumes`: the id of a question, and the answer if it is not the assumed one. */
export async function assumptionsOf(entries: readonly string[]): Promise<HTMLElement[]> {
  if (entries.length === 0) return [];
  const index = await loadIndex().catch(() => undefined);
  const items = entries.map((entry) => {
    const [id = "", answer] = entry.split("=", 2).map((part) => part.trim());
    const [page = 0, , words = id] = index?.parts.find(([, anchor]) => anchor === id.toLowerCase()) ?? [];
    const path = index?.pages[page]?.path ?? "questions/index.html";
    const link = createElement("a", { href: `${siteUrl()}${path}#${id.toLowerCase()}` }, words);
    return createElement("li", {}, link, answer === undefined ? "" : ` Answer: ${answer}.`);
  });
  const words = `The response rests on ${entries.length} open question${entries.length === 1 ? "" : "s"}`;
  return [createElement("details", {}, createElement("summary", {}, words), createElement("ul", {}, ...items))];
}
