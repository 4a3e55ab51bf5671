/**
 * The mock of the service: Prism on the two addresses of the contract, wrapped so that every answer of an operation is one
 * that the contract documents for it.
 *
 * It has no state. A success is the first documented example of the operation, or the one that `Prefer` names: its
 * identifiers, amounts and dates are those of the example, whatever the request contained. Rules that need state or a
 * clock (the externalUserId exists, the history window of twelve months) are not applied; request their answers with
 * `Prefer: code=…`.
 */
import { existsSync, readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { relative } from "node:path";
import {
  type Address,
  bundleFile,
  type Edition,
  type OpenApiDocument,
  projectRoot,
  readContract,
  UsageError,
} from "../contract/index.ts";
import { type Answerer, makeAnswerer } from "./answer.ts";
import { makeServer, type RequestEntry } from "./server.ts";

export type { RequestEntry } from "./server.ts";
export { exampleCurl, formatEntry } from "./terminal.ts";

interface StartOptions {
  document: OpenApiDocument;
  /** Port of the main address; 0 takes a free one. */
  port: number;
  /** Port of the deposit address; 0 takes a free one. */
  depositPort: number;
  /** Host to listen on, 127.0.0.1 by default. */
  host?: string;
  /** Called for every request that was answered. */
  onRequest?: (entry: RequestEntry) => void;
}

export interface Mock {
  url: string;
  depositUrl: string;
  /**
   * Replaces the contract. Ports and connections stay open; a request whose body was read before is still answered by
   * the old contract. Calls take effect in the order in which they were made.
   *
   * @throws when the document cannot be loaded; the mock then keeps its contract.
   */
  use(document: OpenApiDocument): Promise<void>;
  /** Stops listening on both addresses and closes their connections, idle ones included. */
  close(): Promise<void>;
}

/**
 * Starts the mock of a document, which is not changed.
 *
 * @throws {UsageError} when an address cannot be listened on; the message names the port and the option to change.
 */
export async function startMock(options: StartOptions): Promise<Mock> {
  const { document, port, depositPort, host = "127.0.0.1", onRequest = () => {} } = options;
  const urls: Record<Address, string> = { base_url: "", deposit_base_url: "" };
  const load = async (loaded: OpenApiDocument): Promise<Answerer> => {
    // Prism takes a second to import, which a command that only reads a bundle or its options does not need.
    const { loadPrism } = await import("./prism.ts");
    const prism = await loadPrism(loaded);
    return makeAnswerer({ contract: readContract(loaded), prism, urlOf: (address) => urls[address] });
  };
  let answer = await load(document);
  const main = makeServer((request) => answer("base_url", request), onRequest);
  const deposit = makeServer((request) => answer("deposit_base_url", request), onRequest);
  urls.base_url = await listen(main, port, host, "--port");
  try {
    urls.deposit_base_url = await listen(deposit, depositPort, host, "--deposit-port");
  } catch (error) {
    await stop(main);
    throw error;
  }
  let lastUse: Promise<void> = Promise.resolve();
  return {
    url: urls.base_url,
    depositUrl: urls.deposit_base_url,
    use: (next) => {
      const use = lastUse.then(async () => {
        answer = await load(next);
      });
      lastUse = use.catch(() => {});
      return use;
    },
    close: async () => {
      await Promise.all([stop(main), stop(deposit)]);
    },
  };
}

/** Listens and returns the URL. */
async function listen(server: Server, port: number, host: string, option: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, port, host, option)));
    server.listen(port, host, resolve);
  });
  const { port: actualPort } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${actualPort}`;
}

function explain(error: NodeJS.ErrnoException, port: number, host: string, option: string): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new UsageError(`Port ${port} is in use. Stop what listens there, or choose another port with ${option}.`);
    case "EACCES":
      return new UsageError(`There is no permission to listen on port ${port}. Choose another port with ${option}.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new UsageError(`The mock cannot listen on the host ${host}. Choose another one with --host.`);
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

/**
 * The bundle of an edition, as the build has written it.
 *
 * @param generatedFolder absolute path of the folder that holds the editions; that of this repository by default.
 * @throws {UsageError} when it is missing or is no JSON.
 */
export function readBundle(edition: Edition, generatedFolder?: string): OpenApiDocument {
  const file = bundleFile(edition, "json", generatedFolder);
  const name = relative(projectRoot, file);
  if (!existsSync(file)) throw new UsageError(`There is no ${name}. Run "npm run build" first.`);
  try {
    return JSON.parse(readFileSync(file, "utf8")) as OpenApiDocument;
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${(error as Error).message}. Run "npm run build" again.`);
  }
}
