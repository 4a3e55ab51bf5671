/** Callers that send slowly, of receivers on node:http and node:http2. Their connections are closed after seconds, so the tests wait. */
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { toNodeListener } from "partner-wallet-api/webhooks";
import { expect, it } from "vitest";
import { testSlowCallers } from "./any-request.ts";
import { chunkedHeaders, listenWith, makeHandler, newEvent, path, requestText, watchServers } from "./receivers.ts";

const startServer = watchServers();

testSlowCallers((handler) => listenWith(toNodeListener(handler)), startServer);

it.concurrent("responds to a caller that never stops sending, then closes the connection", async () => {
  const port = await startServer(listenWith(toNodeListener(makeHandler().handler)));
  const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
  const receivedText = await new Promise<string>((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(requestText({ headers: chunkedHeaders }, chunk.repeat(3))),
    );
    const timer = setInterval(() => socket.write(chunk), 20);
    socket.setEncoding("latin1").on("data", (part) => {
      text += part;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(timer);
      resolve(text);
    });
  });
  expect(receivedText).toMatch(/^HTTP\/1\.1 413 /);
  expect(receivedText).toMatch(/connection: close/i);
  expect(receivedText).toContain("The body is larger than 65536 bytes.");
});

it.concurrent("receives events over HTTP/2, also after slow callers, whose streams are closed", async () => {
  const { handler, received, refusals } = makeHandler({ bodyTimeoutMs: 300 });
  const server = createHttp2Server(toNodeListener(handler) as never);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const types = new Set<unknown>();
  const post = (authorization: string, body: string, isSlow = false) =>
    new Promise((resolve) => {
      const stream = client.request({ ":method": "POST", ":path": path, authorization });
      const timer = isSlow ? setInterval(() => stream.writable && stream.write(" "), 50) : undefined;
      let status: unknown;
      stream.on("response", (headers) => {
        status = headers[":status"];
        types.add(headers["content-type"]);
        if (!isSlow) resolve(status);
      });
      stream.on("error", () => undefined);
      stream.on("close", () => {
        clearInterval(timer);
        resolve([status, "closed"]);
      });
      stream.resume();
      if (isSlow) stream.write(body);
      else stream.end(body);
    });
  const event = newEvent();
  expect(await post("secret-token", JSON.stringify(event))).toBe(200);
  expect(await post("wrong", " ".repeat(200_000))).toBe(401);
  expect(await post("secret-token", " ".repeat(200_000))).toBe(413);
  expect(await Promise.all([post("wrong", " ", true), post("secret-token", " ", true)])).toEqual([
    [401, "closed"],
    [408, "closed"],
  ]);
  expect(await post("secret-token", JSON.stringify(event))).toBe(200);
  expect([received, refusals.map(([{ status }]) => status)]).toEqual([[event], [401, 413, 401, 408]]);
  expect([...types]).toEqual(["application/json"]);
  client.close();
  await new Promise((resolve) => server.close(resolve));
});
