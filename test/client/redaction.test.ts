/** Canaries in everything sensitive: none of them may be in anything that can be printed. */
import { inspect } from "node:util";
import { createPartnerClient, type LogEvent, type PartnerApiError } from "partner-wallet-api";
import { describe, expect, it } from "vitest";

/** Long enough that none comes about by chance, such as among the digits of a duration or a line number. */
const canaries = {
  key: "canary-key-5f2a",
  email: "canary.person@mail.example",
  phone: "447700900987",
  firstName: "Canarina",
  documentNumber: "CANARY0099",
  pin: "729146083",
  cardNumber: "4000056655665556",
  cvv: "canary-cvv",
  fileName: "canary-passport-of-lena.png",
};

const user = {
  externalUserId: "user-1042",
  email: canaries.email,
  phone: canaries.phone,
  firstName: canaries.firstName,
  lastName: "Vogel",
  city: "Berlin",
  postCode: "10115",
  country: "DE",
  birthDate: "1991-07-23",
};

/** Everything that a partner's program might print of an error. */
function printed(error: PartnerApiError | undefined): string {
  const causes = [error?.cause, (error?.cause as Error | undefined)?.cause];
  return [
    String(error),
    error?.stack,
    error?.message,
    error?.errorMessage,
    error?.body,
    JSON.stringify(error),
    inspect(error, { depth: 10, showHidden: true }),
    ...causes.flatMap((cause) => [
      String(cause),
      inspect(cause, { showHidden: true }),
      (cause as Error | undefined)?.stack,
    ]),
  ].join("\n");
}

function expectNoCanary(text: string): void {
  expect(Object.entries(canaries).filter(([, canary]) => text.includes(canary))).toEqual([]);
}

/** Hostile answers that give back what they were sent. */
const echoes: [name: string, answer: (sent: string) => Response][] = [
  [
    "a documented error",
    (sent) =>
      Response.json({ errorCode: "P403", errorMessage: sent, errorName: sent, timestamp: sent }, { status: 400 }),
  ],
  ["an unknown code", (sent) => Response.json({ errorCode: "P999", errorMessage: sent }, { status: 400 })],
  ["a code that is the request", (sent) => Response.json({ errorCode: sent }, { status: 400 })],
  ["a 401", (sent) => Response.json({ errorMessage: sent }, { status: 401 })],
  [
    "an HTML page",
    (sent) => new Response(`<pre>${sent}</pre>`, { status: 502, headers: { "content-type": "text/html" } }),
  ],
  [
    "a content type",
    (sent) => new Response("x", { status: 201, headers: { "content-type": sent.replace(/[^\x20-\x7e]/g, "") } }),
  ],
  [
    "a success cut short",
    (sent) => new Response(sent.slice(0, -1), { status: 201, headers: { "content-type": "application/json" } }),
  ],
  [
    "a broken connection",
    (sent) => {
      throw new TypeError(`failed with ${sent}`, { cause: new Error(sent) });
    },
  ],
];

describe.each(echoes)("a server that gives back the request in %s", (_name, answer) => {
  const log: LogEvent[] = [];
  const client = createPartnerClient({
    baseUrl: "https://api.example",
    depositBaseUrl: "https://deposits.example",
    apiKey: canaries.key,
    logger: (event) => log.push(event),
    fetch: async (request) => {
      const type = request.headers.get("content-type") ?? "";
      const body = type.startsWith("multipart/")
        ? [...(await request.formData())].map(([, file]) => (file as File).name).join()
        : await request.text();
      return answer(`${request.headers.get("x-api-key")} ${body}`);
    },
  });

  it("shows nothing of a JSON body", async () => {
    const { error } = await client.createUserAccount({ body: user });
    expect(error).toBeDefined();
    expectNoCanary(printed(error));
    expectNoCanary(inspect(log, { depth: 10 }));
  });

  it("shows nothing of a file's name", async () => {
    const { error } = await client.addKycFiles({
      path: { externalUserId: "user-1042" },
      body: { selfie: { data: "bytes", name: canaries.fileName, type: "image/png" } },
    });
    expect(error).toBeDefined();
    expectNoCanary(printed(error));
  });

  it("shows nothing of a card's PIN", async () => {
    const { error } = await client.createVirtualCard({
      body: { externalUserId: "user-1042", label: "Groceries", pin: canaries.pin },
    });
    expect(error).toBeDefined();
    expectNoCanary(printed(error));
  });

  it("shows nothing of a document's data", async () => {
    const { error } = await client.addUserVerification({
      body: {
        externalUserId: "user-1042",
        documentType: "PASSPORT",
        documentNumber: canaries.documentNumber,
        documentExpirationDate: "2029-12-12",
        openAccountReason: "DAILY_USE",
        incomeSource: "SALARY",
        occupation: "IT",
      },
    });
    expect(error).toBeDefined();
    expectNoCanary(printed(error));
  });
});

it("keeps sensitive members of a broken success out of the raw text", async () => {
  const client = createPartnerClient({
    baseUrl: "https://api.example",
    depositBaseUrl: "https://deposits.example",
    apiKey: canaries.key,
    fetch: async () =>
      new Response('[{"id":"1","cardLastDigits":"9876","label":"Groceries","lastName":"Canar', {
        headers: { "content-type": "application/json" },
      }),
  });
  const { error } = await client.listUserCards({ path: { externalUserId: "user-1042" } });
  expect(error?.body).toBe('[{"id":"1","cardLastDigits":"[redacted]","label":"Groceries","lastName":"[redacted]"');
});

it.each([
  ["cut short", "application/json", (text: string) => text.slice(0, -1)],
  ["cut short, of another content type", "text/html", (text: string) => text.slice(0, -1)],
  ["wrapped in a page", "text/html", (text: string) => `<pre>${text}</pre>`],
  ["cut short, with a status that is not documented", "application/json", (text: string) => text.slice(0, -1)],
])("keeps card data of a success %s out of everything", async (name, contentType, change) => {
  const card = { cardId: "1", cardNumber: canaries.cardNumber, cvv: canaries.cvv, exp: "01/30" };
  const client = createPartnerClient({
    baseUrl: "https://api.example",
    depositBaseUrl: "https://deposits.example",
    apiKey: canaries.key,
    fetch: async () =>
      new Response(change(JSON.stringify(card)), {
        status: name.includes("status") ? 207 : 200,
        headers: { "content-type": contentType },
      }),
  });
  const { error } = await client.createVirtualCard({
    body: { externalUserId: "user-1042", label: "Groceries", pin: canaries.pin },
  });
  expect(error?.kind).toBe("unexpected-answer");
  expectNoCanary(printed(error));
});

it("leaves a short sensitive value alone where it does not stand behind a sensitive name", async () => {
  const client = createPartnerClient({
    baseUrl: "https://api.example",
    depositBaseUrl: "https://deposits.example",
    apiKey: canaries.key,
    fetch: async () =>
      Response.json(
        { errorCode: "P431", errorMessage: "DENIED for DE, country DE", timestamp: "2026-03-09T10:45:30.000Z" },
        { status: 400 },
      ),
  });
  const { error } = await client.createUserAccount({ body: { ...user, number: "45" } });
  expect(error?.errorMessage).toBe("DENIED for DE, country [redacted]");
  expect(error?.timestamp).toBe("2026-03-09T10:45:30.000Z");
});
