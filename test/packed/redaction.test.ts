/** Defects 7 and 8: nothing sensitive is shown, and nothing else is cut out. */
import { inspect } from "node:util";
import { createPartnerClient, type PartnerApiError } from "partner-wallet-api";
import { describe, expect, it } from "vitest";

const apiKey = "canary-key-5f2a";

const user = {
  externalUserId: "user-1042",
  email: "Lena.Vogel+kyc@mail.example",
  phone: "447700900987",
  firstName: 'Jörg "Joe" O\'Neil',
  lastName: "Vogel",
  street: "Müllerstraße <5>",
  number: "45",
  city: "Berlin",
  postCode: "10115",
  country: "DE",
  birthDate: "1991-07-23",
};

/** The error of a call that creates a user, of a service that answers, or a fetch that fails, like this. */
async function failWith(
  answer: (request: Request) => Response | Promise<Response>,
  body: Partial<typeof user> = {},
): Promise<PartnerApiError> {
  const options = {
    baseUrl: "https://api.example",
    depositBaseUrl: "https://deposits.example",
    apiKey,
    fetch: async (request: Request) => answer(request),
  };
  const call = { body: { ...user, ...body } };
  const { error } = await createPartnerClient(options).createUserAccount(call);
  if (error === undefined) throw new Error("The call succeeded.");
  return error;
}

/** Everything that a partner's program might print of an error. */
function printed(error: PartnerApiError): string {
  const causes: (Error | undefined)[] = [];
  for (let { cause } = error; cause !== undefined; cause = (cause as Error).cause) causes.push(cause as Error);
  return [
    String(error),
    error.stack,
    error.errorMessage,
    error.body,
    JSON.stringify([error, causes]),
    inspect([error, causes], { depth: 20, showHidden: true }),
    ...causes.map((cause) => `${cause} ${cause?.stack}`),
  ].join("\n");
}

const answer =
  (text: string, type: string, status = 500) =>
  () =>
    new Response(text, { status, headers: { "content-type": type } });
const html = (text: string) => answer(`<p>${text}`, "text/html");
const json = (text: string) => answer(text, "application/json");
const message = (errorMessage: string, timestamp = "2026-03-09T10:45:30.000Z") => {
  return answer(JSON.stringify({ errorCode: "P403", errorMessage, timestamp }), "application/json", 400);
};

it.each([
  ["in a page", html(user.email), [user.email]],
  ["in a page, escaped", html("J&ouml;rg &quot;Joe&quot; O&#39;Neil"), ["Joe", "Neil"]],
  ["in a page, escaped by numbers", html("M&#252;llerstra&#xDF;e &lt;5&gt;"), ["llerstra"]],
  ["in an escaped JSON of a page", html("{&quot;cardNumber&quot;:&quot;4000056655665556&quot;}"), ["4000056655665556"]],
  ["in broken JSON, escaped", json('{"detail":"bad value J\\u00f6rg \\"Joe\\" O\'Neil'), ["Joe", "Neil"]],
  ["in JSON in broken JSON", json('{"detail":"{\\"cvv\\":\\"canary-cvv\\"}"'), ["canary-cvv"]],
  ["in lower case", message("email lena.vogel+kyc@mail.example is taken"), ["lena.vogel"]],
  ["in upper case", message("MÜLLERSTRASSE <5> is unknown"), ["LLERSTRASSE"]],
  ["in a URL", html("Cannot POST /x?email=Lena.Vogel%2Bkyc%40mail.example"), ["Lena.Vogel", "mail.example"]],
  ["in form data", html("name=J%C3%B6rg+%22Joe%22+O%27Neil"), ["Joe", "Neil"]],
  ["in groups", message("phone +44 7700 900987, 4477-0090-0987"), ["900987", "0987"]],
  [
    "in an array and an object of broken JSON",
    json('{"email":["other.person@mail.example"],"iban":{"value":"DE89370400440532013000"}'),
    ["other.person", "DE8937"],
  ],
  ["in an array that is cut off", json('{"email":["other.person@mail.exa'), ["other.person"]],
  ["as a number in broken JSON", json('{"cardNumber":4000056655665556'), ["4000056655665556"]],
])("7: a value is not shown that the service gives back %s", async (_name, answer, canaries) => {
  const shown = printed(await failWith(answer));
  expect(canaries.filter((canary) => shown.includes(canary))).toEqual([]);
  expect(shown).toContain("[redacted]");
});

/** What a transport keeps of a request in its errors. */
async function requestOf(request: Request) {
  return { config: { headers: Object.fromEntries(request.headers), data: await request.text() } };
}

const rejections: [name: string, reject: (request: Request) => Promise<unknown>][] = [
  ["an error with own properties", async (request) => Object.assign(new Error("failed"), await requestOf(request))],
  [
    "an error whose cause has own properties",
    async (request) => new Error("failed", { cause: Object.assign(new Error("inner"), await requestOf(request)) }),
  ],
  ["an error whose cause is no Error", async (request) => new Error("failed", { cause: await requestOf(request) })],
  ["an object", async (request) => ({ message: "failed", ...(await requestOf(request)) })],
  ["a string", async (request) => `failed with ${await request.text()}`],
  ["an AggregateError", async (request) => new AggregateError([new Error(await request.text())], "all failed")],
  [
    "an AggregateError in a cause",
    async (request) => new TypeError("failed", { cause: new AggregateError([await request.text()], user.email) }),
  ],
  [
    "an error whose message is the request in lower case",
    async (request) => new Error((await request.text()).toLowerCase()),
  ],
  [
    "an error that throws when it is read",
    async () => {
      const get = () => {
        throw new Error(user.email);
      };
      return Object.defineProperties(new Error(user.email), { message: { get }, cause: { get }, config: { get } });
    },
  ],
];

it.each(rejections)("7: nothing that was sent is shown when fetch rejects with %s", async (_name, reject) => {
  const error = await failWith(async (request) => {
    throw await reject(request);
  });
  expect(error.kind).toBe("network");
  expect(error.cause).toBeInstanceOf(Error);
  const shown = printed(error).toLowerCase();
  const canaries = [apiKey, user.email.toLowerCase(), user.phone, "jörg", "o'neil", "müller", user.birthDate];
  expect(canaries.filter((canary) => shown.includes(canary))).toEqual([]);
});

it("7: what helps to find a failed connection is kept", async () => {
  const inner = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED", errno: -111 });
  const { cause } = await failWith(async () => {
    throw new TypeError("fetch failed", { cause: inner });
  });
  expect(cause).toMatchObject({
    name: "TypeError",
    message: "fetch failed",
    cause: { message: "connect ECONNREFUSED 127.0.0.1:1", code: "ECONNREFUSED", errno: -111 },
  });
});

describe("8: short values", () => {
  it.each(["2026-03-09T10:45:30.000Z", "2026-03-09T10:45:30+01:00"])(
    "leave the timestamp %s alone",
    async (timestamp) => {
      const error = await failWith(message("failed", timestamp), { number: "45", city: "2026", postCode: "30.000" });
      expect(error.timestamp).toBe(timestamp);
    },
  );

  it("leave the message alone", async () => {
    const { message: before } = await failWith(message("failed"), { number: "1" });
    const { message: after } = await failWith(message("failed"), { number: "400", firstName: "P403", city: "User" });
    expect(after).toContain("400 P403");
    expect(after).toBe(before);
  });

  it("are cut out behind a sensitive name only", async () => {
    const { errorMessage } = await failWith(message("number: 45 (country DE) is DENIED for DE at 10:45, 45 times"));
    expect(errorMessage).toBe("number: [redacted] (country [redacted]) is DENIED for DE at 10:45, 45 times");
  });

  it("are cut out of a JSON text with the name of another value", async () => {
    const { body } = await failWith(json('{"nationality": "DE", "number":45, "status": 45'));
    expect(body).toBe('{"nationality": "[redacted]", "number":"[redacted]", "status": 45');
  });

  it("change nothing when they are texts of the service", async () => {
    const body = {
      errorCode: "P411",
      errorMessage: "User DE exists since 45 days",
      timestamp: "2026-01-01T00:00:00.000Z",
    };
    const error = await failWith(answer(JSON.stringify(body), "application/json", 400), { firstName: "Use" });
    expect(error).toMatchObject(body);
  });
});
