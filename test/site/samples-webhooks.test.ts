import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Server } from "node:net";
import * as webhooks from "partner-wallet-api/webhooks";
import { expect, it } from "vitest";
import { runWebhookCommand } from "../../scripts/cli/package/webhook.ts";
import { readMockControl } from "../../scripts/contract/sources/index.ts";
import { loadPlan } from "../../scripts/mock/make-plan/index.ts";
import { externalEventCommands } from "../../scripts/site/samples/external-event-commands.ts";
import { receiverPort } from "../../scripts/site/samples/webhook-samples.ts";
import { collectWebhooks, distinctBy, scalarsIn, sensitiveValues } from "./samples/collect.ts";
import { runProgram } from "./samples/programs.ts";
import { wordsOf } from "./samples/shell.ts";
import { site } from "./whole-site.ts";

const samples = collectWebhooks();
const receivers = distinctBy(samples, ({ receiver }) => receiver);

it("has a receiver for every webhook, and a command for every example", async () => {
  const { webhooks: all } = await loadPlan();
  expect(receivers).toHaveLength(all.length);
  expect(samples).toHaveLength(all.flatMap(({ examples }) => Object.keys(examples)).length);
});

it("has receivers that accept the event, and print nothing sensitive", async () => {
  const plan = await loadPlan();
  const commands = await wordsOf(
    "npx",
    samples.map(({ command }) => command),
  );
  const problems: string[] = [];
  for (const receiver of receivers) {
    await withReceiver(receiver.receiver, async (port, printedValues) => {
      for (const [index, sample] of samples.entries()) {
        if (sample.receiver !== receiver.receiver) continue;
        const [program, command, ...args] = (commands[index] ?? []).map((word) =>
          word.replace(`:${receiverPort}`, `:${port}`),
        );
        expect([program, command]).toEqual(["partner-wallet-api", "webhook"]);
        printedValues.length = 0;
        const lines: string[] = [];
        const print = (line: string) => void lines.push(line);
        const usage = "npx partner-wallet-api webhook";
        const exitCode = await runWebhookCommand(args, { usage, loadPlan: async () => plan, print, printError: print });
        if (exitCode !== 0) problems.push(`${sample.id}: ${lines.join(" ")}`);
        const isHandled = !printedValues.some((value) => /^(Another webhook|A body|A path)\b/.test(String(value)));
        if (!isHandled) problems.push(`${sample.id}: is not handled: ${printedValues.join(" ")}`);
        if (printedValues.length === 0) problems.push(`${sample.id}: prints nothing`);
        if (
          sensitiveValues(sample.webhook.requestBody?.bodies ?? [], sample.event).some((value) =>
            printedValues.includes(value),
          )
        )
          problems.push(`${sample.id}: prints what is sensitive`);
      }
    });
  }
  expect(problems).toEqual([]);
});

it("has commands for external events that contain the body of every call", async () => {
  const mockControl = readMockControl();
  const bodiesOf = async (name: string) => {
    const commands = externalEventCommands(name, { ...site, mockControl }) ?? "";
    const words = await wordsOf("curl", [commands]);
    // `-d` is the last option, so all lines after it are the body.
    return words.map((args) => JSON.parse(args.slice(args.indexOf("-d") + 1).join("\n")));
  };
  const { value, "x-before": preparingCalls } = mockControl.externalEvents["riskVerification.riskIsDecided"] ?? {};
  expect(await bodiesOf("riskVerification.riskIsDecided")).toEqual([preparingCalls?.[0]?.body, value]);
  const kycBodies = await bodiesOf("kycVerification.kycIsDecided");
  expect(kycBodies).toEqual([expect.objectContaining({ externalUserId: expect.any(String) }), expect.any(Object)]);
});

it("names what is missing when a call before an external event does not exist", () => {
  const stepsBefore = [{ operationId: "createPaymentLink", example: "absent" }];
  const mockControl = { ...readMockControl(), externalEvents: { "a.b": { value: {}, "x-before": stepsBefore } } };
  expect(() => externalEventCommands("a.b", { ...site, mockControl })).toThrow(
    "x-before of the example a.b names createPaymentLink with an example absent, which is not there.",
  );
});

async function withReceiver(
  code: string,
  use: (port: number, printedValues: unknown[]) => Promise<void>,
): Promise<void> {
  const servers: Server[] = [];
  const printedValues: unknown[] = [];
  const log = (...values: unknown[]) => void printedValues.push(...values.flatMap((value) => scalarsIn(value)));
  await runProgram(code.replace(`listen(${receiverPort})`, "listen(0)"), {
    modules: {
      "node:http": {
        createServer: (listener: RequestListener) => {
          const server = createServer(listener);
          servers.push(server);
          return server;
        },
      },
      "partner-wallet-api/webhooks": webhooks,
    },
    fetch,
    console: { log, error: log },
  });
  const [server] = servers;
  if (server === undefined) throw new Error("The receiver makes no server.");
  try {
    if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
    await use((server.address() as AddressInfo).port, printedValues);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
