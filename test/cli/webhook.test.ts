import { createWebhookHandler, toNodeListener } from "partner-wallet-api/webhooks";
import { describe, expect, it, onTestFinished } from "vitest";
import { runWebhookCommand } from "../../scripts/cli/package/webhook.ts";
import { serveRecorder, token } from "../mock/webhooks/support.ts";
import { serve } from "../support/http.ts";
import { plan } from "../support/plan.ts";

async function run(...args: string[]) {
  return runWith({}, ...args);
}

async function runWith(options: Partial<Parameters<typeof runWebhookCommand>[1]>, ...args: string[]) {
  const printedLines: string[] = [];
  const errors: string[] = [];
  const code = await runWebhookCommand(args, {
    usage: "webhook",
    loadPlan: async () => plan,
    print: (line) => void printedLines.push(line),
    printError: (line) => void errors.push(line),
    ...options,
  });
  const lines = printedLines.map((line) => line.replace(/\(\d+ ms\)$/, "(0 ms)"));
  expect(`${printedLines} ${errors}`).not.toContain(token);
  return { code, lines, errors };
}

const startRecorder = (status = 200) => serveRecorder((response) => void response.writeHead(status).end("{}"));

async function startReceiver() {
  const events: { name: string; event: unknown }[] = [];
  const handler = createWebhookHandler({
    authorization: token,
    on: {},
    otherwise: ({ name, event }) => void events.push({ name, event }),
    nonconforming: "reject",
    dedupe: false,
  });
  const server = await serve(toNodeListener(handler));
  onTestFinished(() => server.close());
  return { url: server.url, events };
}

describe("with the receiver of the package", () => {
  it("sends every webhook, and each is accepted", async () => {
    const { url, events } = await startReceiver();
    for (const { name, path } of plan.webhooks) {
      expect(await run(name, "--to", url, "--token", token)).toEqual({
        code: 0,
        lines: [`${name} → POST ${path}: 200, acknowledged (0 ms)`],
        errors: [],
      });
    }
    expect(events.map(({ name }) => name)).toEqual(plan.webhooks.map(({ name }) => name));
  });

  it("reports that a wrong and a missing token are refused", async () => {
    const { url, events } = await startReceiver();
    const wrongToken = await run("exchange", "--to", url, "--token", token, "--unauthorised");
    expect(wrongToken.code).toBe(0);
    expect(wrongToken.lines).toEqual([expect.stringContaining("401, refused the wrong token, as it should")]);
    const missingToken = await run("exchange", "--to", url);
    expect(missingToken.code).toBe(1);
    expect(missingToken.lines).toEqual([expect.stringContaining("401, refused the token: give the one")]);
    expect(events).toEqual([]);
  });

  it("reports that a malformed body and an unknown path are refused", async () => {
    const { url } = await startReceiver();
    for (const { name } of plan.webhooks) {
      const corruptEvent = await run(name, "--to", url, "--token", token, "--corrupt");
      expect(corruptEvent).toMatchObject({ code: 1, lines: [expect.stringContaining("400, refused the body")] });
    }
    const otherPath = await run("exchange", "--to", `${url}/hooks`, "--token", token);
    expect(otherPath).toMatchObject({
      code: 1,
      lines: [
        "exchange → POST /hooks/exchange-webhook: 404, no such path: give --path, or the base path of the receiver (0 ms)",
      ],
    });
  });
});

it("sends to the path and with the fields of the command line", async () => {
  const { url, receivedCalls } = await startRecorder();
  const args = ["--path", "/my/path", "--example", "partner", "amount=7", "status=SUCCESSFUL", "currency=null"];
  expect((await run("sepaDeposit", "--to", url, ...args)).code).toBe(0);
  expect(receivedCalls[0]?.url).toBe("/my/path");
  expect(JSON.parse(receivedCalls[0]?.body ?? "")).toMatchObject({ amount: "7", status: "SUCCESSFUL", currency: null });
});

it("reports a body that breaks the contract, without its values", async () => {
  const { url, receivedCalls } = await startRecorder();
  const { code, errors } = await run("p2pTransfer", "--to", url, "id=canary");
  expect({ code, errors }).toEqual({ code: 0, errors: [expect.stringMatching(/^Note: id must /)] });
  expect(errors.join()).not.toContain("canary");
  expect(receivedCalls.map(({ body }) => (JSON.parse(body) as { id: string }).id)).toEqual(["canary"]);
});

it("--duplicate sends the same event twice", async () => {
  const { url, receivedCalls } = await startRecorder();
  expect((await run("exchange", "--to", url, "--duplicate")).lines).toHaveLength(2);
  expect(receivedCalls).toHaveLength(2);
  expect(receivedCalls[0]?.body).toBe(receivedCalls[1]?.body);
});

it.each([
  [204, "204, not acknowledged: only 200 does that"],
  [302, "302, a redirect, which is not followed"],
  [400, "400, refused the body"],
  [403, "403, refused the token"],
  [405, "405, takes no POST on this path"],
  [418, "418, not acknowledged"],
  [429, "429, cannot take it now"],
  [500, "500, failed"],
  [503, "503, cannot take it now"],
])("explains %s, and exits with 1", async (status, meaning) => {
  const { url } = await startRecorder(status);
  const { code, lines } = await run("exchange", "--to", url);
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringContaining(`POST /exchange-webhook: ${meaning}`)]);
});

it("explains a missing response", async () => {
  const server = await serveRecorder();
  const { port } = new URL(server.url);
  const tlsResult = await run("exchange", "--to", `https://127.0.0.1:${port}`);
  expect(tlsResult).toMatchObject({
    code: 1,
    lines: [expect.stringContaining("no TLS connection: does the receiver want http://")],
  });
  await server.close();
  const refusedConnection = await run("exchange", "--to", server.url);
  expect(refusedConnection).toMatchObject({
    code: 1,
    lines: [expect.stringContaining("connection refused: is the receiver running")],
  });
});

it("reports a receiver that accepts a wrong token", async () => {
  const { url, receivedCalls } = await startRecorder();
  const { code, lines } = await run("exchange", "--to", url, "--token", token, "--unauthorised");
  expect([code, receivedCalls[0]?.headers.authorization]).toEqual([1, "wrong-token"]);
  expect(lines).toEqual([expect.stringContaining("200, accepted a wrong token: it should answer 401")]);
});

it("--list prints all names with path and examples, --help the options, without other arguments", async () => {
  const { code, lines } = await run("--list");
  expect(code).toBe(0);
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual(
    plan.webhooks.map(({ name, path, examples }) => [name, path, Object.keys(examples).join(", ")]),
  );
  const loadPlan = () => Promise.reject(new Error("not needed"));
  const help = await runWith({ loadPlan }, "--help");
  expect(help.code).toBe(0);
  expect(help.lines.join()).toMatch(/^Usage: webhook NAME \[member=value …\] \[options\]\n/);
});

it.each<[string, string[], RegExp]>([
  ["no name", [], /^Name a webhook; --list shows all of them\.\n\nUsage: /],
  ["no address", ["exchange"], /^Give the address of your receiver: --to /],
  [
    "a wrong name",
    ["exchnage", "--to", "http://127.0.0.1:9"],
    /^There is no webhook exchnage\. Did you mean exchange\?/,
  ],
  ["an unknown option", ["exchange", `--tokn=${token}`], /^There is no option --tokn\. Did you mean --token\? See /],
  ["two names", ["exchange", "order", "--to", "http://127.0.0.1:9"], /^order: give a member and its value/],
  [
    "a token that no header can hold",
    ["exchange", "--to", "http://127.0.0.1:9", "--token", `${token}\n`],
    /^The token of webhooks must be/,
  ],
  ["a wrong address", ["exchange", "--to", `partner:${token}`], /^The address of webhooks must be a URL/],
  ["a wrong path", ["exchange", "--to", "http://127.0.0.1:9", "--path", "a"], /^The path of exchange must be/],
])("%s is refused, nothing is sent, and it exits with 2", async (_, args, message) => {
  expect(await run(...args)).toEqual({ code: 2, lines: [], errors: [expect.stringMatching(message)] });
});

it("its own failure is not reported as a usage mistake", async () => {
  const loadPlan = () => Promise.reject(new TypeError("broken"));
  await expect(runWith({ loadPlan }, "--list")).rejects.toThrow("broken");
});
