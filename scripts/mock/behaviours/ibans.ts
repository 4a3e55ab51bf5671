/** Bank account numbers that are valid by their check digits and belong to nobody. */
import type { MockWorld } from "./behaviour.ts";

/**
 * A number (IBAN) with its check digits (ISO 13616, ISO 7064 MOD 97-10).
 *
 * @param country two letters.
 * @param account the part that the country defines (BBAN), digits and capital letters.
 */
export function ibanOf(country: string, account: string): string {
  const digits = [...`${account}${country}00`].map((character) => Number.parseInt(character, 36)).join("");
  const check = 98n - (BigInt(digits) % 97n);
  return `${country}${String(check).padStart(2, "0")}${account}`;
}

/** A new account at the service. */
export function makeIban(world: MockWorld): string {
  const { country, code } = world.plan.assumptions.bank;
  return ibanOf(country, `${code}${world.ids.digits(10)}`);
}

/** A new account at another bank. */
export function makeSenderIban(world: MockWorld): string {
  const { country, senderCode } = world.plan.assumptions.bank;
  return ibanOf(country, `${senderCode}${world.ids.digits(10)}`);
}
