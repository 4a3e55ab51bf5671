/** Checks the options of a mock, which JavaScript would let pass whatever they are. */
import { ControlError } from "./control/error.ts";
import { flagOf, functionOf, listOf, objectOf, targetOf, textOf, timeOf } from "./control/fields.ts";
import type { CreateMockOptions, StartMockOptions } from "./mock.ts";
import { type Edition, editions } from "./plan/plan.ts";

type Check = (value: unknown, name: string) => unknown;
type Checks<Options> = { readonly [Name in keyof Required<Options>]: Check };

/** What each option of `createMock` has to be. */
export const settings: Checks<CreateMockOptions> = {
  seed: textOf,
  key: textOf,
  keys: (value, name) => listOf(value, name).map((key, index) => textOf(key, `${name}.${index}`)),
  clock: timeOf,
  webhooks: targetOf,
  scenario: flagOf,
  stateless: flagOf,
  edition: checkEdition,
  onNote: functionOf,
};

/** What each further option of `startMock` has to be. */
export const listening: Checks<Omit<StartMockOptions, keyof CreateMockOptions>> = {
  port: checkPort,
  depositPort: checkPort,
  host: textOf,
  state: textOf,
  onRequest: functionOf,
};

/**
 * Checks what somebody gives as options.
 *
 * @param checks what each possible option has to be.
 * @throws {TypeError} when one is unknown or malformed, with what is possible.
 */
export function checkOptions<Options extends object>(options: Options, checks: Checks<Options>): Options {
  const given = objectOf(options, "The options", Object.keys(checks));
  for (const [name, check] of Object.entries<Check>(checks)) {
    if (given[name] !== undefined) check(given[name], name);
  }
  return options;
}

function checkEdition(value: unknown, name: string): void {
  if (editions.includes(value as Edition)) return;
  throw new ControlError(`${name} must be one of ${editions.join(", ")}.`);
}

function checkPort(value: unknown, name: string): void {
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65535) return;
  throw new ControlError(`${name} must be a whole number from 0 to 65535.`);
}
