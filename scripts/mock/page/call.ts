import { findById } from "./dom.ts";

export const keyField: HTMLInputElement = findById<HTMLInputElement>("key");

/**
 * The URL is relative to the page, so that the call also works if a proxy serves the mock below a path.
 *
 * @param path the path below `/__mock/`.
 * @throws {Error} with the mock's message when the mock refuses the call.
 * @throws {TypeError} when there is no response.
 */
export async function call<Result = unknown>(method: string, path: string, body?: unknown): Promise<Result> {
  const headers = { "x-api-key": keyField.value, "content-type": "application/json" };
  const text = body === undefined ? null : JSON.stringify(body);
  const response = await fetch(path, { method, headers, body: text });
  const value = response.status === 204 ? undefined : await response.json();
  if (!response.ok) throw new Error(value.message);
  return value as Result;
}
