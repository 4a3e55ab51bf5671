/** Conditions vary how events arrive, and when the receiver is killed. */
import { setTimeout as wait } from "node:timers/promises";
import { acknowledgedStatus } from "../mock/webhooks/index.ts";
import { makeId, type ReceivedEvent, withMembers } from "./receiver-events.ts";
import { awaitAll } from "./schedule.ts";

export interface Receiver {
  readonly events: readonly ReceivedEvent[];
  readonly token: string;
  /** Delivers an event, with up to four retries until it is acknowledged. */
  deliver(event: ReceivedEvent): Promise<void>;
  /** Posts a body once. @returns the status of the response; undefined if there is no response. */
  post(path: string, body: string, token: string | undefined): Promise<number | undefined>;
  restart(): Promise<void>;
  reportAccepted(description: string): void;
  /** A pseudo-random integer, at least 0 and less than `limit`. The seed determines the sequence. */
  random(limit: number): number;
}

export interface ReceiverCondition {
  readonly name: string;
  readonly meaning: string;
  readonly questions: readonly string[];
  /** Whether some events report the failure of a call that was accepted before. */
  readonly hasFailures?: boolean;
  readonly play: (receiver: Receiver) => Promise<void>;
}

const deliveryQuestions = ["Q-webhook-delivery"];

async function deliverInOrder({ events, deliver }: Receiver): Promise<void> {
  for (const event of events) await deliver(event);
}

function shuffle<Item>(items: readonly Item[], random: Receiver["random"]): Item[] {
  const remainingItems = [...items];
  return items.flatMap(() => remainingItems.splice(random(remainingItems.length), 1));
}

const newIdentifiers = (number: number) => ({ id: makeId(number), cryptoDepositId: makeId(number) });

export const receiverConditions: readonly ReceiverCondition[] = [
  { name: "in-order", meaning: "each event arrives once, in order", questions: [], play: deliverInOrder },
  {
    name: "three-times",
    meaning: "each event arrives three times",
    questions: deliveryQuestions,
    play: (receiver) => deliverInOrder({ ...receiver, events: receiver.events.flatMap((item) => [item, item, item]) }),
  },
  {
    name: "five-at-once",
    meaning: "each event arrives five times at the same moment",
    questions: deliveryQuestions,
    play: async ({ events, deliver }) => {
      for (const event of events) await awaitAll([1, 2, 3, 4, 5].map(() => deliver(event)));
    },
  },
  {
    name: "reversed",
    meaning: "the last event arrives first",
    questions: deliveryQuestions,
    play: (receiver) => deliverInOrder({ ...receiver, events: receiver.events.toReversed() }),
  },
  {
    name: "shuffled-twice",
    meaning: "all events arrive in one random order, and again in another",
    questions: deliveryQuestions,
    play: ({ events, random, ...receiver }) =>
      deliverInOrder({ ...receiver, random, events: [...shuffle(events, random), ...shuffle(events, random)] }),
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
    questions: deliveryQuestions,
    play: async ({ events, deliver, restart, random }) => {
      for (const [index, event] of events.entries()) {
        const isKilled = index % 3 === 0;
        await awaitAll([isKilled ? wait(random(9)).then(restart) : Promise.resolve(), deliver(event)]);
      }
    },
  },
  {
    name: "everything-again",
    meaning: "the receiver is restarted, and all events arrive once more",
    questions: deliveryQuestions,
    play: async (receiver) => {
      await deliverInOrder(receiver);
      await receiver.restart();
      await deliverInOrder(receiver);
    },
  },
  {
    name: "forged",
    meaning: "events arrive without the token, or with another one",
    questions: ["Q-webhook-authentication"],
    play: async (receiver) => {
      const { events, token, post, reportAccepted } = receiver;
      const wrongTokens = {
        none: undefined,
        empty: "",
        other: "wrong",
        "the beginning of it": token.slice(0, -1),
        longer: `${token}x`,
      };
      for (const [tokenKind, wrongToken] of Object.entries(wrongTokens)) {
        for (const [index, event] of events.entries()) {
          const status = await post(
            event.path,
            withMembers(event, { ...newIdentifiers(index), amount: "9999" }),
            wrongToken,
          );
          if (status === acknowledgedStatus)
            reportAccepted(`${event.webhook} with a token that is not the right one (${tokenKind})`);
        }
      }
      await deliverInOrder(receiver);
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
          withMembers(event, { ...newIdentifiers(index), amount: "a lot" }),
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
        await post(event.path, withMembers(event, { ...newIdentifiers(index), status: "A_NEW_STATUS" }), token);
        await deliver({ ...event, body: withMembers(event, { aNewMember: { is: ["here"] } }) });
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
        const isCreditedDeposit = event.webhook === "cryptoDeposit" && status === "SUCCESSFUL";
        if (isCreditedDeposit) await deliver({ ...event, body: withMembers(event, { status: status.toLowerCase() }) });
        await deliver(event);
      }
    },
  },
  {
    name: "ends-failed",
    meaning: "calls that were accepted fail in the end",
    questions: ["Q-transfer-event-status", "Q-sepa-event-failure"],
    hasFailures: true,
    play: deliverInOrder,
  },
];
