import { editions, type Plan } from "../../mock/plan/index.ts";
import { type CheckOptions, check, isSafe, Report, readDeviations } from "../../service/index.ts";
import { ArgumentError, type Arguments, type Command, refuseWith } from "../kit/arguments.ts";
import { editionOption } from "./mock-options.ts";
import {
  assertKnown,
  type CommandContext,
  callerOptions,
  callOptions,
  driftFormats,
  reportOptions,
} from "./service-options.ts";

export function checkCommand(usage: string): Command {
  return {
    usage,
    text: "Calls every operation that reads, and reports where the responses differ from the contract.\nExit code: 0 no difference, 1 at least one, 2 a mistake on the command line, 3 the key is refused, a call has no response, or --max-calls is too low.",
    options: [
      ...callOptions,
      {
        ...editionOption("latest"),
        text: "edition whose operations are called: latest, or test, which includes proposed operations",
      },
      {
        name: "operation",
        value: "NAME",
        text: "call this operation only",
        isRepeatable: true,
        defaultText: "all that read",
      },
      {
        name: "write",
        value: "OPERATION",
        isRepeatable: true,
        text: "also call this one, with its documented example; with --environment staging, or on this machine",
      },
      {
        name: "from",
        value: "FILE",
        text: "make no calls; report the deviations that onDeviation received, one JSON object per line",
      },
      ...reportOptions(...driftFormats),
    ],
    examples: [
      ["--environment staging --set externalUserId=user-1042", "reads of one user"],
      [
        "--from deviations.jsonl --format junit --out report.xml",
        "deviations that a client in production has recorded",
      ],
    ],
  };
}

export async function runCheck(
  parsedArgs: Arguments,
  plan: Plan,
  context: CommandContext,
): Promise<{ text: string; code: number }> {
  refuseWith(parsedArgs, "from", [...callOptions.map(({ name }) => name), "edition", "operation", "write"]);
  const report = new Report();
  const file = parsedArgs.text("from");
  if (file !== undefined) for (const drift of readDeviations(file)) report.add(undefined, [drift]);
  const isComplete = file !== undefined || (await check(readCheckOptions(parsedArgs, plan, context), report));
  const text = report.format(parsedArgs.choice("format", driftFormats));
  return { text, code: report.drift.length > 0 ? 1 : isComplete ? 0 : 3 };
}

function readCheckOptions(parsedArgs: Arguments, plan: Plan, context: CommandContext): CheckOptions {
  const names = plan.operations.map(({ operationId }) => operationId);
  const operationsOf = (option: string) => {
    const selectedNames = parsedArgs.texts(option).map((name) => assertKnown(names, name, "operation"));
    return plan.operations.filter(({ operationId }) => selectedNames.includes(operationId));
  };
  const [operations, writeOperations] = [operationsOf("operation"), operationsOf("write")];
  const fileOperation = writeOperations.find(({ requestBody }) =>
    requestBody?.bodies.some(({ fileParts }) => fileParts.length > 0),
  );
  if (fileOperation !== undefined) {
    throw new ArgumentError(`${fileOperation.operationId} takes files, which this command does not send.`);
  }
  const unsafeOperation = operations.find(({ operationId }) => !isSafe(operationId));
  if (unsafeOperation !== undefined)
    throw new ArgumentError(`${unsafeOperation.operationId} changes data. Give it with --write instead.`);
  const edition = parsedArgs.choice("edition", editions);
  return { ...callerOptions(parsedArgs, plan, context), edition, operations, writeOperations };
}
