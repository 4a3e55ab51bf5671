import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPartnerClient } from "partner-wallet-api";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { controlCommandRows, controlExampleRows, runControlCommand } from "../../scripts/cli/package/control.ts";
import { type RunningMock, startMock } from "../../scripts/mock/host/mock.ts";
import { deliveryLine } from "../../scripts/mock/server/terminal.ts";
import { serve, serveInTest } from "../support/http.ts";
import { plan } from "../support/plan.ts";

const key = "key-of-the-commands";
const folder = mkdtempSync(join(tmpdir(), "commands-"));
let mock: RunningMock;
const attemptLines: string[] = [];

beforeAll(async () => {
  const onDelivery = (delivery: Parameters<typeof deliveryLine>[0]) => {
    const line = deliveryLine(delivery, false);
    if (line !== undefined) attemptLines.push(line);
  };
  mock = await startMock(plan, { key, clock: "2026-04-01T09:00:00Z", onDelivery });
});
afterAll(async () => {
  await mock?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => mock.reset());

async function runAlone(...args: string[]): Promise<{ code: number | undefined; lines: string[]; errors: string }> {
  const lines: string[] = [];
  const errors: string[] = [];
  const code = await runControlCommand(args, {
    usage: "wallet",
    plan,
    print: (line) => lines.push(line),
    printError: (line) => errors.push(line),
  });
  return { code, lines, errors: errors.join("\n") };
}
const run = (command: string, ...args: string[]) =>
  runAlone(...command.split(" "), ...args, "--url", mock.url, "--key", key);
const runForJson = async (command: string, ...args: string[]) => {
  const { code, lines, errors } = await run(command, ...args, "--json");
  expect([code, errors]).toEqual([0, ""]);
  return lines.map((line) => JSON.parse(line));
};

it("calls a mock that a proxy serves below a path, as its page does", async () => {
  const paths: string[] = [];
  const proxy = await serve((request, response) => {
    paths.push(request.url ?? "");
    if (!request.url?.startsWith("/wallet/")) return response.writeHead(404).end("another application");
    const headers = { "x-api-key": String(request.headers["x-api-key"]) };
    void fetch(mock.url + request.url.slice("/wallet".length), { headers }).then(async (mockResponse) =>
      response.writeHead(mockResponse.status).end(await mockResponse.text()),
    );
  });
  try {
    for (const url of [`${proxy.url}/wallet`, `${proxy.url}/wallet/`]) {
      expect((await runAlone("clock", "--url", url, "--key", key)).code).toBe(0);
    }
    expect(paths).toEqual(["/wallet/__mock/clock", "/wallet/__mock/clock"]);
    const page = await (await fetch(`${proxy.url}/wallet/__mock/`)).text();
    const addresses = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address = ""]) => address);
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) {
      expect((await fetch(new URL(address, `${proxy.url}/wallet/__mock/`))).status, address).toBe(200);
    }
    expect(await (await fetch(`${proxy.url}/wallet/__mock/page.js`)).text()).not.toMatch(/fetch\(["'`]\//);
  } finally {
    await proxy.close();
  }
});

describe("a command", () => {
  it("changes users, money and the clock, and triggers external events", async () => {
    expect(await runForJson("user user-7 verified=true funds.eur=100.00")).toMatchObject([
      { externalUserId: "user-7", verification: "verified", funds: { eur: "100.00" } },
    ]);
    expect(await runForJson("partner fund", 'funds={"eur":"7"}')).toEqual([{ funds: { eur: "7.00" } }]);
    const [assumptions] = await runForJson("assume delays.sepaDeposit=30");
    expect(assumptions.delays.sepaDeposit).toBe(30);
    expect(await run("partner fund funds=null")).toMatchObject({ code: 1, errors: "funds must be an object." });
    const values = ["externalUserId=user-7", "amount=40.00"];
    expect(await runForJson("trigger sepaDeposit.depositArrives", ...values)).toMatchObject([
      { resource: "sepaDeposit" },
    ]);
    expect(await runForJson("clock advance", "2 days")).toEqual([{ now: "2026-04-03T09:00:00.000Z", isFrozen: true }]);
    expect(await runForJson("users")).toMatchObject([{ funds: { eur: "140.00" } }]);
    expect(await runForJson("clock run")).toMatchObject([{ isFrozen: false }]);
    expect(await runForJson("clock freeze 2026-05-01")).toEqual([{ now: "2026-05-01T00:00:00.000Z", isFrozen: true }]);
    expect((await run("clock")).lines).toEqual(["now: 2026-05-01T00:00:00.000Z  isFrozen: true"]);
    expect((await run("reset")).lines).toEqual(["Done."]);
    expect(await runForJson("users")).toEqual([]);
  });

  it("adds and removes faults, and verifies the requests that came", async () => {
    const [addedFault] = await runForJson("faults add operation=getPartnerBalances status=503 times=always rate=1");
    expect(addedFault).toMatchObject({ status: 503, times: "always", rate: 1, left: "always" });
    const client = createPartnerClient({ baseUrl: mock.url, depositBaseUrl: mock.depositUrl, apiKey: key, retries: 0 });
    expect((await client.getPartnerBalances()).status).toBe(503);
    expect((await run("faults remove 0")).code).toBe(0);
    expect((await client.getPartnerBalances()).status).toBe(200);
    expect(await runForJson("verify getPartnerBalances times=2")).toEqual([{ count: 2 }]);
    expect(await run("verify getPartnerBalances times=3")).toMatchObject({
      code: 1,
      errors: expect.stringContaining("2 times"),
    });
    expect((await runForJson("requests --after 0")).map(({ number }) => number)).toEqual([1]);
  });

  it("saves and restores the state of a world", async () => {
    const file = join(folder, "state.json");
    mock.users.create("user-7");
    expect((await run("state save", file)).code).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(mock.state());
    mock.reset();
    expect((await run("state load", file)).code).toBe(0);
    expect(mock.users.list).toHaveLength(1);
    expect(await run("state load", join(folder, "none.json"))).toMatchObject({
      code: 1,
      errors: expect.stringContaining("none.json"),
    });
  });

  it("selects items and members by the text of --only, also as JSON", async () => {
    for (const id of ["user-7", "user-8"]) await run(`user ${id} verified=true`);
    expect((await runForJson("users --only user-8")).map(({ externalUserId }) => externalUserId)).toEqual(["user-8"]);
    expect((await run("users --only user-8")).lines).toEqual([expect.stringMatching(/^externalUserId: user-8 /)]);
    expect(await runForJson("assumptions --only delays.sepaTransfer")).toEqual([
      { delays: { sepaTransfer: expect.any(Number) } },
    ]);
    expect(await run("state save", join(folder, "unwritten.json"), "--only", "user-7")).toMatchObject({
      code: 2,
      errors: expect.stringContaining("There is no option --only."),
    });
  });

  it("explains a mistake on its command line, and a refusal by the mock", async () => {
    for (const [command, code, message] of [
      [
        "clock advence",
        2,
        "Did you mean advance? Possible commands:\n  wallet clock\n  wallet clock advance <advance>",
      ],
      [
        "clock advance",
        2,
        "clock advance needs <advance>:\n  wallet clock advance <advance>\nSee wallet clock advance --help.",
      ],
      ["user", 2, "user needs <externalUserId>:"],
      ["user user-7 verified", 2, "verified: give a member and its value"],
      ["user user-7 verified=true verified=false", 2, "verified is given twice."],
      ["state save /no-folder/state.json", 2, "/no-folder/state.json cannot be written (ENOENT)."],
      ["user user-7 =true", 2, "=true: give a member and its value"],
      ["requests --afetr 1", 2, "There is no option --afetr. Did you mean --after?"],
      ["user user-7 verfied=true", 1, 'The body has no "verfied". Did you mean verified?'],
      ["faults add times=0 status=500", 1, "times must be a whole number from 1"],
      ["trigger card.cardIsBlockd", 1, "Did you mean card.cardIsBlocked?"],
    ] as const) {
      expect(await run(command), command).toMatchObject({ code, lines: [], errors: expect.stringContaining(message) });
    }
  });

  it("explains why it cannot call the mock, and without a running mock tells how to start one", async () => {
    const otherServer = await serve((_, response) => void response.end("hello"));
    const redirectingServer = await serve((_, response) => void response.writeHead(302, { location: "/" }).end());
    const disconnectingServer = await serve((_, response) => void response.write("{", () => response.destroy()));
    const closedServer = await serve(() => {});
    await closedServer.close();
    const errorsFor = async (option: string, value: string) => {
      const { code, errors } = await runAlone("clock", option, value);
      return [code, errors];
    };
    expect(await errorsFor("--url", otherServer.url)).toEqual([
      1,
      `The server at ${otherServer.url} is not a mock: it responded with HTTP 200.`,
    ]);
    expect(await errorsFor("--url", redirectingServer.url)).toEqual([
      1,
      `The server at ${redirectingServer.url} is not a mock: it responded with HTTP 302.`,
    ]);
    expect(await errorsFor("--url", disconnectingServer.url)).toEqual([
      1,
      `GET /__mock/clock at ${disconnectingServer.url} failed: the connection broke. Check --url and the last output of the mock.`,
    ]);
    await Promise.all([disconnectingServer, redirectingServer, otherServer].map((server) => server.close()));
    const noMockMessage = expect.stringContaining(`No mock answers at ${closedServer.url}. Start one with`);
    expect(await errorsFor("--url", closedServer.url)).toEqual([1, noMockMessage]);
    expect(await errorsFor("--url", "nonsense")).toEqual([2, "--url takes a URL such as http://127.0.0.1:4010"]);
    expect(await errorsFor("--key", "two words")).toEqual([2, "The API key must be printable ASCII without blanks."]);
  });

  it("prints readable lines", async () => {
    const events = (await run("events")).lines;
    expect(events).toContainEqual(
      expect.stringMatching(/^sepaDeposit\.depositArrives: .+ Members: externalUserId, transferTitle, amount/),
    );
    const assumptions = (await run("assume delays.transfer=30 locks.orderSeconds=9")).lines;
    expect(assumptions.sort()).toEqual(["delays.transfer=30", "locks.orderSeconds=9"]);
    expect((await run("assumptions --only delays.trans")).lines).toEqual(["delays.transfer=30"]);
    expect((await run("faults")).lines).toEqual(["None."]);
    expect((await run("faults --only 503")).lines).toEqual([]);
    await run("user user-7 verified=true");
    expect((await run("deliveries")).lines).toContain(
      "2026-04-01T09:00:00.000Z event 0: kycVerificationStatus → POST /webhook/kyc-verification/status, undelivered",
    );
    const unsentLine =
      "2026-04-01T09:00:00.000Z kycVerificationStatus → not sent: no address was set (event 0, undelivered)";
    expect((await run("logs")).lines).toContain(unsentLine);
  });
});

describe("the help", () => {
  const helpOf = async (words: string, flag = "--help") => {
    const { code, lines } = await runAlone(...words.split(" "), flag);
    expect(code, words).toBe(0);
    return lines.join("\n");
  };
  const usages = controlCommandRows(plan).map(([usage]) => usage);

  it("exists at every level, with and without the contract's values", async () => {
    for (const usage of usages) {
      const requiredPart = usage.replace(" [member=value …]", "");
      const completeCommand = requiredPart.replace("<resource>.<event>", "card.cardIsUsed").replace(/<\w+>/g, "1");
      const words = requiredPart.split(" ");
      for (const partialCommand of [completeCommand, ...words.map((_, index) => words.slice(0, index + 1).join(" "))]) {
        if (partialCommand.includes("<")) continue;
        const help = await helpOf(partialCommand, "-h");
        expect(help, partialCommand).toMatch(/^Usage: wallet \w+/);
        expect(help, partialCommand).toContain(usage.replace(/ <.*/, ""));
      }
    }
    expect(plan.control.filter(({ commands }) => commands.length === 0)).toEqual([]);
    for (const words of ["trigger", "verify", "redeliver", "user", "state save", "clock advance", "webhooks set"]) {
      expect(await helpOf(words), words).toMatch(new RegExp(`^Usage: wallet ${words} <`));
    }
  });

  it("lists every field of a request body", async () => {
    for (const { commands, fields } of plan.control) {
      const command = commands.find((candidate) => candidate.endsWith("…"));
      if (command === undefined || command.startsWith("trigger")) continue;
      const help = await helpOf(command.replace(/ [{…].*/, ""));
      for (const { name } of fields.filter((field) => field.in === "body")) {
        expect(help, command).toMatch(new RegExp(`^  <?${name.replaceAll(".", "\\.")}>?(  |$)`, "m"));
      }
    }
  });

  it("lists the fields of each external event, each with its meaning", async () => {
    const events = (await runForJson("events")) as { resource: string; event: string; takes: string[]; to: string[] }[];
    expect(events.length).toBeGreaterThan(20);
    const unexplainedNames = [];
    for (const { resource, event, takes, to } of events) {
      const help = await helpOf(`trigger ${resource}.${event}`);
      for (const name of takes) {
        if (!new RegExp(`^  ${name} +\\S`, "m").test(help)) unexplainedNames.push(`${resource}.${event} ${name}`);
      }
      if (takes.includes("status") && to.length > 1) for (const status of to) expect(help).toContain(status);
      expect(help).toContain(`\n  wallet trigger ${resource}.${event}`);
    }
    expect(unexplainedNames).toEqual([]);
    expect(await helpOf("trigger")).toContain("  sepaDeposit.depositArrives ");
  });

  it("has examples that work", async () => {
    expect(controlExampleRows(plan).length).toBeGreaterThan(1);
    for (const [args] of controlExampleRows(plan)) {
      const words = [...args.matchAll(/(?:"[^"]*"|\S)+/g)].map(([word]) => word.replaceAll('"', ""));
      expect(await run(words[0] as string, ...words.slice(1)), args).toMatchObject({ code: 0 });
    }
  });
});

it.each(["settle", "clock advance 1s"])("says for which events %s waits", async (command) => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const responses: ServerResponse[] = [];
  let isReady = false;
  const receiver = await serveInTest((_, response) => {
    if (isReady) response.end("{}");
    else responses.push(response);
  });
  mock.sendWebhooksTo({ url: receiver.url });
  mock.users.create("user-7", { verified: true });
  const errors: string[] = [];
  const args = [...command.split(" "), "--url", mock.url, "--key", key];
  const context = { usage: "wallet", plan, print: () => {}, printError: (line: string) => void errors.push(line) };
  const code = runControlCommand(args, context);
  await expect.poll(() => responses).not.toEqual([]);
  vi.advanceTimersByTime(2000);
  await expect.poll(() => errors).toEqual([expect.stringMatching(/event 0 \(kycVerificationStatus\)/)]);
  isReady = true;
  for (const response of responses) response.end("{}");
  expect(await code).toBe(0);
  mock.sendWebhooksTo(undefined);
});

describe("the log", () => {
  // The two tests run at the same time, so this one has its own mock.
  it.concurrent("shows all that comes after a reset, also when more has come since than before", async ({ expect }) => {
    const mock = await startMock(plan, { key, clock: "2026-04-01T09:00:00Z" });
    const lines: string[] = [];
    const controller = new AbortController();
    const args = ["logs", "--follow", "--url", mock.url, "--key", key];
    const printFollowed = (line: string) => void lines.push(line);
    const context = { usage: "wallet", plan, print: expect.unreachable, printFollowed, printError: () => {} };
    const logs = runControlCommand(args, { ...context, signal: controller.signal });
    const make = async (id: string, count: number) => {
      mock.users.create(id, { verified: true });
      for (let number = 0; number < count; number += 1)
        await fetch(`${mock.url}/v1/user/${id}`, { headers: { "x-api-key": key } });
    };
    const linesOf = (id: string) => lines.filter((line) => line.includes(`/v1/user/${id}`)).length;
    await make("user-1", 3);
    await expect.poll(() => [linesOf("user-1"), lines.length]).toEqual([3, 13]);
    mock.reset();
    await make("user-2", 5);
    await expect.poll(() => [linesOf("user-2"), lines.length]).toEqual([5, 28]);
    controller.abort();
    expect(await logs).toBe(0);
    await mock.close();
  });

  it.concurrent("lists requests and delivery attempts in order of time, and follows new ones", async ({ expect }) => {
    const statuses = [503, 200];
    const receiver = await serve((_, response) => void response.writeHead(statuses.shift() ?? 200).end("{}"));
    mock.sendWebhooksTo({ url: receiver.url });
    const lines: string[] = [];
    const controller = new AbortController();
    const args = ["logs", "--follow", "--url", mock.url, "--key", key];
    const context = { usage: "wallet", plan, print: (line: string) => void lines.push(line), printError: () => {} };
    const exitCodePromise = runControlCommand(args, { ...context, signal: controller.signal });
    const acceptedLine = "2026-04-01T09:00:00.000Z GET /v1/partner/balances → 200";
    const callLines = ["2026-04-01T09:00:00.000Z DELETE /v1/partner/balances → 405", acceptedLine, acceptedLine];
    await fetch(`${mock.url}/v1/partner/balances`, { method: "DELETE", headers: { "x-api-key": key } });
    for (const _ of [1, 2]) await fetch(`${mock.url}/v1/partner/balances`, { headers: { "x-api-key": key } });
    await expect.poll(() => lines).toEqual(callLines);
    mock.users.create("user-7", { verified: true });
    await mock.settle();
    const attempt = "kycVerificationStatus → POST /webhook/kyc-verification/status:";
    const refusedLine = `${attempt} 503, cannot take it now: the service would deliver it again (event 0, pending)`;
    await expect.poll(() => lines.at(3)).toBe(`2026-04-01T09:00:00.000Z ${refusedLine}`);
    await mock.clock.advance("8 seconds");
    const acceptedEventLine = `${attempt} 200, acknowledged (event 0, delivered)`;
    await expect.poll(() => lines).toContain(`2026-04-01T09:00:08.000Z ${acceptedEventLine}`);
    expect(lines.slice(0, 4)).toEqual([...callLines, `2026-04-01T09:00:00.000Z ${refusedLine}`]);
    expect(new Set(lines.slice(2)).size).toBe(lines.length - 2);
    // The mock itself prints the same lines, but with the machine's time.
    for (const line of [refusedLine, acceptedEventLine]) {
      expect(attemptLines.map((line) => line.slice(13))).toContain(line);
    }
    for (const line of attemptLines) expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} \w/);
    controller.abort();
    expect(await exitCodePromise).toBe(0);
    mock.sendWebhooksTo(undefined);
    await receiver.close();
    const objects = await runForJson("logs");
    expect(objects.map(({ webhook, method }) => webhook ?? method).slice(0, 4)).toEqual([
      ...["DELETE", "GET", "GET", "kycVerificationStatus"],
    ]);
  });
});
