/** The option for the paths of webhooks. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ArgumentError, helpOf, readArguments } from "../../../scripts/mock/command/arguments.ts";
import { runMockCommand } from "../../../scripts/mock/command/mock.ts";
import { mockCommand, readSettings } from "../../../scripts/mock/command/mock-options.ts";
import { loadPlan } from "../../../scripts/plan/index.ts";

describe("--path", () => {
  const command = mockCommand("mock");
  const read = (...args: string[]) =>
    readSettings(readArguments(command, ["--webhooks", "http://127.0.0.1:3000", ...args]));

  it("gives webhooks their paths, and can be repeated", () => {
    const args = ["--path", "kycVerificationStatus=/kyc", "--path=orderStatus=/orders/a=b"];
    expect(read(...args).mock.webhooks?.paths).toEqual({ kycVerificationStatus: "/kyc", orderStatus: "/orders/a=b" });
    expect(read().mock.webhooks).not.toHaveProperty("paths");
    expect(helpOf(command)).toContain("--path NAME=/PATH");
  });

  it.each([
    ["/kyc", "--path takes the name of a webhook and its path"],
    ["=/kyc", "--path takes the name of a webhook and its path"],
    ["kycVerificationStatus=", "--path takes the name of a webhook and its path"],
    ["kycVerificationStatus=kyc", "The path of kycVerificationStatus must be the path of a URL"],
    ["kycVerificationStatus=/kyc?a=1", "The path of kycVerificationStatus must be"],
  ])("refuses %s", (text, message) => {
    expect(() => read("--path", text)).toThrow(new RegExp(`^${message}`));
    expect(() => read("--path", text)).toThrow(ArgumentError);
  });

  it("needs a URL", () => {
    expect(() => readSettings(readArguments(command, ["--path", "exchange=/x"]))).toThrow(
      "--path needs --webhooks URL.",
    );
  });

  it("of no webhook ends the command with 2, and the nearest name", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => errors.mockRestore());
    const args = ["--webhooks", "http://127.0.0.1:3000", "--path", "kycVerificatonStatus=/kyc"];
    expect(await runMockCommand(args, { usage: "mock", loadPlan })).toBe(2);
    expect(errors.mock.calls.join()).toContain(
      "There is no webhook kycVerificatonStatus. Did you mean kycVerificationStatus? Webhooks: ",
    );
  });
});
