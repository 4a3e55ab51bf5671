import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { endOfAnswer, requestText, sendLoad } from "../../scripts/bench/mock-load.ts";
import { UsageError } from "../../scripts/contract/index.ts";

const bodies: string[] = [];
let server: Server;
let port: number;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    bodies.push(`${request.method} ${request.url} ${request.headers["x-api-key"]} ${body}`);
    const text = "grün".repeat(30_000);
    response.writeHead(request.url === "/refused" ? 400 : 200, { "content-length": Buffer.byteLength(text) }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

const requestTo = (path: string) => ({
  name: "Sample",
  text: requestText("POST", path, "key", { name: "ö" }),
  status: 200,
});

it("counts the answers, also those that arrive in pieces", async () => {
  bodies.length = 0;
  const { answers, elapsed } = await sendLoad(port, () => requestTo("/made"), { milliseconds: 10_000, most: 24 });
  expect(answers).toBe(24);
  expect(bodies).toEqual(Array(24).fill('POST /made key {"name":"ö"}'));
  expect(elapsed).toBeGreaterThan(0);
});

it("ends when the time is over", async () => {
  const { answers, elapsed } = await sendLoad(port, () => requestTo("/made"), { milliseconds: 50, connections: 2 });
  expect(answers).toBeGreaterThan(1);
  expect(elapsed).toBeGreaterThanOrEqual(50);
});

it("fails when an answer is not the one that is expected", async () => {
  const load = sendLoad(port, () => requestTo("/refused"), { milliseconds: 1000 });
  await expect(load).rejects.toThrow(UsageError);
  await expect(load).rejects.toThrow(/^Sample: answered 400 instead of 200/);
});

it("finds the end of an answer", () => {
  expect(endOfAnswer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n")).toBeUndefined();
  expect(endOfAnswer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")).toBe(40);
  expect(() => endOfAnswer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")).toThrow(UsageError);
});
