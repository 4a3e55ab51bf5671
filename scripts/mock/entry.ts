/** `partner-wallet-api/mock`: the service for tests, in the process or on two ports. */
import { plan } from "../../generated/mock/test.js";
import { compiledEngine } from "./answer/engine.ts";
import { timeOf } from "./control/fields.ts";
import { createMock as createFrom, type InProcessMock, type MockSettings } from "./mock.ts";
import { checkOptions, listening } from "./options.ts";
import type { Edition } from "./plan/plans.ts";
import type { RequestEntry } from "./server/server.ts";
import { type RunningMock, startFrom } from "./start.ts";

export type { InProcessMock, MockControl, MockWorldControl, Time } from "./mock.ts";
export type { RequestEntry } from "./server/server.ts";
export type { RunningMock } from "./start.ts";

export interface CreateMockOptions extends Omit<MockSettings, "edition"> {
  /** The edition whose operations are answered; "latest" by default. */
  readonly edition?: Edition;
}

/** What a mock is, and how it listens. */
export interface StartMockOptions extends CreateMockOptions {
  /** Port of the main address; by default a free one. */
  readonly port?: number;
  /** Port of the deposit address; by default a free one. */
  readonly depositPort?: number;
  /** Name or IP address to listen on; "127.0.0.1" by default. */
  readonly host?: string;
  /** Called for every request that was answered. */
  readonly onRequest?: (entry: RequestEntry) => unknown;
}

/**
 * Makes the whole service in this process, without a port: give its `fetch`, `baseUrl`, `depositBaseUrl` and `apiKey` to the
 * client.
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
  const { edition = "latest" } = checkOptions(options, plan);
  return createFrom({ ...options, edition, plan });
}

/**
 * Starts the service on the two addresses of the contract, on free ports unless they are given. Each API key has a world of its
 * own.
 *
 * @throws {TypeError} when an option is unknown or malformed.
 * @throws {Error} when an address cannot be listened on; the message names the port.
 */
export async function startMock(options: StartMockOptions = {}): Promise<RunningMock> {
  checkOptions(options, plan, listening);
  const { stateless: isStateless, scenario: hasScenario, edition = "latest", clock, ...rest } = options;
  const frozenAt = clock === undefined ? undefined : timeOf(clock, "clock");
  return startFrom({ plan, engine: compiledEngine }, { ...rest, edition, isStateless, hasScenario, frozenAt });
}
