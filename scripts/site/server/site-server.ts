/** Serves the built site. */
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { UsageError } from "../../contract/model/index.ts";
import { listen, stop } from "../../mock/server/index.ts";

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
  const server = createServer(siteListener(folder, prepare));
  server.timeout = mostIdle;
  return { url: await listen(server, { port, host, option: portOption }), close: () => stop(server) };
}
