/** What arrives although nobody foresaw it: nothing of it ends the process, loses an event or goes untold. */
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { createPartnerClient, type Deviation } from "partner-wallet-api";
import { parseWebhook, testEvent, toNodeListener, webhookPaths } from "partner-wallet-api/webhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeReceiver, webhookCall, webhookToken } from "./receiver.ts";

const event = testEvent("p2pTransfer");

/** A client that is answered so, and what its hook is told. */
function answered(status: number, body: unknown) {
  const told: Deviation[] = [];
  const client = createPartnerClient({
    baseUrl: "https://a.example",
    depositBaseUrl: "https://b.example",
    apiKey: "key",
    retries: 0,
    fetch: async () => Response.json(body, { status }),
    onDeviation: (deviation) => void told.push(deviation),
  });
  return { client, told };
}

describe("a listener of node:http", () => {
  const { handler, received } = makeReceiver();
  const server = createServer(toNodeListener(handler));
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => server.close());

  /** Sends bytes, and returns the status of the response; undefined when the connection ends without one. */
  function send(text: string, thenCut = false): Promise<string | undefined> {
    return new Promise((resolve) => {
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1", () => socket.write(text));
      let response = "";
      socket.setEncoding("utf8").on("data", (chunk) => {
        response += chunk;
        socket.destroy();
      });
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1]));
      if (thenCut) setTimeout(() => socket.destroy(), 100);
    });
  }

  const end = "HTTP/1.1\r\nHost: a.example\r\nContent-Length: 0\r\n\r\n";

  it.each([
    ["TRACE", `TRACE / ${end}`, "400"],
    ["a target of slashes", `POST // ${end}`, "404"],
    ["an absolute target that is malformed", `GET http://[/ ${end}`, "400"],
    ["a port that is none", `GET //h:99999/ ${end}`, "405"],
  ])("refuses %s", async (_what, text, status) => {
    expect(await send(text)).toBe(status);
  });

  it("outlives a delivery that is cut off, and receives the next one", async () => {
    const head = `POST ${webhookPaths.p2pTransfer} HTTP/1.1\r\nHost: a.example\r\nAuthorization: ${webhookToken}\r\n`;
    expect(await send(`${head}Content-Length: 100\r\n\r\n{`, true)).toBeUndefined();
    const body = JSON.stringify(event);
    expect(await send(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)).toBe("200");
    expect(received).toEqual([event]);
  });
});

describe("an event", () => {
  it("is refused where its body cannot be read to its end, and the refusal is told", async () => {
    const { handler, refused } = makeReceiver();
    const body = new ReadableStream({ start: (controller) => controller.error(new Error("cut")) });
    const call = new Request(webhookCall(event), { body, duplex: "half" } as RequestInit);
    expect((await handler(call)).status).toBe(400);
    expect(refused.map(([{ status }]) => status)).toEqual([400]);
  });

  it("that conforms is delivered after one with the same fields that did not", async () => {
    const { handler, received, nonconforming } = makeReceiver();
    for (const body of [{ ...event, amount: 1 }, event, event]) {
      expect((await handler(webhookCall(body))).status).toBe(200);
    }
    expect([nonconforming.length, received]).toEqual([1, [event]]);
  });

  it.each([
    ["blank", { id: " " }, { id: " ", amount: "2" }],
    ["a number that is not exact", { id: 2 ** 60 }, { id: 2 ** 60, amount: "2" }],
  ])("whose identifier is %s is no repetition of another one", async (_what, first, second) => {
    const { handler, received, nonconforming } = makeReceiver();
    await handler(webhookCall({ ...event, ...first }));
    await handler(webhookCall({ ...event, ...second }));
    expect(received.length + nonconforming.length).toBe(2);
  });

  it("may begin with a byte order mark", () => {
    expect(parseWebhook(webhookPaths.p2pTransfer, `\ufeff${JSON.stringify(event)}`)).toMatchObject({ ok: true, event });
  });
});

describe("an answer", () => {
  const failure = { errorCode: "P411", errorMessage: "User exists", timestamp: "2026-03-14T09:26:53.589Z" };
  const body = { email: "lena.vogel@mail.example" };
  const path = { externalUserId: "user-1042" };

  it("with a success status and a P-code is told", async () => {
    const { client, told } = answered(200, failure);
    expect((await client.updateUser({ path, body })).data).toEqual(failure);
    expect(told.map(({ pointer, rule }) => [pointer, rule])).toEqual(
      expect.arrayContaining([
        ["/errorCode", "error-code"],
        ["/message", "required"],
      ]),
    );
  });

  it("stays data where a hundred thousand items deviate", async () => {
    const items = Array.from({ length: 100_000 }, () => ({}));
    const { client, told } = answered(200, items);
    const { data, error } = await client.getUserTransactionHistory({ path: { ...path, month: "02", year: "2026" } });
    expect([data?.length, error]).toEqual([items.length, undefined]);
    expect(told).not.toEqual([]);
  });

  it.each(["toString", "constructor", "__proto__"])("with the code %s rests on no question", async (errorCode) => {
    const { client, told } = answered(400, { ...failure, errorCode });
    await client.updateUser({ path, body });
    expect(told.map(({ question }) => question)).toEqual([undefined]);
  });

  it("is the same whatever the logger does", async () => {
    for (const logger of [
      () => {
        throw new Error("logger");
      },
      async () => {
        throw new Error("logger");
      },
    ]) {
      const fetch = async () => Response.json({ message: "done" });
      const options = {
        baseUrl: "https://a.example",
        depositBaseUrl: "https://b.example",
        apiKey: "key",
        fetch,
        logger,
      };
      expect((await createPartnerClient(options).updateUser({ path, body })).data).toEqual({ message: "done" });
    }
  });
});
