/** The conditions for webhook receivers: how events arrive, and when the receiver is killed. */
import { setTimeout as wait } from "node:timers/promises";
import { changed, freshId, type ReceivedEvent } from "./receiver-events.ts";

export interface Receiver {
  readonly events: readonly ReceivedEvent[];
  readonly token: string;
  /** Delivers an event, with up to four retries until it is acknowledged. */
  deliver(event: ReceivedEvent): Promise<void>;
  /** Posts a body once. @returns the status of the response; undefined if there is no response. */
  post(path: string, body: string, token: string | undefined): Promise<number | undefined>;
  restart(): Promise<void>;
  accepted(what: string): void;
  /** A pseudo-random integer, at least 0 and less than `below`. The seed determines the sequence. */
  random(below: number): number;
}

export interface ReceiverCondition {
  readonly name: string;
  readonly meaning: string;
  readonly questions: readonly string[];
  /** Whether some of the events are about calls that are accepted and fail later. */
  readonly hasFailures?: boolean;
  readonly play: (receiver: Receiver) => Promise<void>;
}

const delivery = ["Q-webhook-delivery"];

async function inOrder({ events, deliver }: Receiver): Promise<void> {
  for (const event of events) await deliver(event);
}

function shuffled<Item>(items: readonly Item[], random: Receiver["random"]): Item[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random(left.length), 1));
}

const fresh = (number: number) => ({ id: freshId(number), cryptoDepositId: freshId(number) });

export const receiverConditions: readonly ReceiverCondition[] = [
  { name: "in-order", meaning: "each event arrives once, in order", questions: [], play: inOrder },
  {
    name: "three-times",
    meaning: "each event arrives three times",
    questions: delivery,
    play: (receiver) => inOrder({ ...receiver, events: receiver.events.flatMap((one) => [one, one, one]) }),
  },
  {
    name: "five-at-once",
    meaning: "each event arrives five times at the same moment",
    questions: delivery,
    play: async ({ events, deliver }) => {
      for (const event of events) await Promise.all([1, 2, 3, 4, 5].map(() => deliver(event)));
    },
  },
  {
    name: "reversed",
    meaning: "the last event arrives first",
    questions: delivery,
    play: (receiver) => inOrder({ ...receiver, events: receiver.events.toReversed() }),
  },
  {
    name: "shuffled-twice",
    meaning: "all events arrive in one random order, and again in another",
    questions: delivery,
    play: ({ events, random, ...receiver }) =>
      inOrder({ ...receiver, random, events: [...shuffled(events, random), ...shuffled(events, random)] }),
  },
  {
    name: "killed-after",
    meaning: "the receiver is killed after every third event that it has acknowledged",
    questions: [],
    play: async ({ events, deliver, restart }) => {
      for (const [index, event] of events.entries()) {
        await deliver(event);
        if (index % 3 === 0) await restart();
      }
    },
  },
  {
    name: "killed-while",
    meaning: "the receiver is killed within milliseconds after an event has reached it",
    questions: delivery,
    play: async ({ events, deliver, restart, random }) => {
      for (const [index, event] of events.entries()) {
        const delivered = deliver(event);
        if (index % 3 === 0) {
          await wait(random(9));
          await restart();
        }
        await delivered;
      }
    },
  },
  {
    name: "everything-again",
    meaning: "the receiver is restarted, and all events arrive once more",
    questions: delivery,
    play: async (receiver) => {
      await inOrder(receiver);
      await receiver.restart();
      await inOrder(receiver);
    },
  },
  {
    name: "forged",
    meaning: "events arrive without the token, or with another one",
    questions: ["Q-webhook-authentication"],
    play: async (receiver) => {
      const { events, token, post, accepted } = receiver;
      const others = {
        none: undefined,
        empty: "",
        other: "wrong",
        "the beginning of it": token.slice(0, -1),
        longer: `${token}x`,
      };
      for (const [what, other] of Object.entries(others)) {
        for (const [index, event] of events.entries()) {
          const status = await post(event.path, changed(event, { ...fresh(index), amount: "9999" }), other);
          if (status === 200) accepted(`${event.webhook} with a token that is not the right one (${what})`);
        }
      }
      await inOrder(receiver);
    },
  },
  {
    name: "garbage",
    meaning: "bodies that are no events arrive between the events, and calls on unknown paths",
    questions: [],
    play: async ({ events, deliver, post, token }) => {
      for (const [index, event] of events.entries()) {
        const bodies = [
          "{",
          "[]",
          "null",
          '"text"',
          "",
          "\u0000",
          changed(event, { ...fresh(index), amount: "a lot" }),
        ];
        for (const body of bodies) await post(event.path, body, token);
        await post("/a-path-that-nobody-knows", "{}", token);
        await deliver(event);
      }
    },
  },
  {
    name: "unknown-values",
    meaning: "events have unknown members, and events with an unknown status arrive",
    questions: ["Q-field-presence"],
    play: async ({ events, deliver, post, token }) => {
      for (const [index, event] of events.entries()) {
        await post(event.path, changed(event, { ...fresh(index), status: "A_NEW_STATUS" }), token);
        await deliver({ ...event, body: changed(event, { aNewMember: { is: ["here"] } }) });
      }
    },
  },
  {
    name: "other-spelling",
    meaning: "crypto deposits arrive with the status successful, and then as SUCCESSFUL",
    questions: ["Q-crypto-deposit-status"],
    play: async ({ events, deliver }) => {
      for (const event of events) {
        const { status } = JSON.parse(event.body) as { status: string };
        const isDone = event.webhook === "cryptoDeposit" && status === "SUCCESSFUL";
        if (isDone) await deliver({ ...event, body: changed(event, { status: status.toLowerCase() }) });
        await deliver(event);
      }
    },
  },
  {
    name: "ends-failed",
    meaning: "calls that were accepted fail in the end",
    questions: ["Q-transfer-event-status", "Q-sepa-event-failure"],
    hasFailures: true,
    play: inOrder,
  },
];
