import fc from "fast-check";

const surrogates = { first: 0xd800, count: 0x800 };

/** Any character but half a surrogate pair: as the unit "binary" of fast-check, which first makes a map of all of them, for a second or two. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: 0x10_ffff - surrogates.count })
  .map((number) => String.fromCodePoint(number < surrogates.first ? number : number + surrogates.count));
