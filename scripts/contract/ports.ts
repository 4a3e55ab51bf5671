import { UsageError } from "./usage-error.ts";

/**
 * Reads a port as a person typed it.
 *
 * @param text what was typed.
 * @param option the option it was typed for, for the message.
 * @throws {UsageError} when it is no port.
 */
export function parsePort(text: string, option: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new UsageError(`"${text}" is no port. Give ${option} a number from 0 to 65535 (0 takes a free one).`);
  }
  return port;
}
