/** `partner-wallet-api/mock`: the service for tests, in the process or on two ports. */
import { plan } from "../../generated/mock/plan.js";
import {
  type CreateMockOptions,
  createMock as createFrom,
  type InProcessMock,
  type RunningMock,
  type StartMockOptions,
  startMock as startFrom,
} from "./host/mock.ts";

export type { Time } from "./checks/time.ts";
export type { MockControl, MockWorldControl } from "./control/functions.ts";
export type { CreateMockOptions, InProcessMock, RunningMock, StartMockOptions } from "./host/mock.ts";
export type { HandlerFactory, MockHandlerOptions } from "./host/msw.ts";
export { createMockHandlers } from "./host/msw.ts";
export type { RequestEntry } from "./server/server.ts";

/**
 * Makes the whole service in this process, without a port: pass its `fetch`, `baseUrl`, `depositBaseUrl` and `apiKey` to the client.
 *
 * @example
 * ```ts
 * const mock = createMock();
 * const client = createPartnerClient(mock.clientOptions);
 * ```
 *
 * @throws {TypeError} when an option is unknown or malformed.
 */
export function createMock(options: CreateMockOptions = {}): InProcessMock {
  try {
    return createFrom(plan, options);
  } catch (error) {
    throw asOf(error, createMock);
  }
}

/**
 * Starts the service on the two addresses of the contract, on the given ports or free ones. Each API key has a world of its own.
 *
 * @throws {TypeError} when an option is unknown or malformed.
 * @throws {Error} when it cannot listen on an address; the message names the port.
 */
export async function startMock(options: StartMockOptions = {}): Promise<RunningMock> {
  try {
    return await startFrom(plan, options);
  } catch (error) {
    throw asOf(error, startMock);
  }
}

/** Removes the mock's own frames from the stack of an error in the options, so that it points to the caller's line. */
function asOf(error: unknown, called: (options: never) => unknown): unknown {
  if (error instanceof TypeError) Error.captureStackTrace(error, called);
  return error;
}
