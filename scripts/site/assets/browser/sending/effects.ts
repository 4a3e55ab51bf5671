/** Effects of a call in the mock: events, balances, the state of the record, and the assumptions behind the response. */
import { mockControlPath } from "../../../samples/addresses.ts";
import type { PageCall } from "../../../samples/page-call.ts";
import { createElement } from "../dom.ts";
import { decodeAddress, loadIndex, siteUrl } from "../site-url.ts";
import { layOutJson } from "./json-layout.ts";

type Funds = Record<string, string>;

interface Delivery {
  number: number;
  webhook: string;
  body: string;
  state: string;
}

/** What the mock returned. Data that it did not return is undefined, and listed in `missingData`. */
export interface WorldSnapshot {
  /** By owner: the balances by currency. */
  users?: Readonly<Record<string, Funds>> | undefined;
  partner?: Readonly<Record<string, Funds>> | undefined;
  deliveries?: readonly Delivery[] | undefined;
  missingData: readonly MissingData[];
}

/** Both members are words for the reader. */
interface MissingData {
  dataName: string;
  reason: string;
}

export interface Effects {
  items: HTMLElement[];
  /** Whether there is an event of the call, and the mock has returned all data after the call. */
  isComplete: boolean;
}

const timeoutMs = 2_000;

export class MockWorld {
  readonly #origin: string;
  readonly #key: string;

  private constructor(origin: string, key: string) {
    this.#origin = origin;
    this.#key = key;
  }

  /**
   * Checks whether a mock at the address accepts requests from this site. The check does not send the key, which only a mock may receive.
   *
   * @returns undefined if there is no such mock.
   */
  static async connect(url: string, key: string): Promise<MockWorld | undefined> {
    const { origin } = new URL(url);
    const isMock = async () => {
      const signal = AbortSignal.timeout(timeoutMs);
      const health = await (await fetch(`${origin}${mockControlPath}/health`, { signal })).json();
      return typeof health?.edition === "string" && typeof health.worlds === "number";
    };
    // The check is repeated once, because a single request can fail by chance.
    const isMockReachable = await isMock().catch(() => isMock().catch(() => false));
    return isMockReachable ? new MockWorld(origin, key) : undefined;
  }

  /** @param eventNumber only events with a greater number are read. Default: all events are read. */
  async read(eventNumber?: number): Promise<WorldSnapshot> {
    const missingData: MissingData[] = [];
    const readPart = async <Part>(path: string, dataName: string): Promise<Part | undefined> => {
      try {
        return (await (await this.#ask(path, "GET")).json()) as Part;
      } catch (error) {
        missingData.push({ dataName, reason: reasonOf(error as Error) });
        return undefined;
      }
    };
    const [users, partner, deliveries] = await Promise.all([
      readPart<{ externalUserId: string; funds: Funds }[]>("users", "the balances of the users"),
      readPart<{ funds: Funds }>("partner", "the balances of the partner"),
      readPart<Delivery[]>(eventNumber === undefined ? "deliveries" : `deliveries?after=${eventNumber}`, "the events"),
    ]);
    return {
      users: users && Object.fromEntries(users.map(({ externalUserId, funds }) => [externalUserId, funds])),
      partner: partner && { "the partner": partner.funds },
      deliveries,
      missingData,
    };
  }

  async startOver(): Promise<void> {
    await this.#ask("reset", "POST");
  }

  /**
   * The differences from `earlierData`, after the mock was told to run everything that is due.
   *
   * @param ids the ids that identify the events of this call.
   */
  async effectsSince(earlierData: WorldSnapshot, ids: readonly string[]): Promise<Effects> {
    const settleErrors = await this.#ask("settle", "POST").then(
      () => [],
      (error: Error) => [{ dataName: "whether something is due", reason: reasonOf(error) }],
    );
    const dataAfter = await this.read(earlierData.deliveries?.at(-1)?.number);
    const deliveries = dataAfter.deliveries?.filter(({ body }) => ids.some((id) => body.includes(JSON.stringify(id))));
    const balanceChanges = [
      balanceMovements(earlierData.users, dataAfter.users),
      balanceMovements(earlierData.partner, dataAfter.partner),
    ];
    const missingData = [
      ...earlierData.missingData.map(({ dataName, reason }) => ({
        dataName: `${dataName} before the call`,
        reason,
      })),
      ...settleErrors,
      ...dataAfter.missingData,
    ];
    const events = deliveries ?? [];
    const otherItems = [
      ...(balanceChanges.every((list) => list?.length === 0) ? ["No balance changed."] : []),
      ...(deliveries?.length === 0 ? ["No event was sent so far."] : []),
      ...missingData.map(({ dataName, reason }) => `The mock did not say ${dataName} (${reason}).`),
    ];
    const makeItem = (text: string) => createElement("li", {}, text);
    return {
      items: [
        ...balanceChanges.flatMap((list = []) => list).map(makeItem),
        ...events.map(eventItem),
        ...stateItems(events),
        ...otherItems.map(makeItem),
      ],
      isComplete: events.length > 0 && settleErrors.length + dataAfter.missingData.length === 0,
    };
  }

  async #ask(path: string, method: string): Promise<Response> {
    const response = await fetch(`${this.#origin}${mockControlPath}/${path}`, {
      method,
      headers: { "x-api-key": this.#key },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) throw new Error(`its answer was ${response.status}`);
    return response;
  }
}

function reasonOf({ name, message }: Error): string {
  return name === "TimeoutError" ? `no answer within ${timeoutMs / 1000} seconds` : message;
}

/** The ids in the response; if there are none, the user ids in the body of the request, and the segments of its path except the first. */
export function idsIn(response: unknown, { url, json }: PageCall): string[] {
  const ids = Object.entries(Object(response)).flatMap(([name, value]) => (/id$/i.test(name) ? [String(value)] : []));
  const userIds = Object.entries(Object(json)).flatMap(([name, value]) =>
    /UserId$/.test(name) ? [String(value)] : [],
  );
  return ids.length > 0 ? ids : [...userIds, ...new URL(url).pathname.split("/").slice(2).map(decodeAddress)];
}

/** In words; undefined if the balances before or after the call are not known. */
function balanceMovements(
  fundsBefore: WorldSnapshot["users"],
  fundsAfter: WorldSnapshot["users"],
): string[] | undefined {
  if (fundsBefore === undefined || fundsAfter === undefined) return undefined;
  return Object.entries(fundsAfter).flatMap(([owner, funds]) =>
    Object.entries(funds).flatMap(([currency, amount]) => {
      const oldAmount = fundsBefore[owner]?.[currency] ?? "0";
      return oldAmount === amount ? [] : [`${owner}: ${oldAmount} → ${amount} ${currency.toUpperCase()}`];
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

/** The statuses that the events report, in order, with a link to the first lifecycle to which the page links. */
function stateItems(deliveries: readonly Delivery[]): HTMLElement[] {
  const statuses = deliveries.flatMap(({ body }) => {
    const { status } = JSON.parse(body) as { status?: unknown };
    return typeof status === "string" ? [status] : [];
  });
  const lifecycleLink = document.querySelector<HTMLAnchorElement>('main a[href*="lifecycles/"]');
  if (statuses.length === 0) return [];
  const words = statuses.map((status) => createElement("code", {}, status));
  const lifecycleParts =
    lifecycleLink === null ? [] : [" in ", createElement("a", { href: lifecycleLink.href }, "its lifecycle")];
  return [
    createElement(
      "li",
      {},
      "status: ",
      ...words.flatMap((word, index) => (index === 0 ? [word] : [" → ", word])),
      ...lifecycleParts,
    ),
  ];
}

/** @param entries the entries of the header `x-mock-assumes`: the id of a question, and the answer if it is not the assumed one. */
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
