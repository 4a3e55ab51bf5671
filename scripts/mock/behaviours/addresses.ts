/** Addresses on test chains that are valid by their form and checksum and belong to nobody. */
import type { MockWorld } from "./behaviour.ts";

/** The prefixes of segregated witness addresses on the test chains (BIP 173). */
const prefixes: Readonly<Record<string, string>> = { btc: "tb", ltc: "tltc" };

/**
 * A new address on a network.
 *
 * @param network in lower case; one that is not of Bitcoin or Litecoin has addresses as Ethereum has them.
 */
export function makeAddress(world: MockWorld, network: string): string {
  const prefix = prefixes[network];
  const program = world.ids.hex(40);
  return prefix === undefined ? `0x${program}` : bech32(prefix, [0, ...inFives(program)]);
}

/** The form in which two addresses can be compared: the letters of some networks may be of either case. */
export function comparable(address: string): string {
  return /^(0x|tb1|tltc1)/i.test(address) ? address.toLowerCase() : address;
}

const letters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

function bech32(prefix: string, data: readonly number[]): string {
  const expanded = [...[...prefix].map(high), 0, ...[...prefix].map(low)];
  const sum = polymod([...expanded, ...data, 0, 0, 0, 0, 0, 0]) ^ 1;
  const checksum = [5, 4, 3, 2, 1, 0].map((place) => (sum >>> (5 * place)) & 31);
  return `${prefix}1${[...data, ...checksum].map((value) => letters[value]).join("")}`;
}

function high(character: string): number {
  return character.charCodeAt(0) >>> 5;
}

function low(character: string): number {
  return character.charCodeAt(0) & 31;
}

const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

function polymod(values: readonly number[]): number {
  return values.reduce((sum, value) => {
    const shifted = ((sum & 0x1ffffff) << 5) ^ value;
    return generator.reduce((mixed, term, bit) => mixed ^ ((sum >>> (25 + bit)) & 1 ? term : 0), shifted);
  }, 1);
}

/** Hexadecimal digits as numbers of five bits each; their bits have to be a multiple of five. */
function inFives(hex: string): number[] {
  const bits = [...hex].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => Number.parseInt(five, 2));
}
