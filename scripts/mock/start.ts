/** The mock on the two addresses of the contract, with everything that a test can see and change of it. */
import type { Address, Source } from "./answer/answer.ts";
import { openJournal } from "./journal/journal.ts";
import { headerOf, Recording } from "./journal/recording.ts";
import { controlService, type MockControl, withProperties } from "./mock.ts";
import type { Addresses, Listening } from "./server/listen.ts";
import { serve } from "./server/serve.ts";
import type { RequestEntry, ServerOptions } from "./server/server.ts";
import { makeService, type ServiceOptions } from "./service.ts";

export interface StartOptions
  extends Partial<Addresses>,
    ServerOptions,
    Partial<Omit<ServiceOptions, "plan" | "engine" | "urlOf" | "seed">> {
  /** Everything that looks random follows from it and from the key. */
  readonly seed?: string | undefined;
  /** The API key whose world the functions of the mock see and change; the first of `keys`, or "mock-key". */
  readonly key?: string | undefined;
  /** Path of a journal: what was accepted is kept there, and the next start goes on from it. */
  readonly state?: string | undefined;
  /** Called for every request that was answered. */
  readonly onRequest?: ((entry: RequestEntry) => unknown) | undefined;
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
 * Starts a mock.
 *
 * @param source what the mock knows of the contract.
 * @throws {ListenError} when an address cannot be listened on.
 * @throws {JournalError} when the journal cannot be gone on from, or another mock has it open.
 * @throws {TargetError} when the webhooks have a malformed target. Nothing is left of the mock after any of them.
 */
export async function startFrom({ plan, engine }: Source, options: StartOptions): Promise<RunningMock> {
  const { port = 0, depositPort = 0, host = "127.0.0.1", keys, key = keys?.[0] ?? "mock-key" } = options;
  const { seed = "mock", edition = plan.edition } = options;
  const addresses: Record<Address, string> = { base_url: "", deposit_base_url: "" };
  const opened = options.state === undefined ? undefined : openRecording(options.state, { ...options, plan, seed });
  const service = makeService({
    ...options,
    ...{ plan, engine, seed, edition, recording: opened?.recording, keys: keys && [...new Set([key, ...keys])] },
    urlOf: (address) => addresses[address],
  });
  let listening: Listening | undefined;
  try {
    if (opened !== undefined) await service.replay(opened.recording, opened.entries);
    listening = await serve(service.handle, { ...options, port, depositPort, host });
    addresses.base_url = listening.url;
    addresses.deposit_base_url = listening.depositUrl;
    const { close: stop } = listening;
    const close = async () => {
      service.close();
      await stop();
      opened?.close();
    };
    const running = { url: listening.url, depositUrl: listening.depositUrl, close };
    return withProperties(running, controlService(service, { plan, edition, key }));
  } catch (error) {
    service.close();
    await listening?.close();
    opened?.close();
    throw error;
  }
}

/**
 * Opens the journal, or begins one.
 *
 * @throws {JournalError} when the file is no journal that this mock can go on from.
 */
function openRecording(
  file: string,
  { plan, seed, hasScenario = false, onNote }: Pick<ServiceOptions, "plan" | "seed" | "hasScenario" | "onNote">,
) {
  const { journal, entries, cutBytes } = openJournal(file, headerOf(plan, { seed, hasScenario }));
  if (cutBytes > 0) onNote?.(`The last ${cutBytes} bytes of ${file} were damaged and are cut off; the rest is kept.`);
  return { recording: new Recording(journal, onNote), entries, close: () => journal.close() };
}
