import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { UsageError } from "../../contract/messages/index.ts";

/** The mock cannot listen on an address. The message names the address, and what to change. */
export class ListenError extends UsageError {
  override name = "ListenError";
}

export interface Listening {
  readonly url: string;
  readonly depositUrl: string;
  close(): Promise<unknown>;
}

/** Listens on both addresses, or on neither. @throws {ListenError} that names the port or the host, and the option to change. */
export async function listenOnBoth(
  main: Server,
  deposit: Server,
  { port, depositPort, host }: { readonly port: number; readonly depositPort: number; readonly host: string },
): Promise<Listening> {
  const url = await listen(main, { port, host, option: "--port" });
  try {
    const depositUrl = await listen(deposit, { port: depositPort, host, option: "--deposit-port" });
    return { url, depositUrl, close: () => Promise.all([stop(main), stop(deposit)]) };
  } catch (error) {
    await stop(main);
    throw error;
  }
}

interface ListenOptions {
  readonly port: number;
  readonly host: string;
  /** The command option for the port, for error messages. */
  readonly option: string;
}

/** @returns the URL without a trailing slash. @throws {ListenError} when the server cannot listen there. */
export async function listen(server: Server, { port, host, option }: ListenOptions): Promise<string> {
  try {
    await once(server.listen(port, host), "listening");
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, { port, host, option });
  }
  // Ignores later errors, such as too many open files, which would otherwise end the process.
  server.on("error", () => {});
  const { port: actualPort } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${actualPort}`;
}

function explain(error: NodeJS.ErrnoException, { port, host, option }: ListenOptions): Error {
  const noHost = `The host ${host} cannot be listened on. Choose another one with --host.`;
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is in use. Stop what listens there, or choose another port with ${option}.`,
    EACCES: `There is no permission to listen on port ${port}. Choose another port with ${option}.`,
    ...{ EADDRNOTAVAIL: noHost, ENOTFOUND: noHost, EAI_AGAIN: noHost },
  };
  const message = messages[error.code ?? ""];
  return message === undefined ? error : new ListenError(message);
}

export function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
