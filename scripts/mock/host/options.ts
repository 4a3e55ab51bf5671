/** The options of a mock, and their checks: JavaScript would let pass whatever is given. */
import type { Assume, Delivery } from "../../../generated/control/types.ts";
import { ControlError } from "../checks/error.ts";
import { flagOf, functionOf, lengthOf, listOf, objectOf, textOf, timeOf } from "../checks/fields.ts";
import type { Time } from "../checks/time.ts";
import type { State } from "../control/state.ts";
import { type Edition, editions } from "../plan/plan.ts";
import type { RequestEntry } from "../server/server.ts";
import { checkTarget, type Target } from "../webhooks/target.ts";

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
  /**
   * How long a receiver of events may take to respond, in real time: milliseconds, or a text such as "2 seconds"; 10 seconds by
   * default, at most 10 minutes.
   */
  readonly webhookTimeout?: number | string | undefined;
  /** Each world begins with this, which `state()` or `GET /__mock/state` gave, instead of empty. */
  readonly state?: State | undefined;
  /** Each world begins with the scenario of the contract, so that the identifiers of the documentation are found. */
  readonly scenario?: boolean | undefined;
  /** What each world assumes where nobody states it: members of `openapi/mock.yaml` that differ. */
  readonly assume?: Assume | undefined;
  /** Every success is the documented example, and nothing is kept. */
  readonly stateless?: boolean | undefined;
  /** The edition whose operations are answered; "latest" by default. */
  readonly edition?: Edition | undefined;
  /** Told what happens by itself and should not, such as a tenant that had to be forgotten. */
  readonly onNote?: ((note: string) => void) | undefined;
}

/** What a mock is, and how it listens. */
export interface StartMockOptions extends Omit<CreateMockOptions, "state"> {
  /** Port of the main address; by default a free one. */
  readonly port?: number | undefined;
  /** Port of the deposit address; by default a free one. */
  readonly depositPort?: number | undefined;
  /** Name or IP address to listen on; "127.0.0.1" by default. */
  readonly host?: string | undefined;
  /** What each world begins with, or the path of a journal: what changes is kept there, and the next start goes on from it. */
  readonly state?: string | State | undefined;
  /** Each change is on the disk before it is answered, so that not even a power cut can lose it; slower. */
  readonly fsync?: boolean | undefined;
  /** Origins whose pages may use the control interface, besides that of the mock itself. */
  readonly allowOrigin?: readonly string[] | undefined;
  /** Hosts besides this machine to which `PUT /__mock/webhooks` may have events sent. */
  readonly allowWebhookHost?: readonly string[] | undefined;
  /** Called for every request that was answered. */
  readonly onRequest?: ((entry: RequestEntry) => unknown) | undefined;
  /** Called after each attempt to deliver an event. */
  readonly onDelivery?: ((delivery: Delivery) => void) | undefined;
}

type Check = (value: unknown, name: string) => unknown;
type Checks<Options> = { readonly [Name in keyof Required<Options>]: Check };

/** What each option of `createMock` has to be. */
export const settings: Checks<CreateMockOptions> = {
  seed: textOf,
  key: textOf,
  keys: (value, name) => listOf(value, name, textOf),
  clock: timeOf,
  webhooks: (value) => checkTarget(value),
  webhookTimeout: webhookTimeoutOf,
  state: (value, name) => objectOf(value, name),
  scenario: flagOf,
  stateless: flagOf,
  assume: (value, name) => objectOf(value, name),
  edition: checkEdition,
  onNote: functionOf,
};

/** What each option of `startMock` has to be. */
export const startSettings: Checks<StartMockOptions> = {
  ...settings,
  port: checkPort,
  depositPort: checkPort,
  host: textOf,
  state: (value, name) => (typeof value === "object" ? objectOf(value, name) : textOf(value, name)),
  fsync: flagOf,
  allowOrigin: (value, name) => listOf(value, name, checkOrigin),
  allowWebhookHost: (value, name) => listOf(value, name, textOf),
  onRequest: functionOf,
  onDelivery: functionOf,
};

/**
 * Checks what somebody gives as options.
 *
 * @param checks what each possible option has to be.
 * @param nameOf what an option is called in a message.
 * @throws {TypeError} when one is unknown or malformed, with what is possible.
 */
export function checkOptions<Options extends object>(
  options: Options,
  checks: Checks<Options>,
  nameOf: (name: string) => string = (name) => name,
): Options {
  const given = objectOf(options, "The options", Object.keys(checks));
  for (const [name, check] of Object.entries<Check>(checks)) {
    if (given[name] !== undefined) check(given[name], nameOf(name));
  }
  return options;
}

/** @returns milliseconds. @throws {ControlError} when it is no length of time from a millisecond to 10 minutes. */
export function webhookTimeoutOf(value: unknown, name: string): number {
  const length = lengthOf(value, name);
  if (length >= 1 && length <= 600_000) return length;
  throw new ControlError(`${name} must be from 1 millisecond to 10 minutes.`);
}

function checkEdition(value: unknown, name: string): void {
  if (editions.includes(value as Edition)) return;
  throw new ControlError(`${name} must be one of ${editions.join(", ")}.`);
}

/** @throws {ControlError} when it is no origin, as a browser sends it. */
function checkOrigin(value: unknown, name: string): void {
  if (URL.canParse(String(value)) && new URL(String(value)).origin === value) return;
  throw new ControlError(`${name} must be the origin of pages, such as http://localhost:3000.`);
}

function checkPort(value: unknown, name: string): void {
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65535) return;
  throw new ControlError(`${name} must be a whole number from 0 to 65535.`);
}
