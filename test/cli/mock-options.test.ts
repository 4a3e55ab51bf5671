import { describe, expect, it, vi } from "vitest";
import { UsageError } from "../../scripts/base/index.ts";
import { ArgumentError, helpOf, readArguments } from "../../scripts/cli/kit/arguments.ts";
import { runCommand } from "../../scripts/cli/kit/run-command.ts";
import { runMockCommand } from "../../scripts/cli/package/mock.ts";
import { mockCommand, readSettings } from "../../scripts/cli/package/mock-options.ts";
import { plan } from "../support/plan.ts";

const command = mockCommand("npx partner-wallet-api mock");
const read = (...args: string[]) => readSettings(readArguments(command, args));

function messageOf(...args: string[]): string {
  try {
    read(...args);
  } catch (error) {
    expect(error).toBeInstanceOf(ArgumentError);
    return (error as Error).message;
  }
  throw new Error("It was understood.");
}

describe("options", () => {
  it("have defaults", () => {
    const addresses = { port: 4010, depositPort: 4011, host: "127.0.0.1" };
    expect(read().options).toMatchObject({ ...addresses, edition: "latest", keys: undefined });
    expect(read()).toMatchObject({ options: { stateless: false, scenario: true }, isJson: false, isQuiet: false });
  });

  it("can be repeated where the help says so", () => {
    expect(read("--key", "a", "--key=b", "--port=65535").options).toMatchObject({ keys: ["a", "b"], port: 65_535 });
    const pages = ["http://a.example", "http://b.example"];
    const lists = ["a.example", "b.example"].flatMap((host) => ["--allow-webhook-host", host]);
    const { options } = read(...lists, ...pages.flatMap((origin) => ["--allow-origin", origin]));
    expect(options).toMatchObject({ allowOrigin: pages, allowWebhookHost: ["a.example", "b.example"] });
    expect(messageOf("--port", "1", "--port", "2")).toContain("only once");
  });

  it("take a value that begins with a hyphen after an equals sign, and any name of a question", () => {
    expect(read("--key=--json", "--key", "-").options.keys).toEqual(["--json", "-"]);
    const answers = ["toString=a", "__proto__=b"].flatMap((text) => ["--answer", text]);
    expect(Object.entries(read(...answers).options.answers ?? {})).toEqual([
      ["toString", "a"],
      ["__proto__", "b"],
    ]);
  });

  it("accept a URL, a token and a time", () => {
    const url = "http://127.0.0.1:3000";
    const { options } = read("--webhooks", url, "--token", "t", "--clock", "2026-03-10T09:00:00Z");
    expect(options.webhooks).toEqual({ url, token: "t" });
    const paths = ["--path", "kycVerificationStatus=/kyc", "--path=orderStatus=/orders/a=b"];
    expect(read("--webhooks", url, ...paths).options.webhooks?.paths).toEqual({
      kycVerificationStatus: "/kyc",
      orderStatus: "/orders/a=b",
    });
    expect(options.clock).toBe(Date.UTC(2026, 2, 10, 9));
    expect(read("--clock", "2028-02-29T23:30:00-05:00").options.clock).toBe(Date.UTC(2028, 2, 1, 4, 30));
  });
});

describe("a mistake", () => {
  it.each([
    [["--prot", "1"], "There is no option --prot. Did you mean --port? See npx partner-wallet-api mock --help."],
    [["--edition", "lastest"], "--edition is one of latest, test. Did you mean latest?"],
    [["--port", "65536"], "--port takes a number from 0 to 65535."],
    [["--port"], "--port needs a value: --port PORT"],
    [["--stateless=yes"], "--stateless takes no value."],
    [["--key", "--json"], "--key needs a value: --key KEY, or --key=KEY for one that begins with a hyphen."],
    [["--token", "-h"], "--token needs a value: --token TOKEN, or --token=TOKEN"],
    [["--answer", "Q-a=b", "--answer", "Q-a=c"], "Q-a is given twice."],
    [["4010"], "4010 is an unexpected argument."],
    [
      ["--webhooks", "http://127.0.0.1:3", "--path", "exchange=/a", "--path", "exchange=/b"],
      "exchange is given twice.",
    ],
    [["--stateless", "--empty"], "--empty has no effect with --stateless."],
    [["--stateless", "--worlds", "3"], "--worlds has no effect with --stateless."],
    [["--stateless", "--allow-origin", "http://a.example"], "--allow-origin has no effect with --stateless."],
    [["--token", "t"], "--token needs --webhooks URL."],
    [["--webhooks", "http://127.0.0.1:3000", "--token", "žž"], "The token of webhooks must be printable ASCII"],
    ...["/kyc", "=/kyc", "exchange="].map((path): [string[], string] => [
      ["--webhooks", "http://127.0.0.1:3000", "--path", path],
      "--path takes the name of a webhook and its path",
    ]),
    [
      ["--webhooks", "http://127.0.0.1:3000", "--path", "exchange=kyc"],
      "The path of exchange must be the path of a URL",
    ],
    [["--path", "exchange=/x"], "--path needs --webhooks URL."],
    [["--clock", "noon"], "--clock must be a time"],
    [["--clock", "2026-02-30T00:00:00Z"], "--clock: there is no 2026-02-30."],
  ] as [string[], string][])("is refused: %j", (args, message) => {
    expect(messageOf(...args)).toContain(message);
  });

  it("in a URL does not show its password", () => {
    expect(messageOf("--webhooks", "user:canary7@host")).not.toContain("canary7");
  });
});

it("a value that a command needs is one that its options have", () => {
  const { has, text, texts, requiredText, choice } = readArguments(command, ["--edition", "test"]);
  expect([requiredText("port"), choice("edition", ["latest", "test"])]).toEqual(["4010", "test"]);
  expect(() => requiredText("state")).toThrow("--state has no value and no default.");
  for (const read of [has, text, texts, requiredText, (name: string) => choice(name, ["test"])])
    expect(() => read("nothing")).toThrow("The command has no --nothing.");
  expect(() => choice("edition", ["latest"])).toThrow("--edition is test, and not one of latest.");
});

it("a positional argument is refused when the command accepts fewer", () => {
  const operandsOf = (maxOperands: number) => readArguments({ ...command, maxOperands }, ["a", "b"]).operands;
  expect(() => operandsOf(0)).toThrow("a is an unexpected argument.");
  expect(() => operandsOf(1)).toThrow("b is an unexpected argument.");
  expect(operandsOf(2)).toEqual(["a", "b"]);
});

it("--help and --version print, and start nothing", async () => {
  const print = vi.spyOn(console, "log").mockImplementation(() => {});
  const context = { usage: "npx partner-wallet-api mock", loadPlan: async () => plan };
  for (const option of ["--help", "-h", "--version"]) expect(await runMockCommand([option], context)).toBe(0);
  expect(print.mock.calls).toEqual([[helpOf(command)], [helpOf(command)], [plan.version]]);
  print.mockRestore();
});

it("returns the exit code of its action, and rethrows unexpected errors", async () => {
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  const runAction = (action: () => Promise<number>) => runCommand(command, [], action);
  const fail = (error: Error) => runAction(() => Promise.reject(error));
  expect(await runAction(async () => 7)).toBe(7);
  expect(await fail(new ArgumentError("so not"))).toBe(2);
  expect(await fail(new UsageError("no bundle"))).toBe(1);
  await expect(fail(new RangeError("broken"))).rejects.toThrow("broken");
  expect(print.mock.calls).toEqual([["so not"], ["no bundle"]]);
  print.mockRestore();
});

it("the help has every option, and valid examples", () => {
  const help = helpOf(command);
  expect(help).toContain("Examples:\n  # with the users and records");
  expect(helpOf({ ...command, examples: [] })).not.toContain("Examples");
  for (const { name } of command.options) expect(help).toContain(`  --${name} `);
  for (const [args] of command.examples ?? []) read(...args.split(" ").filter((word) => word !== ""));
});
