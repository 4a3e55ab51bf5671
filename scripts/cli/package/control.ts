/** All commands but `logs` are in the plan, from `x-command` in `openapi/mock-control.yaml`. */
import { readFileSync } from "node:fs";
import { UsageError } from "../../base/index.ts";
import { type Plan, setField } from "../../mock/plan/index.ts";
import { controlPath } from "../../mock/request/index.ts";
import type { Arguments } from "../kit/arguments.ts";
import { writeNamedFile } from "../kit/output.ts";
import { type Output, printUsageError, runCommand } from "../kit/run-command.ts";
import { callMock } from "./control-call.ts";
import {
  commandsOf,
  controlHelp,
  exampleArgs,
  type FoundCommand,
  findCommand,
  fixedTextsOf,
  summaryOf,
  toCommand,
} from "./control-commands.ts";
import { linesOf, mayWait, selectItems } from "./control-lines.ts";
import { logsCommand, logsSummary, runLogs } from "./logs.ts";
import { parseMembers, throwIfProblem } from "./members.ts";

export function controlCommandRows(plan: Pick<Plan, "control">): [usage: string, summary: string][] {
  const commands = commandsOf(plan).map((command): [string, string] => [command.usage, summaryOf(command)]);
  return [["logs", logsSummary], ...commands];
}

export function controlExampleRows(plan: Pick<Plan, "control">): [args: string, summary: string][] {
  return commandsOf(plan).flatMap(({ words, takesMembers, operation: { fields, examples } }) =>
    examples.flatMap(({ summary, value }): [string, string][] => {
      const args = summary === "" ? undefined : exampleArgs({ words, takesMembers, fields }, value);
      return args === undefined ? [] : [[[...fixedTextsOf(words), args].join(" "), summary]];
    }),
  );
}

export interface ControlCommandOptions extends Output {
  readonly usage: string;
  readonly plan: Plan;
  /** Prints a line of `logs --follow`, and waits until the reader can take more. Default: `print`. */
  readonly printFollowed?: (line: string) => void | Promise<void>;
  /** Ends `logs --follow`. */
  readonly signal?: AbortSignal;
}

export async function runControlCommand(
  args: readonly string[],
  options: ControlCommandOptions,
): Promise<number | undefined> {
  const { plan, usage, print, printFollowed = print, signal } = options;
  if (args[0] === "logs") {
    const action = async (parsedArgs: Arguments) => {
      await runLogs(parsedArgs, parsedArgs.has("follow") ? printFollowed : print, signal);
      return 0;
    };
    return runCommand(logsCommand(usage), args.slice(1), action, options);
  }
  const optionIndex = args.findIndex((arg) => arg.startsWith("-"));
  const words = optionIndex < 0 ? args : args.slice(0, optionIndex);
  try {
    if (args.some((arg) => arg === "--help" || arg === "-h")) {
      print(controlHelp(words, plan, usage));
      return 0;
    }
    const foundCommand = findCommand(words, plan, usage);
    const remainingArgs = args.slice(foundCommand.words.length);
    return await runCommand(
      toCommand(foundCommand, plan, usage, words),
      remainingArgs,
      (parsedArgs) => runOperation(foundCommand, parsedArgs, options),
      options,
    );
  } catch (error) {
    return printUsageError(error, options);
  }
}

const pollMs = 2000;

/** Makes a call that may wait for webhook receivers. Meanwhile, prints which events are being delivered. */
async function printPendingWhile<Result>(
  parsedArgs: Arguments,
  call: () => Promise<Result>,
  printError: (line: string) => void,
): Promise<Result> {
  let lastEventsText = "";
  const printPending = async () => {
    const { waitsFor: awaitedEvents = [] } = (await callMock(parsedArgs, `${controlPath}/clock`)) as {
      waitsFor?: { number: number; webhook: string }[];
    };
    const eventsText = awaitedEvents.map(({ number, webhook }) => `${number} (${webhook})`).join(", ");
    if (eventsText !== "" && eventsText !== lastEventsText)
      printError(`Waits for the response to event ${eventsText}. See --webhook-timeout of mock.`);
    lastEventsText = eventsText;
  };
  // Errors of this poll are ignored: if the mock cannot be reached, `call` reports it.
  const timer = setInterval(() => void printPending().catch(() => {}), pollMs);
  try {
    return await call();
  } finally {
    clearInterval(timer);
  }
}

async function runOperation(command: FoundCommand, parsedArgs: Arguments, { print, printError }: Output): Promise<0> {
  const { operationId, method } = command.operation;
  const { path, body, sentNames } = requestOf(command, parsedArgs);
  const call = () => callMock(parsedArgs, path, method, body);
  const responseValue = await (mayWait(operationId) ? printPendingWhile(parsedArgs, call, printError) : call());
  const { file } = command;
  if (file?.access === "write") {
    writeNamedFile(file.path, `${JSON.stringify(responseValue)}\n`);
    return 0;
  }
  const only = parsedArgs.text("only");
  const items = selectItems(operationId, responseValue, only);
  if (parsedArgs.has("json")) for (const item of items) print(JSON.stringify(item));
  else if (responseValue === undefined) print("Done.");
  else if (items.length === 0 && only === undefined) print("None.");
  else for (const item of items) linesOf(operationId, item, sentNames).forEach(print);
  return 0;
}

interface ControlRequest {
  /** The path with the query. */
  readonly path: string;
  readonly body: string | undefined;
  readonly sentNames: readonly string[];
}

function requestOf({ words, operation, values, file }: FoundCommand, parsedArgs: Arguments): ControlRequest {
  const { fields, query, body: takesBody } = operation;
  const bodyNames = fields.filter(({ in: location }) => location === "body").map(({ name }) => name);
  // A word of the command can also be a member of the body, such as `run` in `clock run`.
  const body: Record<string, unknown> = Object.fromEntries(
    fixedTextsOf(words)
      .filter((text) => bodyNames.includes(text))
      .map((text) => [text, true]),
  );
  const members = parseMembers(parsedArgs.operands);
  const bodyValues = Object.entries(values).filter(([name]) => bodyNames.includes(name));
  for (const [name, text] of [...bodyValues, ...members]) throwIfProblem(setField(body, fields, name, text));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const queryNames = parsedArgs.names.filter((name) => Object.hasOwn(query, name));
  const searchParams = new URLSearchParams(queryNames.map((name) => [name, parsedArgs.text(name) ?? "true"]));
  const bodyText = () => (file?.access === "read" ? readNamedFile(file.path) : JSON.stringify(body));
  return {
    path: searchParams.size === 0 ? path : `${path}?${searchParams}`,
    body: takesBody ? bodyText() : undefined,
    sentNames: members.map(([name]) => name),
  };
}

function readNamedFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
