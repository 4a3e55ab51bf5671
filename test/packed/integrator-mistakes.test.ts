/** What integrators of the service got wrong: each mistake with what is done, and what the partner sees of it. */
import { formatWithOptions, inspect } from "node:util";
import { createPartnerClient, type DecimalInput, type LogEvent, type PartnerApiError } from "partner-wallet-api";
import { createWebhookHandler, parseWebhook, testEvent, webhookPaths } from "partner-wallet-api/webhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Service, startService } from "./service.ts";

const apiKey = "canary-key-5d1f";
const path = { externalUserId: "user-1042" };
const card = { externalUserId: "user-1042", cardId: "67164890-d49d-4ac1-a5b8-063831360a40" };
const secrets = { cardNumber: "4111111111111111", cvv: "739", pin: "8264" };
const balances = { fiatBalances: [], cryptoBalances: [] };
const timestamp = "2026-03-09T10:45:30.000Z";

let main: Service;
let deposits: Service;

beforeAll(async () => {
  main = await startService({
    "GET /v1/user/balances/user-1042": [200, balances],
    "GET /v1/partner/balances": [200, balances],
    "POST /v1/transfer": [400, failure("P433", "insufficient-funds", "Insufficient funds")],
    "POST /v1/sepa-transfer": [400, failure("P433", "notEnoughMoney", "The balance is too low")],
    // Cut in the middle, as by a proxy.
    [`GET /v1/card/details/user-1042/${card.cardId}`]: [
      200,
      `{"cardNumber":"${secrets.cardNumber}","cvv":"${secrets.cvv}"`,
    ],
    "POST /v1/card/virtual": [200, { cardId: card.cardId, ...secrets, exp: "01/30" }],
    "PATCH /v1/card/pin": [
      400,
      failure("P434", "invalid-card", `No card 4111 1111 1111 1111 with the pin ${secrets.pin}`),
    ],
  });
  deposits = await startService({});
});
afterAll(() => Promise.all([main.close(), deposits.close()]));

function failure(errorCode: string, errorName: string, errorMessage: string) {
  return { errorCode, errorName, errorMessage, timestamp };
}

function options(more: { baseUrl?: string; depositBaseUrl?: string; apiKey?: string } = {}) {
  return { baseUrl: main.url, depositBaseUrl: deposits.url, apiKey, retries: 0, ...more };
}

/** What a result tells the partner. */
function seen({ data, error }: { data: unknown; error: PartnerApiError | undefined }) {
  if (error === undefined) return { data };
  const { kind, outcome, errorCode, errorName, meaning, resolution, message } = error;
  return { kind, outcome, errorCode, errorName, meaning, resolution, message };
}

/** What an error that is thrown while something is made tells the partner. */
function thrownBy(make: () => unknown): { thrown: string } {
  try {
    make();
  } catch (error) {
    return { thrown: String(error) };
  }
  return { thrown: "nothing" };
}

function transfer(amount: DecimalInput) {
  const body = { sourceExternalUserId: "user-1042", currency: "eur", amount };
  return createPartnerClient(options()).createTransfer({ body });
}

const unknownPath = {
  kind: "unexpected-answer",
  outcome: "refused",
  message: expect.stringMatching(/unexpected 404 response: .*\. Check the base URL, .*this operation in this edition/),
};
const hook = { authorization: "canary-token", on: {}, otherwise: "acknowledge", nonconforming: "reject" } as const;

interface Row {
  mistake: string;
  done: string;
  see: () => unknown;
  expected: object;
}

const rows: Row[] = [
  {
    mistake: "a wrong path for the balances",
    done: "the operation knows its path",
    see: async () => seen(await createPartnerClient(options()).getUserBalances({ path })),
    expected: { data: balances },
  },
  {
    mistake: "a wrong path for the balances",
    done: "the path of a gateway that is not there is put before all paths",
    see: async () => {
      const client = createPartnerClient(options({ baseUrl: `${main.url}/gateway` }));
      return seen(await client.getUserBalances({ path }));
    },
    expected: unknownPath,
  },
  {
    mistake: "/v1 in the base URL",
    done: "a client is made",
    see: () => thrownBy(() => createPartnerClient(options({ baseUrl: "https://api.example/v1/" }))),
    expected: { thrown: "TypeError: baseUrl must not end in /v1: the paths of the operations begin with it." },
  },
  {
    mistake: "swapped addresses",
    done: "an operation is called",
    see: async () => {
      const client = createPartnerClient(options({ baseUrl: deposits.url, depositBaseUrl: main.url }));
      return seen(await client.getPartnerBalances());
    },
    expected: unknownPath,
  },
  {
    mistake: "the wrong edition",
    done: "an operation that only the edition test has is called on the service of latest",
    see: async () =>
      seen(
        await createPartnerClient({ ...options(), edition: "test" }).getOrderRates({
          query: { currency: "btc", network: "btc", amount: "250.00" },
        }),
      ),
    expected: unknownPath,
  },
  {
    mistake: "a key that was read with its line break",
    done: "a client is made",
    see: () => thrownBy(() => createPartnerClient(options({ apiKey: `${apiKey}\n` }))),
    expected: { thrown: expect.stringMatching(/^TypeError: apiKey contains a space, a line break(?!.*canary)/) },
  },
  {
    mistake: "errorName matched instead of errorCode",
    done: "the service says insufficient-funds",
    see: async () => seen(await transfer("10.50")),
    expected: {
      kind: "code",
      errorCode: "P433",
      meaning: "Insufficient funds",
      message: expect.stringContaining("P433"),
    },
  },
  {
    mistake: "errorName matched instead of errorCode",
    done: "the service writes the name in another way",
    see: async () => {
      const body = {
        sourceExternalUserId: "user-1042",
        currency: "eur",
        amount: "10.50",
        transferTitle: "Savings",
      } as const;
      const call = { body: { ...body, destinationIban: "DE02120300000000202051" } };
      return seen(await createPartnerClient(options()).createSepaTransfer(call));
    },
    expected: {
      kind: "code",
      errorCode: "P433",
      meaning: "Insufficient funds",
      message: expect.not.stringContaining("notEnough"),
    },
  },
  {
    mistake: "a month of one digit",
    done: "the history of month 2 is asked for",
    see: async () => {
      const client = createPartnerClient(options());
      return seen(await client.getUserTransactionHistory({ path: { ...path, month: "2", year: "2026" } }));
    },
    expected: {
      kind: "invalid-request",
      outcome: "not-sent",
      message: 'getUserTransactionHistory: The path parameter "month" does not match ^(0[1-9]|1[0-2])$.',
    },
  },
  {
    mistake: "an HMAC check on webhooks that carry a plain token",
    done: "the service calls without a signature and with its token",
    see: async () => ({ status: await deliver(createWebhookHandler(hook), "p2pTransfer") }),
    expected: { status: 200 },
  },
];

/** Delivers an event as the service does, and returns the status of the response. */
async function deliver(
  handle: (request: Request) => Promise<Response>,
  name: "p2pTransfer" | "card3dsCode" | "cardActivationCode",
  at: string = webhookPaths.p2pTransfer,
): Promise<number> {
  const headers = { authorization: "canary-token", "content-type": "application/json" };
  const body = JSON.stringify(testEvent(name));
  return (await handle(new Request(`https://partner.example${at}`, { method: "POST", headers, body }))).status;
}

describe("a mistake", () => {
  const titled = rows.map((row) => [`${row.mistake}: ${row.done}`, row] as const);

  it.each(titled)("%s", async (_title, { see, expected }) => {
    expect(await see()).toMatchObject(expected);
  });
});

describe("3DS and activation codes", () => {
  const paths = { card3dsCode: "/hooks/3ds", cardActivationCode: "/hooks/activation" };

  it("reach their own functions by their paths", async () => {
    const handled: unknown[] = [];
    const handle = createWebhookHandler({
      ...hook,
      paths,
      on: {
        card3dsCode: (event) => void handled.push(["3ds", event]),
        cardActivationCode: (event) => void handled.push(["activation", event]),
      },
    });
    // The body of one has every field of the other.
    await deliver(handle, "cardActivationCode", paths.card3dsCode);
    await deliver(handle, "cardActivationCode", paths.cardActivationCode);
    const event = testEvent("cardActivationCode");
    expect(handled).toEqual([
      ["3ds", event],
      ["activation", event],
    ]);
  });

  it("are told apart by a name in one function for all, and by parseWebhook", async () => {
    const names: string[] = [];
    const handle = createWebhookHandler({ ...hook, paths, otherwise: ({ name }) => void names.push(name) });
    await deliver(handle, "card3dsCode", paths.card3dsCode);
    await deliver(handle, "cardActivationCode", paths.cardActivationCode);
    expect(names).toEqual(["card3dsCode", "cardActivationCode"]);
    const text = JSON.stringify(testEvent("cardActivationCode"));
    const parsed = [parseWebhook(paths.card3dsCode, text, { paths }), parseWebhook("cardActivationCode", text)];
    expect(parsed.map((result) => result.ok && result.name)).toEqual(["card3dsCode", "cardActivationCode"]);
    expect(parseWebhook(paths.card3dsCode, text)).toMatchObject({ ok: false, status: 404 });
  });
});

describe("card number, security code and PIN", () => {
  it("are in no error, log or printed client", async () => {
    const printed: string[] = [];
    const print = (value: unknown) => {
      printed.push(inspect(value, { depth: 9, showHidden: true, getters: true }), JSON.stringify(value) ?? "");
      printed.push(formatWithOptions({}, "%s %o %j", value, value, value));
      if (value instanceof Error) printed.push(String(value), value.stack ?? "", inspect(value.cause));
    };
    // A duration can contain the digits of a short secret.
    const logger = (event: LogEvent) => print({ ...event, durationMs: 0 });
    const client = createPartnerClient({ ...options(), logger, onDeviation: print });
    const created = await client.createVirtualCard({
      body: { externalUserId: "user-1042", label: "Groceries", pin: secrets.pin },
    });
    const results = [
      await client.getCardDetails({ path: card }),
      await client.updateCardPin({ body: { ...card, cardNumber: secrets.cardNumber, pin: secrets.pin } as never }),
    ];
    print(client);
    for (const { error } of results) {
      expect(error).toBeDefined();
      print(error);
      printed.push(error?.body ?? "", error?.errorMessage ?? "");
    }
    // The partner gets the data, of course.
    expect(created.data?.cardNumber).toBe(secrets.cardNumber);
    const all = printed.join("\n");
    expect(all).toContain("P434");
    expect(all).toContain("[redacted]");
    for (const secret of [...Object.values(secrets), "4111 1111 1111 1111", apiKey]) expect(all).not.toContain(secret);
  });
});
