/** The commands of the package that hold the service against the contract: `ask`, `check` and `proxy`. */
import { writeFileSync } from "node:fs";
import { ArgumentError, type Arguments, type Command, helpOf, readArguments } from "../cli/kit/arguments.ts";
import { closeOnSignal, endWithNpm } from "../cli/kit/ending.ts";
import { linePrinter } from "../cli/kit/output.ts";
import type { OtherCommand } from "../cli/package/program.ts";
import type { Plan } from "../mock/plan/plan.ts";
import { ListenError } from "../mock/server/listen.ts";
import { ask, askCommand } from "./ask.ts";
import { check, checkCommand, type Surroundings } from "./check.ts";
import { proxyCommand, startProxy } from "./proxy.ts";
import { lineOf, Report, type ReportFormat } from "./report.ts";
import { ServiceError } from "./target.ts";

/** By their names. */
export const serviceCommands: Readonly<Record<string, OtherCommand>> = {
  ask: commandOf("answer open questions of the contract with calls to the service", askCommand, ask),
  check: commandOf("tell where responses of the service differ from the contract", checkCommand, check),
  proxy: commandOf("the same for the calls of a client, as they pass", proxyCommand, proxy),
};

/** Milliseconds that a command may take, once it is told to stop, to take back what it has changed. */
const mostClosing = 60_000;

/** Does what a command line says. @returns what is printed, and the exit code. */
type Act = (given: Arguments, plan: Plan, about: Surroundings) => Promise<{ text: string; code: number }>;

/** A command. Its exit code is 2 for a mistake on the command line, 3 where the service cannot be called. */
function commandOf(text: string, describe: (usage: string) => Command, act: Act): OtherCommand {
  const run: OtherCommand["run"] = async (args, { usage, loadPlan }) => {
    endWithNpm();
    const command = describe(usage);
    const stopping = new AbortController();
    const { signal } = stopping;
    const release = closeOnSignal(async () => stopping.abort(), mostClosing);
    try {
      const given = readArguments(command, args);
      const isHelp = given.has("help");
      const done = isHelp
        ? { text: helpOf(command), code: 0 }
        : await act(given, await loadPlan(), { env: process.env, signal });
      print(isHelp ? undefined : given.text("out"), done.text);
      return done.code;
    } catch (error) {
      if (![ArgumentError, ServiceError, ListenError].some((kind) => error instanceof kind)) throw error;
      console.error((error as Error).message);
      return error instanceof ArgumentError ? 2 : 3;
    } finally {
      release();
    }
  };
  return { text, run };
}

/** @param file printed to the terminal where it is undefined. */
function print(file: string | undefined, text: string): void {
  try {
    if (file === undefined) console.log(text);
    else writeFileSync(file, `${text}\n`);
  } catch (error) {
    // What the calls have shown, and may have changed, is not lost.
    console.log(text);
    throw new ArgumentError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}): the report is above.`,
    );
  }
}

/** Ends with a signal. */
async function proxy(given: Arguments, plan: Plan, { signal }: Surroundings): Promise<{ text: string; code: number }> {
  const upstream = given.text("upstream");
  if (upstream === undefined) throw new ArgumentError("Say where the service is: --upstream https://api.example.");
  const report = new Report();
  const format = given.required("format") as ReportFormat;
  // What a program reads from the output is the report alone.
  const line = linePrinter(format === "text" ? process.stdout : process.stderr);
  const depositUpstream = given.text("deposit-upstream") ?? upstream;
  const { url, depositUrl, close } = await startProxy(plan, {
    ...{ upstream, depositUpstream },
    ...{ port: Number(given.required("port")), depositPort: Number(given.required("deposit-port")) },
    onCall: (operationId, drift) => report.add(operationId, drift).forEach((each) => void line(lineOf(each))),
  });
  line(`${url} stands for ${new URL(upstream).origin}`);
  line(`${depositUrl} stands for ${new URL(depositUpstream).origin}, the deposit address`);
  line("What differs from the contract follows, each once, and with counts at the end. Stop with Ctrl+C.");
  await new Promise((resolve) => signal?.addEventListener("abort", resolve));
  await close();
  return { text: report.as(format), code: report.drift.length === 0 ? 0 : 1 };
}
