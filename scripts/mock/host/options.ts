import { ControlError } from "../checks/error.ts";
import {
  assertBoolean,
  assertFunction,
  assertList,
  readDuration,
  readObject,
  readText,
  readTime,
} from "../checks/fields.ts";
import type { Time } from "../checks/time.ts";
import type { State } from "../control/state.ts";
import type { Answers, Assume, Delivery } from "../plan/control.ts";
import { type Edition, editions } from "../plan/plan.ts";
import type { RequestEntry } from "../server/server.ts";
import { checkTarget, type Target } from "../webhooks/target.ts";

export interface CreateMockOptions {
  /** The seed of all generated values. With the same seed, the same calls with the same API key give the same identifiers. */
  readonly seed?: string | undefined;
  /** API key of the world that the mock's functions control; "mock-key" by default. */
  readonly key?: string | undefined;
  /** Further accepted API keys; any API key by default. */
  readonly keys?: readonly string[] | undefined;
  /** Maximum number of changed worlds, from 1 to 100,000; 1,000 by default. A change of one more world is refused with 503. */
  readonly worlds?: number | undefined;
  /**
   * The time at which the clock is frozen; later if the initial state is later. By default, the initial state sets the clock; without one,
   * the clock runs.
   */
  readonly clock?: Time | undefined;
  /** The receiver of events: its URL, or a function that takes a Request, such as a webhook handler. By default, events are not sent. */
  readonly webhooks?: Target | undefined;
  /**
   * The time that a receiver has to respond, in real time: milliseconds, or a text such as "2 seconds"; 10 seconds by default, at most 10
   * minutes.
   */
  readonly webhookTimeout?: number | string | undefined;
  /** Initial state of each world, from `state()` or `GET /__mock/state`; empty by default. */
  readonly state?: State | undefined;
  /** Starts each world with the scenario of the contract, so that the identifiers of the documentation exist. */
  readonly scenario?: boolean | undefined;
  /**
   * The chosen answers to open questions, such as `{ "Q-history-window": "Another time zone" }`. By default, each question has its assumed
   * answer.
   */
  readonly answers?: Answers | undefined;
  /** Changes to the assumptions of `openapi/mock.yaml`. */
  readonly assume?: Assume | undefined;
  /** Whether to keep no state, and to respond to every valid request with the documented example of its success. */
  readonly stateless?: boolean | undefined;
  /** The edition of the operations; "latest" by default. */
  readonly edition?: Edition | undefined;
  /**
   * Called with a warning about the options, such as a `host` that others can reach, or with a message about an unexpected incident, such as
   * a state file that cannot be written.
   */
  readonly onNote?: ((note: string) => void) | undefined;
}

/** The options of a mock that listens. */
export interface StartMockOptions extends Omit<CreateMockOptions, "state"> {
  /** Port of the main address; by default a free port. */
  readonly port?: number | undefined;
  /** Port of the deposit address; by default a free port. */
  readonly depositPort?: number | undefined;
  /** Host name or IP address to listen on; "127.0.0.1" by default. */
  readonly host?: string | undefined;
  /** Initial state of each world; or the path of a file that keeps all worlds, so that the next start continues with them. */
  readonly state?: string | State | undefined;
  /** Further origins whose pages may use the control interface, besides the mock's own origin. */
  readonly allowOrigin?: readonly string[] | undefined;
  /** Further hosts that `PUT /__mock/webhooks` may set as receivers, besides this machine. */
  readonly allowWebhookHost?: readonly string[] | undefined;
  /** Called for each request after the mock has sent the response, or has closed the connection without one. */
  readonly onRequest?: ((entry: RequestEntry) => unknown) | undefined;
  /** Called after each attempt to deliver an event, and when an event is lost by a fault or no longer has a receiver. */
  readonly onDelivery?: ((delivery: Delivery) => void) | undefined;
}

type Check = (value: unknown, name: string) => unknown;
type Checks<Options> = { readonly [Name in keyof Required<Options>]: Check };

export const createMockChecks: Checks<CreateMockOptions> = {
  seed: readText,
  key: readText,
  keys: (value, name) => assertList(value, name, readText),
  worlds: checkWorlds,
  clock: readTime,
  webhooks: (value) => checkTarget(value),
  webhookTimeout: webhookTimeoutOf,
  state: (value, name) => readObject(value, name),
  scenario: assertBoolean,
  stateless: assertBoolean,
  answers: (value, name) => readObject(value, name),
  assume: (value, name) => readObject(value, name),
  edition: checkEdition,
  onNote: assertFunction,
};

export const startMockChecks: Checks<StartMockOptions> = {
  ...createMockChecks,
  port: checkPort,
  depositPort: checkPort,
  host: readText,
  state: (value, name) => (typeof value === "object" ? readObject(value, name) : readText(value, name)),
  allowOrigin: (value, name) => assertList(value, name, checkOrigin),
  allowWebhookHost: (value, name) => assertList(value, name, readText),
  onRequest: assertFunction,
  onDelivery: assertFunction,
};

/** @throws {TypeError} when an option is unknown or malformed. */
export function checkOptions<Options extends object>(
  options: Options,
  checks: Checks<Options>,
  nameOf: (name: string) => string = (name) => name,
): Options {
  const values = readObject(options, "The options", Object.keys(checks));
  for (const [name, check] of Object.entries<Check>(checks)) {
    if (values[name] !== undefined) check(values[name], nameOf(name));
  }
  return options;
}

/**
 * Reads a timeout. @returns milliseconds. @throws {ControlError} when the timeout is malformed, or not from 1 millisecond to 10 minutes.
 */
export function webhookTimeoutOf(value: unknown, name: string): number {
  const milliseconds = readDuration(value, name);
  if (milliseconds >= 1 && milliseconds <= 600_000) return milliseconds;
  throw new ControlError(`${name} must be from 1 millisecond to 10 minutes.`);
}

function checkWorlds(value: unknown, name: string): void {
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 100_000) return;
  throw new ControlError(`${name} must be a whole number from 1 to 100000.`);
}

function checkEdition(value: unknown, name: string): void {
  if (editions.includes(value as Edition)) return;
  throw new ControlError(`${name} must be one of ${editions.join(", ")}.`);
}

function checkOrigin(value: unknown, name: string): void {
  if (URL.canParse(String(value)) && new URL(String(value)).origin === value) return;
  throw new ControlError(`${name} must be the origin of pages, such as http://localhost:3000.`);
}

function checkPort(value: unknown, name: string): void {
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65535) return;
  throw new ControlError(`${name} must be a whole number from 0 to 65535.`);
}
