/** Serves the built site. */
import { existsSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { UsageError } from "../../contract/model/index.ts";

export interface SiteOptions {
  /** Absolute path of the built site. */
  folder: string;
  /** 0 takes a free port. */
  port: number;
  /** 127.0.0.1 by default. */
  host?: string;
  /** The name of the option for the port, for the message when the port is in use. */
  portOption?: string;
  /** Called with the path below the folder before the file is read; it may write the file. */
  prepare?: (path: string) => void | Promise<void>;
}

export interface Site {
  /** Address of the site, without a slash at the end. */
  url: string;
  close(): Promise<void>;
}

/** Milliseconds after which a stalled connection is closed. */
const mostIdle = 60_000;

/**
 * Serves the built site. A rebuilt site is served immediately.
 *
 * @throws {UsageError} when the site was not built, or the port or host cannot be used.
 */
export async function serveSite({
  folder,
  port,
  host = "127.0.0.1",
  portOption = "--port",
  prepare = () => {},
}: SiteOptions): Promise<Site> {
  if (!existsSync(join(folder, "index.html"))) {
    throw new UsageError(`There is no site in ${folder}. Run "npm run build" first.`);
  }
  // Loaded only when serving, because Hono takes a moment to load.
  const { siteListener } = await import("./site-listener.ts");
  const server = await listen(siteListener(folder, prepare), { port, host, portOption });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function listen(
  listener: RequestListener,
  { port, host, portOption }: Required<Omit<SiteOptions, "folder" | "prepare">>,
) {
  const server = createServer(listener);
  server.timeout = mostIdle;
  await new Promise<void>((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => {
      const inUse = `Port ${port} on ${host} is in use. Stop what listens there, or choose another port with ${portOption}.`;
      const other = `The site cannot be served on ${host}, port ${port}: ${error.message}`;
      reject(new UsageError(error.code === "EADDRINUSE" ? inUse : other));
    };
    server.once("error", onError);
    server.listen(port, host, () => {
      server.off("error", onError);
      // For example, no free file descriptor for a further connection.
      server.on("error", () => {});
      resolve();
    });
  });
  return server;
}
