/** The mock, in the process and on two addresses. */
import type { Address } from "./answer/answer.ts";
import { timeOf } from "./control/fields.ts";
import { controlService, type MockControl, type Time, withProperties } from "./control/functions.ts";
import { makeFetch, urls } from "./in-process.ts";
import { openJournal } from "./journal/journal.ts";
import { headerOf, Recording } from "./journal/recording.ts";
import { checkOptions, listening, settings } from "./options.ts";
import type { Edition, Plan } from "./plan/plan.ts";
import { listenOnBoth } from "./server/listen.ts";
import { makeServer, type RequestEntry, type ServerOptions } from "./server/server.ts";
import { makeService, type Service } from "./service.ts";
import type { Target } from "./webhooks/target.ts";

export interface CreateMockOptions {
  /** Everything that looks random follows from it: the same seed gives the same identifiers. */
  readonly seed?: string | undefined;
  /** The API key whose world the functions of the mock see and change; "mock-key" by default. */
  readonly key?: string | undefined;
  /** The API keys that are accepted, besides `key`; any by default. */
  readonly keys?: readonly string[] | undefined;
  /** A time at which the clock stands still until it is moved; by default it runs. */
  readonly clock?: Time | undefined;
  /** Where events are sent: a URL, or a function that takes a Request, such as a webhook handler. */
  readonly webhooks?: Target | undefined;
  /** Each world begins with the scenario of the contract, so that the identifiers of the documentation are found. */
  readonly scenario?: boolean | undefined;
  /** Every success is the documented example, and nothing is kept. */
  readonly stateless?: boolean | undefined;
  /** The edition whose operations are answered; "latest" by default. */
  readonly edition?: Edition | undefined;
  /** Told what happens by itself and should not, such as a tenant that had to be forgotten. */
  readonly onNote?: ((note: string) => void) | undefined;
}

/** What a mock is, and how it listens. */
export interface StartMockOptions extends CreateMockOptions {
  /** Port of the main address; by default a free one. */
  readonly port?: number | undefined;
  /** Port of the deposit address; by default a free one. */
  readonly depositPort?: number | undefined;
  /** Name or IP address to listen on; "127.0.0.1" by default. */
  readonly host?: string | undefined;
  /** Path of a journal: what was accepted is kept there, and the next start goes on from it. */
  readonly state?: string | undefined;
  /** Called for every request that was answered. */
  readonly onRequest?: ((entry: RequestEntry) => unknown) | undefined;
}

export interface InProcessMock extends MockControl {
  /** Answers as the service would: give it to the client, with the two URLs. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  readonly baseUrl: string;
  readonly depositBaseUrl: string;
  /** All that the client needs: `createPartnerClient(mock.clientOptions)`. */
  readonly clientOptions: Readonly<Pick<InProcessMock, "fetch" | "baseUrl" | "depositBaseUrl" | "apiKey">>;
  /** Nothing happens by itself any more. */
  close(): void;
}

/** A mock that listens. */
export interface RunningMock extends MockControl {
  /** URL of the main address, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  readonly depositUrl: string;
  /** Stops listening on both addresses and closes their connections; nothing happens by itself any more. */
  close(): Promise<void>;
}

/**
 * Makes the service in the process.
 *
 * @throws {TypeError} when an option is unknown or malformed.
 */
export function createMock(plan: Plan, given: CreateMockOptions = {}): InProcessMock {
  const options = withDefaults(checkOptions(given, settings));
  const service = serviceOf(plan, options, (address) => urls[address]);
  const clientOptions = {
    fetch: makeFetch(service.handle),
    baseUrl: urls.base_url,
    depositBaseUrl: urls.deposit_base_url,
    apiKey: options.key,
  };
  const about = { ...clientOptions, clientOptions, close: service.close };
  return withProperties(
    about,
    controlService(() => service, options),
  );
}

/** A mock whose contract can be replaced. */
export interface ReplaceableMock extends RunningMock {
  /**
   * Replaces the contract. Ports and connections stay open, and each world begins anew; a request whose body was read before is
   * still answered by the old contract.
   */
  use(plan: Plan): void;
}

/**
 * Starts the service on the two addresses of the contract.
 *
 * @throws {TypeError} when an option is unknown or malformed.
 * @throws {ListenError} when an address cannot be listened on.
 * @throws {JournalError} when the journal cannot be gone on from, or another mock has it open. Nothing is left of the mock after
 *   any of them.
 */
export async function startMock(
  plan: Plan,
  given: StartMockOptions = {},
  limits: ServerOptions = {},
): Promise<ReplaceableMock> {
  const options = withDefaults(checkOptions(given, { ...settings, ...listening }));
  const { state, port = 0, depositPort = 0, host = "127.0.0.1", onRequest = () => {} } = options;
  const addresses: Record<Address, string> = { base_url: "", deposit_base_url: "" };
  const serviceFor = (wanted: Plan, recording?: Recording) =>
    serviceOf(wanted, options, (address) => addresses[address], recording);
  const opened = state === undefined ? undefined : openRecording(state, plan, options);
  let service = serviceFor(plan, opened?.recording);
  const serverOf = (address: Address) => makeServer((request) => service.handle(address, request), onRequest, limits);
  try {
    if (opened !== undefined) await service.replay(opened.recording, opened.entries);
    const servers = [serverOf("base_url"), serverOf("deposit_base_url")] as const;
    const { url, depositUrl, close } = await listenOnBoth(...servers, { port, depositPort, host });
    addresses.base_url = url;
    addresses.deposit_base_url = depositUrl;
    const running = {
      ...{ url, depositUrl },
      use: (next: Plan) => {
        service.close();
        service = serviceFor(next);
      },
      close: async () => {
        service.close();
        await close();
        opened?.close();
      },
    };
    return withProperties(
      running,
      controlService(() => service, options),
    );
  } catch (error) {
    service.close();
    opened?.close();
    throw error;
  }
}

/** Options with what applies where they are left out. */
type Settled<Options> = Options & { readonly seed: string; readonly key: string; readonly edition: Edition };

function withDefaults<Options extends CreateMockOptions>(options: Options): Settled<Options> {
  const { seed = "mock", key = "mock-key", edition = "latest" } = options;
  return { ...options, seed, key, edition };
}

function serviceOf(
  plan: Plan,
  { seed, key, keys, edition, clock, webhooks, onNote, stateless, scenario }: Settled<CreateMockOptions>,
  urlOf: (address: Address) => string,
  recording?: Recording,
): Service {
  return makeService({
    ...{ plan, seed, edition, webhooks, onNote, recording, urlOf, isStateless: stateless, hasScenario: scenario },
    keys: keys && [...new Set([key, ...keys])],
    frozenAt: clock === undefined ? undefined : timeOf(clock, "clock"),
  });
}

/**
 * Opens the journal, or begins one.
 *
 * @throws {JournalError} when the file is no journal that this mock can go on from.
 */
function openRecording(file: string, plan: Plan, { seed, scenario = false, onNote }: Settled<CreateMockOptions>) {
  const { journal, entries, cutBytes } = openJournal(file, headerOf(plan, { seed, hasScenario: scenario }));
  if (cutBytes > 0) onNote?.(`The last ${cutBytes} bytes of ${file} were damaged and are cut off; the rest is kept.`);
  return { recording: new Recording(journal, onNote), entries, close: () => journal.close() };
}
