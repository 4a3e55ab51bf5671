/** Reads the bodies of webhook calls, and writes the responses. */

/** Reads the body as text; returns undefined as soon as it exceeds the limit. */
export async function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return undefined;
  const reader = request.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let size = 0;
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** A response with a JSON object: empty, or with a message. */
export function respond(status: number, message?: string, headers: Record<string, string> = {}): Response {
  return Response.json(message === undefined ? {} : { message }, { status, headers });
}
