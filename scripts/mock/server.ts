/** The HTTP side of the mock: reads requests and writes replies. No request can end the process. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { MockReply, MockRequest } from "./answer.ts";
import { bodyLimit, type ReceivedBody } from "./body.ts";

/** One answered request, without anything that could be sensitive: no header, no body, no value of a parameter. */
export interface RequestEntry {
  method: string;
  /** The path template of the contract; undefined when no path matches. */
  path: string | undefined;
  status: number;
  /** The P-code of the answer. */
  code: string | undefined;
  milliseconds: number;
  notes: string[];
}

/** Headers that let a page of any origin call the mock and read all of its answers. */
const crossOriginHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "*",
};

/** Makes a server, not yet listening, that answers with the function. */
export function makeServer(
  answer: (request: MockRequest) => Promise<MockReply>,
  onRequest: (entry: RequestEntry) => void,
): Server {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const startedAt = performance.now();
    const body = await readBody(request);
    const reply = await answer({ ...readTarget(request), headers: request.headers, body });
    response.on("finish", () => onRequest(toEntry(request, reply, performance.now() - startedAt)));
    send(response, reply);
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    // A client that disconnects before its request is complete gets no answer. Any other failure ends the connection
    // and not the process.
    handle(request, response).catch(() => response.destroy());
  };
  const server = createServer(listener);
  // Without a listener Node itself refuses an unknown Expect header.
  server.on("checkExpectation", listener);
  return server;
}

/** Reads the whole body, also one that is too large, so that the client has sent everything when it is answered. */
async function readBody(request: IncomingMessage): Promise<ReceivedBody> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= bodyLimit) chunks.push(chunk);
    else chunks = [];
  }
  return { bytes: Buffer.concat(chunks), tooLarge: size > bodyLimit };
}

/** Splits the request target without `URL`, which resolves dot segments and rejects some targets. */
function readTarget(request: IncomingMessage): Pick<MockRequest, "method" | "path" | "query"> {
  const target = (request.url ?? "/").replace(/^https?:\/\/[^/?]*/i, "");
  const [, path = "", query = ""] = /^([^?]*)\??(.*)$/s.exec(target) ?? [];
  return { method: request.method ?? "GET", path, query: new URLSearchParams(query) };
}

function send(response: ServerResponse, reply: MockReply): void {
  const length = reply.status === 204 ? {} : { "content-length": String(Buffer.byteLength(reply.body)) };
  response.writeHead(reply.status, { ...crossOriginHeaders, ...reply.headers, ...length });
  response.end(reply.body);
}

function toEntry(request: IncomingMessage, reply: MockReply, milliseconds: number): RequestEntry {
  const { template, status, code, notes } = reply;
  return { method: request.method ?? "GET", path: template, status, code, milliseconds, notes };
}
