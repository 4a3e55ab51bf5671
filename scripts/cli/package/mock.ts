/** The package and `npm run mock` share this command. Each passes its function that loads the plan. */
import { readFileSync } from "node:fs";
import { UsageError } from "../../base/index.ts";
import { ControlError } from "../../mock/checks/index.ts";
import { StateFileError, startMock } from "../../mock/host/index.ts";
import type { Assume, Plan } from "../../mock/plan/index.ts";
import { isControlPath } from "../../mock/request/index.ts";
import { deliveryLine, entryAsJson, formatEntry } from "../../mock/server/index.ts";
import { ArgumentError } from "../kit/arguments.ts";
import { ignoreWriteErrors, linePrinter } from "../kit/output.ts";
import { runCommand } from "../kit/run-command.ts";
import { closeOnSignal, endWithNpm } from "../kit/shutdown.ts";
import { answerList } from "./answers.ts";
import { bannerAsJson, bannerOf } from "./banner.ts";
import { type MockSettings, mockCommand, readSettings } from "./mock-options.ts";

export interface MockCommandOptions {
  readonly usage: string;
  readonly loadPlan: () => Promise<Plan>;
}

export async function runMockCommand(
  args: readonly string[],
  options: MockCommandOptions,
): Promise<number | undefined> {
  ignoreWriteErrors();
  endWithNpm();
  return runCommand(mockCommand(options.usage), args, async (parsedArgs) => {
    if (parsedArgs.has("version")) {
      console.log((await options.loadPlan()).version);
      return 0;
    }
    if (parsedArgs.has("answers")) {
      console.log(answerList(await options.loadPlan()));
      return 0;
    }
    const settings = readSettings(parsedArgs);
    const plan = await options.loadPlan();
    const assume = await readAssumptions(parsedArgs.text("assume"));
    await startAndPrint({ ...settings, options: { ...settings.options, assume } }, plan).catch(rethrowAsUsageError);
    return undefined;
  });
}

/** Refused options have exit code 2, problems with the state file exit code 1. */
function rethrowAsUsageError(error: unknown): never {
  if (error instanceof ControlError) throw new ArgumentError(error.message);
  throw error instanceof StateFileError ? new UsageError(error.message) : error;
}

async function readAssumptions(file: string | undefined): Promise<Assume | undefined> {
  if (file === undefined) return undefined;
  try {
    const text = readFileSync(file, "utf8");
    const assumptions: unknown = file.endsWith(".json")
      ? JSON.parse(text)
      : (await import("@redocly/openapi-core")).parseYaml(text);
    // startMock checks the value. It refuses null, which stands for an empty file.
    return (assumptions ?? null) as Assume;
  } catch (error) {
    throw new ArgumentError(`--assume: ${file} cannot be read: ${(error as Error).message}`);
  }
}

async function startAndPrint({ options, isJson, isQuiet }: MockSettings, plan: Plan): Promise<void> {
  const { edition, keys, webhooks, stateless: isStateless } = options;
  const print = linePrinter(process.stdout);
  const printNote = linePrinter(process.stderr);
  const format = isJson ? entryAsJson : formatEntry;
  const { url, depositUrl, close } = await startMock(plan, {
    ...options,
    onNote: (note) => printNote(isJson ? JSON.stringify({ note }) : note),
    onRequest: (entry) => {
      // Successful GET requests to the control interface are not logged, because pages and commands poll it.
      const isRead = entry.method === "GET" && isControlPath(entry.path ?? "");
      if (!isQuiet && !(isRead && entry.status === 200)) print(format(entry));
    },
    onDelivery: (delivery) => {
      const line = isQuiet ? undefined : deliveryLine(delivery, isJson);
      if (line !== undefined) print(line);
    },
  });
  // After a signal, pending deliveries and delayed responses keep the process alive for at most one second.
  closeOnSignal(close, 1000);
  const facts = {
    plan,
    edition,
    isStateless,
    url,
    depositUrl,
    keyCount: keys?.length,
    webhookOrigin: webhooks && new URL(webhooks.url).origin,
    // performance.now() counts from the start of the process.
    seconds: performance.now() / 1000,
  };
  for (const line of (isJson ? bannerAsJson(facts) : bannerOf(facts)).split("\n")) print(line);
}
