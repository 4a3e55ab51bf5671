/** `check`: calls what reads, and tells where the responses differ from the contract. */
import { readFileSync, statSync } from "node:fs";
import { ArgumentError, type Arguments, type Command } from "../cli/kit/arguments.ts";
import { editionOption } from "../cli/package/mock-options.ts";
import { inspect, type Schema } from "../client/src/conformance.ts";
import type { Deviation } from "../client/src/deviations.ts";
import type { Edition, Plan } from "../mock/plan/plan.ts";
import { Caller, type CallerOptions, namesIn } from "./caller.ts";
import { codeIn, type Drift, expectedBy, isSafe } from "./judge.ts";
import { Report, type ReportFormat, reportOptions } from "./report.ts";
import { isCount, oneOf, readTarget, ServiceError, targetOptions } from "./target.ts";

/** Options of the commands that call the service by themselves. */
export const callOptions = [
  ...targetOptions,
  {
    ...{ name: "set", value: "NAME=VALUE", isRepeatable: true },
    text: "what calls are made with, such as externalUserId=…; identifiers in responses are found by themselves",
  },
  { name: "timeout", value: "SECONDS", text: "how long a response may take", check: isCount, initial: "30" },
  { name: "max-calls", value: "NUMBER", text: "how many calls are made at most", check: isCount, initial: "200" },
];

export function checkCommand(usage: string): Command {
  return {
    usage,
    text: "Calls every operation that reads, and tells where the responses differ from the contract.\nExit code: 0 nothing differs, 1 something does, 2 a mistake on the command line, 3 the key is refused or a call has no response.",
    options: [
      ...callOptions,
      {
        ...editionOption("latest"),
        text: "edition whose operations are called: latest, or test with what is proposed",
      },
      {
        name: "operation",
        value: "NAME",
        text: "call this operation only",
        isRepeatable: true,
        otherwise: "all that read",
      },
      {
        ...{ name: "write", value: "OPERATION", isRepeatable: true },
        text: "also call this one, with its documented example; with --environment staging, or on this machine",
      },
      {
        name: "from",
        value: "FILE",
        text: "call nothing: report deviations that onDeviation gave, one JSON object per line",
      },
      ...reportOptions("text", "json", "junit"),
    ],
    examples: [
      ["--environment staging --set externalUserId=user-1042", "reads of one user"],
      ["--from deviations.jsonl --format junit --out report.xml", "what a client in production has gathered"],
    ],
  };
}

/** What a command has besides its options. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  /** Aborts when the command is told to stop. */
  readonly signal?: AbortSignal;
}

/** The options of a caller that a command line gives. @throws {ArgumentError} */
export function callerOptions(given: Arguments, plan: Plan, { env, signal }: Surroundings): CallerOptions {
  const names = new Set([...plan.operations.flatMap(namesIn), ...Object.keys(plan.probes.values)]);
  const values = given.texts("set").map((text): [string, string] => {
    const [, name, value] = /^(\w+)=(.+)$/.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new ArgumentError("--set takes a name and its value: --set externalUserId=user-1042.");
    return [oneOf([...names], name, "parameter or field"), value];
  });
  return {
    ...{ target: readTarget(given, env), plan, values: Object.fromEntries(values), signal },
    ...{ timeoutMs: Number(given.required("timeout")) * 1000, mostCalls: Number(given.required("max-calls")) },
  };
}

/** Runs the check. @returns the text of the report, and the exit code. @throws {ServiceError | ArgumentError} */
export async function check(
  given: Arguments,
  plan: Plan,
  about: Surroundings,
): Promise<{ text: string; code: number }> {
  const report = new Report();
  const format = given.required("format") as ReportFormat;
  const file = given.text("from");
  if (file !== undefined) for (const drift of readDeviations(file)) report.add("", [drift]);
  const isWhole = file !== undefined || (await callAll(given, plan, about, report));
  return { text: report.as(format), code: report.drift.length > 0 ? 1 : isWhole ? 0 : 3 };
}

/** @returns whether every call had a response. */
async function callAll(given: Arguments, plan: Plan, about: Surroundings, report: Report): Promise<boolean> {
  const options = callerOptions(given, plan, about);
  const caller = new Caller(options);
  const edition = given.required("edition") as Edition;
  const names = plan.operations.map(({ operationId }) => operationId);
  const find = (name: string) => caller.operation(oneOf(names, name, "operation"));
  const writes = given.texts("write").map(find);
  const unsent = writes.find(({ requestBody }) => requestBody?.bodies.some(({ fileParts }) => fileParts.length > 0));
  if (unsent !== undefined) {
    throw new ArgumentError(`${unsent.operationId} takes files, which this command does not send.`);
  }
  const named = given.texts("operation").map(find);
  const reading = plan.operations.filter(
    (operation) => isSafe(operation.operationId) && operation.editions.includes(edition),
  );
  let waiting = [...writes, ...(named.length > 0 ? named : reading)];
  const wrong = named.find((operation) => !isSafe(operation.operationId));
  if (wrong !== undefined) throw new ArgumentError(`${wrong.operationId} changes something. Name it with --write.`);
  // A response can have the identifier that another call lacks.
  for (let ready = waiting; ready.length > 0; ) {
    ready = waiting.filter((operation) => caller.lacks(operation) === undefined);
    for (const operation of ready) {
      const result = await caller.attempt(operation);
      if (result instanceof ServiceError) {
        report.skip(operation.operationId, result.message);
        continue;
      }
      const { status, body, drift } = result;
      report.add(operation.operationId, drift);
      const code = codeIn(body) ?? "without a P-code";
      if (status >= 300) report.skip(operation.operationId, `the response was ${status} ${code}, no success`);
    }
    waiting = waiting.filter((operation) => !ready.includes(operation));
  }
  for (const operation of waiting) report.skip(operation.operationId, `needs ${caller.lacks(operation)}`);
  caller.checkReached();
  if (caller.calls.length === 0)
    throw new ServiceError("No operation can be called with what is known. Give --set externalUserId=….");
  return caller.isWhole;
}

/** The largest file of deviations, in bytes. */
const fileLimit = 64 * 1024 * 1024;

const word: Schema = { type: "string", pattern: /^[\w-]{1,80}$/ };

/** What the client gives to onDeviation. */
const deviationFields: Readonly<Record<string, Schema>> = {
  ...{ operationId: word, webhook: word, status: { type: "integer" } },
  ...{ pointer: { type: "string" }, rule: word, question: word },
};
const deviationForm: Schema = { type: "object", required: ["pointer", "rule"], properties: deviationFields };

/** The deviations of a file, one JSON object on a line. @throws {ArgumentError} naming the line that is none. */
function readDeviations(file: string): Drift[] {
  return readText(file)
    .split("\n")
    .flatMap((line, index) => {
      if (line.trim() === "") return [];
      const found = parse(line);
      if (!inspect(deviationForm, found).violations.every(({ rule }) => rule === "unlisted-field")) {
        const remedy = "Write each that onDeviation gives as JSON, one per line.";
        throw new ArgumentError(`${file}:${index + 1}: no deviation. ${remedy}`);
      }
      const known = Object.entries(found as object).filter(([name]) => Object.hasOwn(deviationFields, name));
      const deviation = Object.fromEntries(known) as unknown as Deviation;
      return [{ ...deviation, side: "response" as const, expected: expectedBy(deviation), seen: "" }];
    });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function readText(file: string): string {
  try {
    if (statSync(file).size <= fileLimit) return readFileSync(file, "utf8");
  } catch (error) {
    throw new ArgumentError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  throw new ArgumentError(`${file} has more than ${fileLimit / 1024 / 1024} MiB.`);
}
