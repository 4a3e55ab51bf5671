import { describe, expect, it } from "vitest";
import { type Change, programOf, proveProgram, withFolder } from "./support.ts";

const proved = (changes: readonly Change[], only?: string) =>
  withFolder((folder) => proveProgram("payouts", programOf("payouts", "ts", changes, folder), { only }));

describe("a payout program", () => {
  it("that loses its intent when killed is reported as paying twice, with call and payment", async () => {
    const { findings } = await proved([["    note(intent);\n", ""]], "killed-after");
    expect(findings).toHaveLength(6);
    expect(findings[0]).toEqual({
      condition: "killed-after",
      call: { operation: "createTransfer", number: 1 },
      kind: "done-twice",
      title: "paid twice",
      seen: expect.stringMatching(
        /^10\.00 eur to user-a \(pay-1, pay-2\): paid 3 times, and asked for 2 times\. An equal call followed \d\.\d s after call 1\.$/,
      ),
      only: "killed-after:createTransfer:1",
    });
  }, 60_000);

  it("that reports payments as failed without a fault gets a finding with the errors it received", async () => {
    const { findings } = await proved(
      [["...side, amount, currency }", "...side, amount: '0', currency }"]],
      "no-fault",
    );
    const [finding] = findings.filter(({ kind }) => kind === "reported-without-reason");
    expect(finding?.seen).toMatch(
      /called failed, though no response was lost\. Errors that it got: createTransfer → 400 P\d{3}\.$/,
    );
  }, 60_000);
});
