/** `partner-wallet-api/mock`: an in-process mock of the service for tests, or a mock server on two ports. */
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
 * Makes a mock in this process, without a port. Pass its `clientOptions` to the client.
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
    throw withCallerStack(error, createMock);
  }
}

/**
 * Starts a mock on the two addresses of the contract, on the given ports or on free ports. Each API key has its own world.
 *
 * @throws {TypeError} when an option is unknown or malformed.
 * @throws {Error} when the mock cannot listen on an address, or cannot use the state file; the message names the port, the host or the file.
 */
export async function startMock(options: StartMockOptions = {}): Promise<RunningMock> {
  try {
    return await startFrom(plan, options);
  } catch (error) {
    throw withCallerStack(error, startMock);
  }
}

/** The stack of an error about the options begins at the caller's line. */
function withCallerStack(error: unknown, calledFunction: (options: never) => unknown): unknown {
  if (error instanceof TypeError) Error.captureStackTrace(error, calledFunction);
  return error;
}
