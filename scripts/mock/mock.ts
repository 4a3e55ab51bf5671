/**
 * The mock of the service: Prism on the two addresses of the contract, wrapped so that every answer of an operation is one
 * that the contract documents for it.
 *
 * It has no state yet. A success is the first documented example of the operation, or the one that `Prefer` names:
 * identifiers, amounts and dates in it are those of the example, whatever the request said. Rules that need state or a
 * clock (an externalUserId that exists, the history window of twelve months) do not apply by themselves; choose their
 * answers with `Prefer: code=…`.
 */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Address, readContract } from "../contract/contract.ts";
import type { OpenApiDocument } from "../contract/document.ts";
import type { Edition } from "../contract/project.ts";
import { UsageError } from "../contract/usage-error.ts";
import { makeAnswerer } from "./answer.ts";
import { startPrism } from "./prism.ts";
import { readBundle } from "./read-bundle.ts";
import { makeServer, type RequestEntry } from "./server.ts";

export { readBundle };

export type MockOptions = {
  /** Port of the main address; 0 takes a free one. */
  port: number;
  /** Port of the crypto deposit details; 0 takes a free one. */
  depositPort: number;
  /** Host to listen on, 127.0.0.1 by default. */
  host?: string;
  /** Called for every request that was answered. */
  onRequest?: (entry: RequestEntry) => void;
} & ({ edition: Edition; document?: never } | { document: OpenApiDocument; edition?: never });

export interface Mock {
  url: string;
  depositUrl: string;
  /** Stops both addresses and closes their connections. */
  close(): Promise<void>;
}

/**
 * Starts the mock of an edition, as it stands in `generated/`, or of a document.
 *
 * @throws {UsageError} when an edition is not built yet, or an address cannot be listened on; the message names the port
 *   and the option to change.
 */
export async function startMock(options: MockOptions): Promise<Mock> {
  const { port, depositPort, host = "127.0.0.1", onRequest = () => {} } = options;
  const document = options.document ?? readBundle(options.edition);
  const urls: Record<Address, string> = { base_url: "", deposit_base_url: "" };
  const answer = makeAnswerer({
    contract: readContract(document),
    engine: await startPrism(document),
    urlOf: (address) => urls[address],
  });
  const main = makeServer((request) => answer("base_url", request), onRequest);
  const deposit = makeServer((request) => answer("deposit_base_url", request), onRequest);
  urls.base_url = await listen(main, port, host, "--port");
  try {
    urls.deposit_base_url = await listen(deposit, depositPort, host, "--deposit-port");
  } catch (error) {
    await stop(main);
    throw error;
  }
  return {
    url: urls.base_url,
    depositUrl: urls.deposit_base_url,
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
      return new UsageError(`Port ${port} may not be listened on. Choose another port with ${option}.`);
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
