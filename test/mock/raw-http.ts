import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";

export interface RawRequest {
  method: string;
  url: string;
  target: string;
  headers: OutgoingHttpHeaders;
  body: Uint8Array | string;
}

export interface RawHttpResponse {
  status: number;
  contentType: string | null;
  headers: IncomingHttpHeaders;
  text: string;
}

export async function call(url: string, method: string, path: string, body?: unknown, key = "mock-key") {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const response = await fetch(`${url}${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
  return { status: response.status, text: await response.text() };
}

/** Sends a request without normalising its target and headers. */
export function sendRaw({ method, url, target, headers, body }: RawRequest): Promise<RawHttpResponse> {
  const { hostname, port } = new URL(url);
  const headersWithLength = { ...headers, "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, method, path: target, headers: headersWithLength, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            contentType: response.headers["content-type"] ?? null,
            headers: response.headers,
            text: Buffer.concat(chunks).toString("utf8"),
          }),
        );
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

/**
 * Writes bytes to a connection, and then ends the client's side; with `abort`, the whole connection is destroyed.
 *
 * @returns what is received until the connection closes.
 */
export function sendBytes(url: string, bytes: Uint8Array | string, { abort = false } = {}): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes, () => {
        if (abort) socket.destroy();
        else socket.end();
      });
    });
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(text));
  });
}
