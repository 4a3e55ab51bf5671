import type { Plan } from "../../mock/plan/index.ts";
import { ListenError } from "../../mock/server/index.ts";
import { formatDrift, Report, startProxy } from "../../service/index.ts";
import { ArgumentError, type Arguments, type Command, portOption } from "../kit/arguments.ts";
import { linePrinter } from "../kit/output.ts";
import { type CommandContext, checkUrl, driftFormats, normalizedUrl, reportOptions } from "./service-options.ts";

export function proxyCommand(usage: string): Command {
  return {
    usage,
    text: "Forwards the calls of a client to the service, unchanged, and reports where requests or responses differ from the contract.\nStop it with Ctrl+C: the report follows. Exit code: 0 no difference, 1 at least one, 2 a mistake on the command line.",
    options: [
      { name: "upstream", value: "URL", text: "the main address of the service", check: checkUrl },
      {
        name: "deposit-upstream",
        value: "URL",
        text: "the address of the crypto deposit details",
        check: checkUrl,
        defaultText: "that of --upstream",
      },
      portOption("port", "the main address of the proxy", 4020),
      portOption("deposit-port", "the deposit address of the proxy", 4021),
      ...reportOptions(...driftFormats),
    ],
    examples: [
      [
        "--upstream https://api.example --deposit-upstream https://deposit.example",
        "then let the client call http://127.0.0.1:4020",
      ],
    ],
  };
}

export async function runProxy(
  parsedArgs: Arguments,
  plan: Plan,
  { signal }: CommandContext,
): Promise<{ text: string; code: number }> {
  const upstream = parsedArgs.text("upstream");
  if (upstream === undefined)
    throw new ArgumentError("Give the address of the service: --upstream https://api.example.");
  const report = new Report();
  const format = parsedArgs.choice("format", driftFormats);
  // In formats other than text, stdout contains only the report, because a program may parse it.
  const printLine = linePrinter(format === "text" ? process.stdout : process.stderr);
  const depositUpstream = parsedArgs.text("deposit-upstream") ?? upstream;
  const { url, depositUrl, close } = await startProxy(plan, {
    upstream,
    depositUpstream,
    port: Number(parsedArgs.requiredText("port")),
    depositPort: Number(parsedArgs.requiredText("deposit-port")),
    onCall: (operationId, drift, seen) => {
      for (const newDrift of report.add(operationId, drift, seen)) printLine(formatDrift(newDrift));
    },
  }).catch((error: Error) => {
    throw error instanceof ListenError ? new ArgumentError(error.message) : error;
  });
  printLine(`${url} forwards to ${normalizedUrl(upstream)}`);
  printLine(`${depositUrl} forwards to ${normalizedUrl(depositUpstream)}, the deposit address`);
  printLine("Each difference from the contract is printed once. Stop with Ctrl+C: the report follows.");
  // A signal that was aborted while the proxy started dispatches no further event.
  if (!signal?.aborted) await new Promise((resolve) => signal?.addEventListener("abort", resolve));
  await close();
  return { text: report.format(format), code: report.drift.length === 0 ? 0 : 1 };
}
