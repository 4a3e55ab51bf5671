/** Listens on the two addresses of the service. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** An address that cannot be listened on. The message says which, and what to change. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

export interface Addresses {
  /** Port of the main address; 0 takes a free one. */
  readonly port: number;
  /** Port of the deposit address; 0 takes a free one. */
  readonly depositPort: number;
  /** Name or IP address to listen on. */
  readonly host: string;
}

export interface Listening {
  /** For example `http://127.0.0.1:4010`. */
  readonly url: string;
  readonly depositUrl: string;
  /** Stops listening on both addresses and closes their connections, idle ones included. */
  close(): Promise<void>;
}

/**
 * Listens on both addresses, or on none.
 *
 * @throws {ListenError} that names the port or the host, and the option to change.
 */
export async function listenOnBoth(main: Server, deposit: Server, addresses: Addresses): Promise<Listening> {
  const { port, depositPort, host } = addresses;
  const url = await listen(main, port, host, "--port");
  try {
    const depositUrl = await listen(deposit, depositPort, host, "--deposit-port");
    const close = async () => {
      await Promise.all([stop(main), stop(deposit)]);
    };
    return { url, depositUrl, close };
  } catch (error) {
    await stop(main);
    throw error;
  }
}

/** Listens and returns the URL. */
async function listen(server: Server, port: number, host: string, option: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(explain(error, port, host, option));
    server.once("error", onError);
    server.listen(port, host, () => {
      server.off("error", onError);
      // For example no file descriptor left for one more connection.
      server.on("error", () => {});
      resolve();
    });
  });
  const { port: actualPort } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${actualPort}`;
}

function explain(error: NodeJS.ErrnoException, port: number, host: string, option: string): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new ListenError(`Port ${port} is in use. Stop what listens there, or choose another port with ${option}.`);
    case "EACCES":
      return new ListenError(`There is no permission to listen on port ${port}. Choose another port with ${option}.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new ListenError(`The mock cannot listen on the host ${host}. Choose another one with --host.`);
    default:
      return error;
  }
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
