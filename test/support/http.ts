import type { IncomingMessage } from "node:http";

export { type LoopbackServer as TestServer, serveOnLoopback as serve } from "../client/packed/support.ts";

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
