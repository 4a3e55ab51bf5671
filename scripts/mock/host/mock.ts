import { readTime } from "../checks/fields.ts";
import { type MockControl, makeMockControl, withProperties } from "../control/functions.ts";
import type { Edition, Plan } from "../plan/plan.ts";
import type { Address } from "../request/router.ts";
import { AccessControl, isLoopback, isUnspecified } from "../server/access.ts";
import { listenOnBoth } from "../server/listen.ts";
import { makeServer, type ServerOptions } from "../server/server.ts";
import type { SavedWorld } from "../tenants/tenant.ts";
import { makeFetch, mockUrls } from "./in-process.ts";
import {
  type CreateMockOptions,
  checkOptions,
  createMockChecks,
  type StartMockOptions,
  startMockChecks,
  webhookTimeoutOf,
} from "./options.ts";
import { makeService, type Service, type ServiceOptions } from "./service.ts";
import { StateFile } from "./state-file.ts";

export type { CreateMockOptions, StartMockOptions } from "./options.ts";

export interface InProcessMock extends MockControl {
  /** Responds like the service. Pass this function to the client together with the two base URLs. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  readonly baseUrl: string;
  readonly depositBaseUrl: string;
  /** The options for a client: `createPartnerClient(mock.clientOptions)`. */
  readonly clientOptions: Readonly<Pick<InProcessMock, "fetch" | "baseUrl" | "depositBaseUrl" | "apiKey">>;
  /** Stops the jobs and deliveries of all worlds. A response that a fault delays still arrives. */
  close(): void;
}

/** A mock that listens on two addresses. */
export interface RunningMock extends MockControl {
  /** URL of the main address, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  readonly depositUrl: string;
  /** The options for a client: `createPartnerClient(mock.clientOptions)`. */
  readonly clientOptions: Readonly<Pick<InProcessMock, "baseUrl" | "depositBaseUrl" | "apiKey">>;
  /** Writes the state file, if there is one, stops listening on both addresses, closes their connections, and stops all timers. */
  close(): Promise<void>;
}

export function createMock(plan: Plan, uncheckedOptions: CreateMockOptions = {}): InProcessMock {
  const options = withDefaults(checkOptions(uncheckedOptions, createMockChecks));
  const service = serviceOf(plan, options, { urlOf: (address) => mockUrls[address] });
  const clientOptions = {
    fetch: makeFetch(service.handle),
    baseUrl: mockUrls.base_url,
    depositBaseUrl: mockUrls.deposit_base_url,
    apiKey: options.key,
  };
  const control = makeMockControl(() => service, options);
  return withProperties({ ...clientOptions, clientOptions, close: service.close }, control);
}

export interface ReplaceableMock extends RunningMock {
  /**
   * Replaces the contract. Ports and connections stay open, and each world is created anew. A request whose body has already been read gets
   * the response of the old contract.
   */
  use(plan: Plan): void;
}

/**
 * Starts a mock on the two addresses of the contract. After an error, no server or timer keeps running.
 *
 * @param serverOptions set by tests only.
 * @throws {TypeError} when an option is unknown or malformed.
 * @throws {ListenError} when the mock cannot listen on an address.
 * @throws {StateFileError} when the state file is in use, or cannot be read or written.
 */
export async function startMock(
  plan: Plan,
  uncheckedOptions: StartMockOptions = {},
  serverOptions: ServerOptions = {},
): Promise<ReplaceableMock> {
  const options = withDefaults(checkOptions(uncheckedOptions, startMockChecks));
  const { state, onNote, port = 0, depositPort = 0, host = "127.0.0.1", onRequest = () => {} } = options;
  const addresses: Record<Address, string> = { base_url: "", deposit_base_url: "" };
  const listWorlds = (): Iterable<SavedWorld> => service.tenants.worlds();
  let file: StateFile | undefined;
  const initialState = typeof state === "string" ? undefined : state;
  const { allowOrigin, allowWebhookHost = [] } = options;
  const urlOf = (address: Address, requestHost = "") => {
    const url = new URL(addresses[address]);
    // A client on another machine can reach both addresses by the host name in its request.
    if (isUnspecified(host) && URL.canParse(`http://${requestHost}`))
      url.hostname = new URL(`http://${requestHost}`).hostname;
    return url.origin;
  };
  const serviceFor = (newPlan: Plan): Service =>
    serviceOf(
      newPlan,
      { ...options, state: initialState },
      { urlOf, allowWebhookHost, onChange: () => file?.scheduleSave() },
    );
  const access = new AccessControl({ host, allowOrigin });
  let service = serviceFor(plan);
  let isLoaded = false;
  const serverOf = (address: Address) =>
    makeServer((request) => service.handle(address, request), onRequest, { access, ...serverOptions });
  let stopListening: () => Promise<unknown> = async () => {};
  const close = async () => {
    try {
      if (isLoaded) file?.save();
    } finally {
      file?.close();
      service.close();
      await stopListening();
    }
  };
  try {
    if (typeof state === "string") {
      file = new StateFile(state, listWorlds, onNote);
      const { tenants } = service;
      file.read((world) => tenants.load(world));
      isLoaded = true;
      tenants.resume();
    }
    const servers = [serverOf("base_url"), serverOf("deposit_base_url")] as const;
    const { url, depositUrl, ...listeners } = await listenOnBoth(...servers, { port, depositPort, host });
    stopListening = listeners.close;
    addresses.base_url = url;
    addresses.deposit_base_url = depositUrl;
    if (!isLoopback(host)) {
      onNote?.(
        `The mock listens on ${host}: whoever reaches this machine can use it, with every API key, and its control interface.`,
      );
    }
    const use = (newPlan: Plan) => {
      service.close();
      service = serviceFor(newPlan);
    };
    const control = makeMockControl(() => service, options);
    const clientOptions = { baseUrl: url, depositBaseUrl: depositUrl, apiKey: options.key };
    return withProperties({ url, depositUrl, clientOptions, use, close }, control);
  } catch (error) {
    await close();
    throw error;
  }
}

type WithDefaults<Options> = Options & { readonly seed: string; readonly key: string; readonly edition: Edition };

function withDefaults<Options extends Omit<CreateMockOptions, "state">>(options: Options): WithDefaults<Options> {
  const { seed = "mock", key = "mock-key", edition = "latest" } = options;
  return { ...options, seed, key, edition };
}

function serviceOf(
  plan: Plan,
  options: WithDefaults<CreateMockOptions & Pick<StartMockOptions, "onDelivery">>,
  serviceOptions: Pick<ServiceOptions, "urlOf" | "allowWebhookHost" | "onChange">,
): Service {
  const { key, keys, worlds: maxWorlds, clock, state, assume, answers, webhookTimeout, ...otherOptions } = options;
  return makeService({
    ...otherOptions,
    ...serviceOptions,
    plan,
    maxWorlds,
    state: structuredClone(state),
    assume: answers === undefined ? structuredClone(assume) : { ...structuredClone(assume), answers: { ...answers } },
    keys: keys && [...new Set([key, ...keys])],
    webhookTimeoutMs: webhookTimeout === undefined ? undefined : webhookTimeoutOf(webhookTimeout, "webhookTimeout"),
    frozenAt: clock === undefined ? undefined : readTime(clock, "clock"),
  });
}
