import type { Plan } from "../../mock/plan/index.ts";
import { ListenError } from "../../mock/server/index.ts";
import { lineOf, Report, type ReportFormat, startProxy } from "../../service/index.ts";
import { ArgumentError, type Arguments, type Command, portOption } from "../kit/arguments.ts";
import { linePrinter } from "../kit/output.ts";
import { type CommandContext, isUrl, reportOptions } from "./service-options.ts";

export function proxyCommand(usage: string): Command {
  return {
    usage,
    text: "Forwards the calls of a client to the service, unchanged, and reports where requests or responses differ from the contract.\nStop it with Ctrl+C: the report follows. Exit code: 0 nothing differs, 1 something does, 2 a mistake on the command line.",
    options: [
      { name: "upstream", value: "URL", text: "the main address of the service", check: isUrl },
      {
        name: "deposit-upstream",
        value: "URL",
        text: "the address of the crypto deposit details",
        check: isUrl,
        otherwise: "that of --upstream",
      },
      portOption("port", "the main address of the proxy", 4020),
      portOption("deposit-port", "the deposit address of the proxy", 4021),
      ...reportOptions("text", "json", "junit"),
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
  given: Arguments,
  plan: Plan,
  { signal }: CommandContext,
): Promise<{ text: string; code: number }> {
  const upstream = given.text("upstream");
  if (upstream === undefined) throw new ArgumentError("Say where the service is: --upstream https://api.example.");
  const report = new Report();
  const format = given.required("format") as ReportFormat;
  // In formats other than text, stdout contains only the report, because a program may parse it.
  const line = linePrinter(format === "text" ? process.stdout : process.stderr);
  const depositUpstream = given.text("deposit-upstream") ?? upstream;
  const { url, depositUrl, close } = await startProxy(plan, {
    ...{ upstream, depositUpstream },
    ...{ port: Number(given.required("port")), depositPort: Number(given.required("deposit-port")) },
    onCall: (operationId, drift, seen) => {
      for (const each of report.add(operationId, drift, seen)) line(lineOf(each));
    },
  }).catch((error: Error) => {
    throw error instanceof ListenError ? new ArgumentError(error.message) : error;
  });
  line(`${url} stands for ${new URL(upstream).origin}`);
  line(`${depositUrl} stands for ${new URL(depositUpstream).origin}, the deposit address`);
  line("What differs from the contract follows, each once, and with counts at the end. Stop with Ctrl+C.");
  await new Promise((resolve) => signal?.addEventListener("abort", resolve));
  await close();
  return { text: report.as(format), code: report.drift.length === 0 ? 0 : 1 };
}
