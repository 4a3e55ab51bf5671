/** Numbers of cards that nobody can pay with. */
import type { MockWorld } from "./behaviour.ts";

/** How the number of a well-known test card begins. */
const testPrefix = "411111";

/** A new number of 16 digits, whose check digit is right. */
export function newCardNumber(world: MockWorld): string {
  const digits = `${testPrefix}${world.ids.digits(9)}`;
  return `${digits}${checkDigit(digits)}`;
}

/** The digit that makes a number valid (ISO/IEC 7812-1, the Luhn algorithm). */
function checkDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/** The month and the year some years later, such as `04/30`. @param time milliseconds since 1970. */
export function expiryAfter(time: number, years: number): string {
  const date = new Date(time);
  return `${String(date.getUTCMonth() + 1).padStart(2, "0")}/${String(date.getUTCFullYear() + years).slice(-2)}`;
}
