import fc from "fast-check";

const surrogates = { first: 0xd800, count: 0x800 };

/** Any Unicode code point except surrogates. The unit "binary" of fast-check is slow, because it lists all characters first. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: 0x10_ffff - surrogates.count })
  .map((number) => String.fromCodePoint(number < surrogates.first ? number : number + surrogates.count));
