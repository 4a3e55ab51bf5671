import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { UsageError } from "../../base/index.ts";
import { isUnspecified } from "./access.ts";

/** The message names the port or the host, and the option to change. */
export class ListenError extends UsageError {
  override name = "ListenError";
}

export interface ListeningServers {
  readonly url: string;
  readonly depositUrl: string;
  close(): Promise<unknown>;
}

/** Listens on both addresses or on neither. @throws the errors of {@link listen}. */
export async function listenOnBoth(
  mainServer: Server,
  depositServer: Server,
  { port, depositPort, host }: { readonly port: number; readonly depositPort: number; readonly host: string },
): Promise<ListeningServers> {
  const url = await listen(mainServer, { port, host, option: "--port" });
  try {
    const depositUrl = await listen(depositServer, { port: depositPort, host, option: "--deposit-port" });
    return { url, depositUrl, close: () => Promise.all([stop(mainServer), stop(depositServer)]) };
  } catch (error) {
    await stop(mainServer);
    throw error;
  }
}

interface ListenOptions {
  readonly port: number;
  readonly host: string;
  /** The option that error messages name, such as `--port`. */
  readonly option: string;
}

/**
 * @returns the URL to call, without a trailing slash. If the server listens on all addresses, the URL has the loopback address.
 * @throws {ListenError} when the port or the host cannot be used; for any other cause, the error of Node.js.
 */
export async function listen(server: Server, { port, host, option }: ListenOptions): Promise<string> {
  const sockets = new Map<Socket, ServerResponse | undefined>();
  connections.set(server, sockets);
  server.on("connection", (socket) => {
    sockets.set(socket, undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("request", ({ socket }, response) => sockets.set(socket, response));
  try {
    await once(server.listen(port, host), "listening");
  } catch (error) {
    throw toListenError(error as NodeJS.ErrnoException, { port, host, option });
  }
  // Later errors, such as too many open files, are ignored, because they would end the process.
  server.on("error", () => {});
  const { port: actualPort } = server.address() as AddressInfo;
  const name = !isUnspecified(host) ? host : host.includes(":") ? "::1" : "127.0.0.1";
  return `http://${name.includes(":") ? `[${name}]` : name}:${actualPort}`;
}

/** With this check, a command can fail before long preparations. @throws the errors of {@link listen}. */
export async function assertPortIsFree(options: ListenOptions): Promise<void> {
  const server = createServer();
  await listen(server, options);
  await stop(server);
}

function toListenError(error: NodeJS.ErrnoException, { port, host, option }: ListenOptions): Error {
  const hostMessage = `The host ${host} cannot be listened on. Choose another one with --host.`;
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is in use. Stop what listens there, or choose another port with ${option}.`,
    EACCES: `There is no permission to listen on port ${port}. Choose another port with ${option}.`,
    EADDRNOTAVAIL: hostMessage,
    ENOTFOUND: hostMessage,
    EAI_AGAIN: hostMessage,
  };
  const message = messages[error.code ?? ""];
  return message === undefined ? error : new ListenError(message);
}

/** The sockets of each server, each with the latest response on it. */
const connections = new WeakMap<Server, Map<Socket, ServerResponse | undefined>>();

/** The time in milliseconds that clients have to close their idle connections. */
const closeTimeoutMs = 500;

/**
 * Stops listening immediately. Connections with an unfinished response are destroyed. Idle connections are ended, and the function waits
 * up to {@link closeTimeoutMs} until the clients have closed them too, so that no client sends its next request on a connection that no
 * longer exists.
 */
export async function stop(server: Server): Promise<void> {
  const serverClosed = new Promise<void>((resolve) => {
    // `close` of the HTTP server would destroy idle connections immediately.
    NetServer.prototype.close.call(server, () => resolve());
  });
  const openConnections = [...(connections.get(server) ?? [])];
  const idleConnections = openConnections.filter(([, response]) => response === undefined || response.writableFinished);
  const socketClosings = idleConnections.map(
    ([socket]) => new Promise<unknown>((resolve) => socket.once("close", resolve).end()),
  );
  for (const [socket] of openConnections.filter((candidate) => !idleConnections.includes(candidate))) socket.destroy();
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    Promise.all(socketClosings),
    new Promise((resolve) => {
      timer = setTimeout(resolve, closeTimeoutMs);
    }),
  ]);
  clearTimeout(timer);
  server.closeAllConnections();
  server.close();
  await serverClosed;
}
