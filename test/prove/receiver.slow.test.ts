/** `prove receiver` on programs of the corpus. */
import { describe, expect, it } from "vitest";
import { inFolder, type Language, programOf, proveProgram } from "./proving.ts";

describe.each<Language>(["ts", "py"])("a receiver in %s", (language) => {
  it("that is correct fails no condition", async () => {
    const { findings, conditions } = await inFolder((folder) =>
      proveProgram("receiver", programOf("receiver", language, [], folder)),
    );
    expect(findings).toEqual([]);
    expect(conditions).toHaveLength(12);
  }, 120_000);
});
