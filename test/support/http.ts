import type { IncomingMessage } from "node:http";
import { onTestFinished } from "vitest";
import { serveOnLoopback, type LoopbackServer as TestServer } from "../client/packed/support.ts";

export { serveOnLoopback as serve, type TestServer };

export async function serveInTest(listener: Parameters<typeof serveOnLoopback>[0]): Promise<TestServer> {
  const server = await serveOnLoopback(listener);
  onTestFinished(() => server.close());
  return server;
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
