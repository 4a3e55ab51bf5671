/** The paths of webhooks that an edition does not know: on the command line, and for a whole mock. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { compiledEngine } from "../../../scripts/mock/answer/engine.ts";
import { ArgumentError, helpOf, readArguments } from "../../../scripts/mock/command/arguments.ts";
import { runMockCommand } from "../../../scripts/mock/command/mock.ts";
import { mockCommand, readSettings } from "../../../scripts/mock/command/mock-options.ts";
import { createMock, type InProcessMock, type MockOptions } from "../../../scripts/mock/mock.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { startFrom } from "../../../scripts/mock/start.ts";
import { Tenants } from "../../../scripts/mock/tenants/tenants.ts";
import { planOf } from "./support.ts";

let plan: Plan;
beforeAll(async () => {
  plan = await planOf();
});

describe("--path", () => {
  const command = mockCommand("mock");
  const read = (...args: string[]) =>
    readSettings(readArguments(command, ["--webhooks", "http://127.0.0.1:3000", ...args]));

  it("gives webhooks their paths, and can be repeated", () => {
    const args = ["--path", "kycVerificationStatus=/kyc", "--path=orderStatus=/orders/a=b"];
    expect(read(...args).webhooks?.paths).toEqual({ kycVerificationStatus: "/kyc", orderStatus: "/orders/a=b" });
    expect(read().webhooks).not.toHaveProperty("paths");
    expect(helpOf(command)).toContain("--path NAME=/PATH");
  });

  it.each([
    ["/kyc", "--path takes the name of a webhook and its path"],
    ["=/kyc", "--path takes the name of a webhook and its path"],
    ["kycVerificationStatus=", "--path takes the name of a webhook and its path"],
    ["kycVerificationStatus=kyc", "--path kycVerificationStatus: The path of a webhook must be the path of a URL"],
    ["kycVerificationStatus=/kyc?a=1", "--path kycVerificationStatus: The path of a webhook must be"],
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
    const loadSource = async () => ({ plan, engine: compiledEngine });
    const args = ["--webhooks", "http://127.0.0.1:3000", "--path", "kycVerificatonStatus=/kyc"];
    expect(await runMockCommand(args, { usage: "mock", versionOf: () => "1", loadSource })).toBe(2);
    expect(errors.mock.calls.join()).toContain(
      "There is no webhook kycVerificatonStatus. Did you mean kycVerificationStatus? Webhooks: ",
    );
  });
});

describe("a mock of the edition latest", () => {
  const reason = (name: string) =>
    `${name} is not delivered: the edition latest knows no path for it. Give one: --path ${name}=/…, or paths of the target.`;

  function scene(options: Partial<MockOptions> = {}) {
    const notes: string[] = [];
    const paths: string[] = [];
    const handler = (request: Request) => {
      paths.push(new URL(request.url).pathname);
      return new Response("{}");
    };
    const onNote = (note: string) => void notes.push(note);
    const mock = createMock({ plan, clock: "2026-04-01T07:00:00Z", webhooks: { handler }, onNote, ...options });
    onTestFinished(() => mock.close());
    return { mock, notes, paths, handler };
  }

  it.each([
    ["latest", []],
    ["test", ["/webhook/kyc-verification/status"]],
  ] as const)("of %s sends the event of a verification to %j", async (edition, expected) => {
    const { mock, notes, paths } = scene({ edition });
    await verify(mock);
    expect([...new Set(paths.filter((path) => path.includes("kyc-verification")))]).toEqual(expected);
    const verifications = mock.deliveries.filter(({ webhook }) => webhook === "kycVerificationStatus");
    expect([...new Set(verifications.map(({ problem }) => problem))]).toEqual(
      edition === "latest" ? [reason("kycVerificationStatus")] : [undefined],
    );
    expect(notes.filter((note) => note.startsWith("kycVerificationStatus"))).toHaveLength(edition === "latest" ? 1 : 0);
    expect(new Set(notes).size).toBe(notes.length);
  });

  it("delivers to the paths that it is given", async () => {
    const { handler, paths } = scene();
    const { mock, notes } = scene({ webhooks: { handler, paths: { kycVerificationStatus: "/kyc" } } });
    await verify(mock);
    expect(paths).toContain("/kyc");
    expect(notes.join()).not.toContain("kycVerificationStatus");
  });

  it("is told once for all of its tenants", async () => {
    const notes: string[] = [];
    const webhooks = { handler: () => new Response("{}") };
    const tenants = new Tenants({ plan, edition: "latest", seed: "s", webhooks, onNote: (note) => notes.push(note) });
    onTestFinished(() => tenants.close());
    for (const key of ["a", "b"]) {
      const tenant = tenants.of(key);
      tenant?.change(({ now, outbox }) => outbox.add("walletCreated", now, "{}"));
      await tenant?.timeline.settle();
      expect(tenant?.deliveries.list).toMatchObject([{ state: "undelivered", problem: reason("walletCreated") }]);
    }
    expect(notes).toEqual([reason("walletCreated")]);
  });

  it("gives the reason after a restart as well", async () => {
    const folder = mkdtempSync(join(tmpdir(), "paths-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const start = () =>
      startFrom(
        { plan, engine: compiledEngine },
        { edition: "latest", state: join(folder, "journal"), webhooks: { handler: () => new Response("{}") } },
      );
    const first = await start();
    const made = await fetch(`${first.url}/__mock/users/user-1`, {
      ...{ method: "POST", body: JSON.stringify({ verified: true }) },
      headers: { "x-api-key": "mock-key", "content-type": "application/json" },
    });
    expect(made.ok).toBe(true);
    await first.settle();
    const before = first.deliveries;
    await first.close();
    const second = await start();
    expect(second.deliveries).toEqual(before);
    expect(before.map(({ problem }) => problem)).toContain(reason("kycVerificationStatus"));
    await second.close();
  });

  async function verify(mock: InProcessMock) {
    mock.users.create("user-1");
    mock.users.verify("user-1");
    await mock.settle();
  }
});
