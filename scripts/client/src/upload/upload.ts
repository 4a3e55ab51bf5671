/** Files are copied when the call is made. The code that checks and reads them is loaded later. */

import type { UploadRules } from "../base/operation.ts";
import { InvalidRequest } from "../errors/invalid-request.ts";
import type { CapturedUpload } from "./types.ts";

export function captureUpload(body: unknown, rules: UploadRules): CapturedUpload {
  const capturedBody = captureBody(body, rules.parts);
  const upload: CapturedUpload = {
    names: undefined,
    load: async () => {
      const { prepareUpload, InvalidFiles } = await import("./files.ts").catch((cause) => {
        throw new InvalidRequest(["upload"], cause);
      });
      const refuse = (cause: unknown): never => {
        throw cause instanceof InvalidFiles ? new InvalidRequest(["text", cause.message], cause.cause) : cause;
      };
      const { names, read } = await prepareUpload(capturedBody, rules).catch(refuse);
      upload.names = names;
      return { names, read: (signal) => read(signal).catch(refuse) };
    },
  };
  return upload;
}

function captureBody(body: unknown, parts: readonly string[]): unknown {
  if (typeof body !== "object" || body === null) return body;
  try {
    const names = new Set([...Object.keys(body), ...parts]);
    const captureMember = (name: string) => {
      const value = (body as Record<string, unknown>)[name];
      return [name, Array.isArray(value) ? value.map(captureFile) : captureFile(value)] as const;
    };
    return Object.fromEntries([...names].map(captureMember));
  } catch (cause) {
    throw new InvalidRequest(["body-unread"], cause);
  }
}

/** Any other value is returned unchanged: `prepareUpload` checks it later. */
function captureFile(file: unknown): unknown {
  try {
    const { data, name, type } = Object(file) as Record<string, unknown>;
    if (file instanceof Blob) return { data: file, name: typeof name === "string" ? name : "", type };
    if (typeof name !== "string") return file;
    // Without a listener, a Node stream that fails before it is read would end the process.
    (data as { on?: (event: string, listener: () => void) => unknown } | null)?.on?.("error", () => {});
    return { data: isBuffer(data) ? new Blob([data]) : data, name, type };
  } catch {
    return file;
  }
}

/** The caller can still change such bytes. `instanceof` would not recognise an ArrayBuffer of another realm. */
function isBuffer(value: unknown): value is ArrayBufferView<ArrayBuffer> | ArrayBuffer {
  return ArrayBuffer.isView(value) || /ArrayBuffer]$/.test(Object.prototype.toString.call(value));
}
