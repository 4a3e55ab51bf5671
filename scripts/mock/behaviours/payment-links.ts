import { multiplyByRate } from "../kernel/money.ts";
import type { BehaviourGroup, Call, MockWorld } from "./behaviour.ts";
import { readAmountUnits, readCurrency, readNetwork, resourceForTransition } from "./external-event.ts";
import { endTransaction, recordTransaction } from "./funds.ts";
import { newTransactionHash } from "./identifiers.ts";
import type { Resource } from "./records.ts";
import { decisionEvent, expiryEvent, jobForStatus, showRecord } from "./steps.ts";
import { amountText, currencyOf, exchangeRate, readAmount, timestamp } from "./values.ts";

type Link = Resource<"paymentLink">;

const creditedCurrency = "eur";

export const paymentLinks: BehaviourGroup = {
  operations: {
    createPaymentLink: (call) => createLink(call, "https://pay.wallet-service.example"),
    createHostedCheckout: (call) => createLink(call, "https://checkout.partner.example"),

    getPaymentLinkDetails: (call) => showRecord(call, "paymentLink", call.path.paymentLinkId, bodyOf),
  },

  jobs: {
    expirePaymentLink: jobForStatus("paymentLink", "WAITING_FOR_PAYMENT", (world, link) => world.move(link, "EXPIRED")),

    confirmPayment: jobForStatus("paymentLink", "WAITING_FOR_CONFIRMATION", (world, link) => {
      const { cryptocurrency, received } = link.data;
      const isPaidInFull = cryptocurrency !== null && received >= requiredUnits(world, link, cryptocurrency);
      endLink(world, link, isPaidInFull ? "COMPLETED" : "FAILED");
    }),
  },

  events: { paymentLink: bodyOf },

  externalEvents: {
    "paymentLink.paymentArrives": (world, input) => {
      const link = resourceForTransition(world, "paymentLink", input, "WAITING_FOR_CONFIRMATION");
      const cryptocurrency = readCurrency(world, input, "cryptocurrency", "usdc");
      const network = readNetwork(world, input, cryptocurrency);
      const fallback = amountText(world, requiredUnits(world, link, cryptocurrency), cryptocurrency);
      const received = readAmountUnits(world, input, { field: "receivedAmount", currency: cryptocurrency, fallback });
      const transactionHash = input.text("transactionHash", newTransactionHash(world, network));
      world.records.change(link, { cryptocurrency, network, received, transactionHash });
      world.move(link, "WAITING_FOR_CONFIRMATION");
      world.schedule(world.assumptions.delays.payment, "confirmPayment", { paymentLinkId: link.id });
      return link;
    },

    ...decisionEvent("paymentLink", "paymentIsConfirmed", endLink),
    ...expiryEvent("paymentLink", "linkExpires"),
  },
};

function createLink(call: Call<"createPaymentLink"> | Call<"createHostedCheckout">, page: string) {
  const { world, body } = call;
  const { currency, units } = readAmount(call);
  if (currency !== creditedCurrency)
    call.refuse("P403", `currency ${currency}: payments are credited in ${creditedCurrency}`);
  const { seconds } = world.assumptions.paymentLinks;
  const id = world.ids.uuid();
  const data = {
    url: `${page}/${id}`,
    units,
    currency,
    title: body.title ?? null,
    expiresAt: world.now + seconds * 1000,
    cryptocurrency: null,
    network: null,
    received: 0n,
    transactionHash: null,
  };
  world.create("paymentLink", { id, owner: null, data });
  world.schedule(seconds, "expirePaymentLink", { paymentLinkId: id });
  return { status: 201 as const, body: { paymentLinkId: id, url: data.url } };
}

function requiredUnits(world: MockWorld, { data }: Link, cryptocurrency: string): bigint {
  const { decimals } = currencyOf(world, cryptocurrency);
  const rate = exchangeRate(world, data.currency, cryptocurrency);
  return multiplyByRate(data.units, currencyOf(world, data.currency).decimals, rate, decimals);
}

function endLink(world: MockWorld, link: Link, status: string): void {
  if (status === "COMPLETED") {
    const { currency, units } = link.data;
    endTransaction(world, recordTransaction(world, { owner: null, type: "payment", currency, units }).id, true);
  }
  world.move(link, status);
}

function bodyOf(world: MockWorld, { id, states, data, createdAt }: Link) {
  const { url, currency, title, cryptocurrency, network, transactionHash } = data;
  const status = states.status ?? "";
  return {
    paymentLinkId: id,
    url,
    status,
    amount: amountText(world, data.units, currency),
    currency,
    title,
    cryptocurrency,
    network,
    receivedAmount: cryptocurrency === null ? null : amountText(world, data.received, cryptocurrency),
    // As in the examples: transactionHash is absent after the link has expired, and otherwise null until the hash is known.
    ...(status === "EXPIRED" ? {} : { transactionHash }),
    createdAt: timestamp(createdAt),
    expiresAt: timestamp(data.expiresAt),
  };
}
