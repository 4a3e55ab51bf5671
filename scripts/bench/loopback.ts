/** A server in a process of its own: it gives every call of a list its one answer, and does nothing else. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What the parent process sends once: answers by method and path. */
export type Answers = Record<string, { status: number; text: string }>;

process.once("message", (answers: Answers) => {
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      const { status, text } = answers[`${request.method} ${request.url}`] ?? { status: 404, text: "{}" };
      response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
      response.end(text);
    });
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
});
process.once("disconnect", () => process.exit());
