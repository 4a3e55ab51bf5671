import type { MockWorld } from "./behaviour.ts";

/** An IBAN with its check digits (ISO 13616, ISO 7064 MOD 97-10). */
function ibanOf(country: string, account: string): string {
  const digits = [...`${account}${country}00`].map((character) => Number.parseInt(character, 36)).join("");
  const checkDigits = 98n - (BigInt(digits) % 97n);
  return `${country}${String(checkDigits).padStart(2, "0")}${account}`;
}

export function makeIban(world: MockWorld, bank: "code" | "senderCode"): string {
  const { country, [bank]: code } = world.assumptions.bank;
  return ibanOf(country, `${code}${world.ids.digits(10)}`);
}

const testCardPrefix = "411111";

export function newCardNumber(world: MockWorld): string {
  const digits = `${testCardPrefix}${world.ids.digits(9)}`;
  return `${digits}${checkDigit(digits)}`;
}

/** The check digit of a number (ISO/IEC 7812-1, the Luhn algorithm). */
function checkDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

export function cardExpiry(time: number, years: number): string {
  const date = new Date(time);
  return `${String(date.getUTCMonth() + 1).padStart(2, "0")}/${String(date.getUTCFullYear() + years).slice(-2)}`;
}

/** The human-readable parts of SegWit addresses on the testnets (BIP 173 for Bitcoin). */
const segwitPrefixes: Readonly<Record<string, string>> = { btc: "tb", ltc: "tltc" };

export function makeAddress(world: MockWorld, network: string): string {
  const prefix = segwitPrefixes[network];
  const program = world.ids.hex(40);
  return prefix === undefined ? `0x${program}` : bech32(prefix, [0, ...toFiveBitGroups(program)]);
}

/** Converts an Ethereum address, or a Bech32 address on a testnet, to lower case, because these addresses ignore case. */
export function normaliseAddress(address: string): string {
  return /^(0x|tb1|tltc1)/i.test(address) ? address.toLowerCase() : address;
}

const bech32Alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

function bech32(prefix: string, data: readonly number[]): string {
  const codes = [...prefix].map((character) => character.charCodeAt(0));
  const expandedPrefix = [...codes.map((code) => code >>> 5), 0, ...codes.map((code) => code & 31)];
  const sum = polymod([...expandedPrefix, ...data, 0, 0, 0, 0, 0, 0]) ^ 1;
  const checksum = [5, 4, 3, 2, 1, 0].map((place) => (sum >>> (5 * place)) & 31);
  return `${prefix}1${[...data, ...checksum].map((value) => bech32Alphabet[value]).join("")}`;
}

const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

function polymod(values: readonly number[]): number {
  return values.reduce((sum, value) => {
    const shiftedSum = ((sum & 0x1ffffff) << 5) ^ value;
    return generator.reduce((result, term, bit) => result ^ ((sum >>> (25 + bit)) & 1 ? term : 0), shiftedSum);
  }, 1);
}

function toFiveBitGroups(hex: string): number[] {
  const bits = [...hex].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((group) => Number.parseInt(group, 2));
}

const ethereumNetworks = ["ethereum", "polygon"];

export function newTransactionHash(world: MockWorld, network: string): string {
  return `${ethereumNetworks.includes(network) ? "0x" : ""}${world.ids.hex(64)}`;
}
