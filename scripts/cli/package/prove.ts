import { editions } from "../../mock/plan/index.ts";
import {
  conditionLine,
  conditionMeaning,
  type FormatRerun,
  limitations,
  type ProofKind,
  type ProofReport,
  type ProveOptions,
  proofKinds,
  reportJson,
  reportJunit,
  reportText,
} from "../../prove/index.ts";
import { ArgumentError, type Arguments, type Command, quoteArgument, refuseWith } from "../kit/arguments.ts";
import { writeNamedFile } from "../kit/output.ts";
import { runCommand } from "../kit/run-command.ts";
import { withAbortSignal } from "../kit/shutdown.ts";
import { editionOption } from "./mock-options.ts";
import type { PackageCommand } from "./package-command.ts";

const rangeCheck = (min: number, max: number) => (text: string) =>
  /^\d{1,4}(\.\d{1,3})?$/.test(text) && Number(text) >= min && Number(text) <= max
    ? undefined
    : `a number from ${min} to ${max}`;

const checkParallel = (text: string) =>
  /^[1-9]\d?$/.test(text) && Number(text) <= 64 ? undefined : "a whole number from 1 to 64";

function proveCommand(usage: string): Command {
  const width = Math.max(...proofKinds.map(({ name }) => name.length));
  return {
    usage,
    operands: `${proofKinds.map(({ name }) => name).join("|")} -- PROGRAM [ARGUMENT …]`,
    maxOperands: Number.POSITIVE_INFINITY,
    text: [
      "Runs your program, in any language, against a separate mock with one fault at a time, kills and restarts it, and counts its\npayments and other effects. The program gets the addresses and the key in environment variables.",
      proofKinds
        .map((kind) => `  ${kind.name.padEnd(width)}  ${kind.text}\n  ${"".padEnd(width)}  -- ${kind.usage}`)
        .join("\n"),
      [
        "Environment: PARTNER_WALLET_BASE_URL, PARTNER_WALLET_DEPOSIT_BASE_URL, PARTNER_WALLET_API_KEY, for a receiver also",
        "PARTNER_WALLET_WEBHOOK_TOKEN, and PARTNER_WALLET_PROVE=1. Other variables with this prefix are removed.",
        "{csv} is the input file, {state} the path of a file or a folder that the program keeps between its starts.",
        "The program ends with exit code 0 when it has finished; after another, it is started again, at most four times. A line",
        '"unclear REFERENCE" says that the outcome of a payment is not known, "failed REFERENCE" that it has not happened.',
      ].join("\n"),
      `Not proven: ${limitations.join("; ")}.`,
      "Exit code: 0 no condition failed, 1 at least one failed, 2 the proof could not be run.",
    ].join("\n\n"),
    options: [
      { name: "list", text: "name the conditions and what happens in them, and show the input" },
      {
        name: "only",
        value: "NAME",
        text: "these conditions only, as --list or a finding names them, separated by commas",
      },
      {
        name: "answers",
        value: "ANSWERS",
        isRepeatable: true,
        defaultText: "none",
        text: 'also with other answers to the open questions: money, all, or none; or only with "Q-…=an answer"',
      },
      {
        name: "late",
        value: "SECONDS",
        defaultValue: "1",
        check: rangeCheck(0.1, 600),
        text: "the longest delay of an effect or a record that is tried",
      },
      {
        name: "parallel",
        value: "COUNT",
        defaultValue: "32",
        check: checkParallel,
        text: "how many conditions run side by side",
      },
      {
        name: "limit",
        value: "SECONDS",
        defaultValue: "120",
        check: rangeCheck(1, 3600),
        text: "how long one run of the program may take",
      },
      {
        name: "seed",
        value: "TEXT",
        defaultValue: "prove",
        text: "determines the identifiers of the mock and the times of kills",
      },
      { name: "full-pauses", text: "leave PARTNER_WALLET_PROVE out, so that the program pauses as in production" },
      editionOption("test"),
      { name: "json", text: "print the report as JSON" },
      { name: "junit", value: "FILE", text: "write the report as JUnit XML as well, for a CI server" },
    ],
    examples: [
      ["payouts -- node payouts.mjs {csv} {state}", "a payout program"],
      ["payouts --only late-effect --late 30 -- python3 payouts.py {csv} {state}", "one condition, with longer delays"],
      ["receiver --junit report.xml -- ./receiver", "a webhook receiver, in CI"],
    ],
  };
}

const maxClosingMs = 3000;

function runProve(args: readonly string[], { usage, loadPlan }: Parameters<PackageCommand["run"]>[1]) {
  // Everything after -- belongs to the program, including options.
  const separatorIndex = args.includes("--") ? args.indexOf("--") : args.length;
  const program = args.slice(separatorIndex + 1);
  return withAbortSignal(maxClosingMs, (signal) =>
    runCommand(proveCommand(usage), args.slice(0, separatorIndex), async (parsedArgs) => {
      const kind = kindOf(parsedArgs, program);
      refuseWith(parsedArgs, "list", ["only", "answers", "json", "junit"]);
      if (parsedArgs.has("list")) {
        printConditions(kind);
        return 0;
      }
      if (parsedArgs.names.includes("late") && !kind.conditions.some(({ hasDelay }) => hasDelay))
        throw new ArgumentError(`--late has no effect with ${kind.name}: none of its conditions has a delay.`);
      if (program.length === 0) throw new ArgumentError(`Give your program after --. See ${usage} --help.`);
      const startedAt = new Date();
      const report = await kind.prove(await loadPlan(), proveOptions(parsedArgs, program, signal));
      const formatRerun = rerunFormatter(`${usage} ${kind.name}`, parsedArgs, program);
      writeReport(report, parsedArgs, { formatRerun, startedAt });
      return report.isStopped ? 2 : report.findings.length === 0 ? 0 : 1;
    }),
  );
}

function kindOf({ operands, has }: Arguments, program: readonly string[]): ProofKind {
  const [name = "", ...rest] = operands;
  const kind = proofKinds.find((proofKind) => proofKind.name === name);
  if (kind === undefined) {
    throw new ArgumentError(`Name the kind of program: ${proofKinds.map((proofKind) => proofKind.name).join(", ")}.`);
  }
  if (rest.length > 0 && program.length === 0 && !has("list")) {
    throw new ArgumentError(`Put -- before your program: ${name} -- ${maskArguments(rest).join(" ")}`);
  }
  if (rest[0] !== undefined) throw new ArgumentError(`${rest[0]} is an unexpected argument before --.`);
  return kind;
}

function printConditions({ conditions, input }: ProofKind): void {
  for (const condition of conditions) console.log(conditionMeaning(condition));
  const lines = input.map((line) => `  ${line}`);
  if (lines.length > 0) console.log(`\nThe input, {csv}:\n${lines.join("\n")}`);
}

function proveOptions(parsedArgs: Arguments, command: readonly string[], signal: AbortSignal): ProveOptions {
  const { has, text, requiredText, texts, choice } = parsedArgs;
  // With --json, stdout contains only the report, because a program may parse it.
  const print = has("json") ? console.error : console.log;
  return {
    command,
    only: text("only"),
    answers: texts("answers"),
    seed: requiredText("seed"),
    lateSeconds: Number(requiredText("late")),
    parallel: Number(requiredText("parallel")),
    limitSeconds: Number(requiredText("limit")),
    edition: choice("edition", editions),
    hasFullPauses: has("full-pauses"),
    signal,
    onCondition: (result) => print(conditionLine(result)),
  };
}

/** Formats the command that reproduces a finding. @param usage the command and the kind of program. */
function rerunFormatter(usage: string, parsedArgs: Arguments, program: readonly string[]): FormatRerun {
  const fixedAnswers = parsedArgs.texts("answers").filter((text) => text.includes("="));
  return ({ only, answers = fixedAnswers }) => {
    const answerArguments = answers.flatMap((answer) => ["--answers", quoteArgument(answer)]);
    const options = [...runOptionsOf(parsedArgs), ...answerArguments, "--only", only];
    return [usage, ...options, "--", ...maskArguments(program)].join(" ");
  };
}

/** The given options that change what happens in a run, except `--answers` and `--only`, as arguments. */
function runOptionsOf({ names, texts }: Arguments): readonly string[] {
  return ["late", "limit", "seed", "full-pauses", "edition"]
    .filter((name) => names.includes(name))
    .map((name) => [`--${name}`, ...texts(name).map(quoteArgument)].join("="));
}

function writeReport(
  report: ProofReport,
  parsedArgs: Arguments,
  { formatRerun, startedAt }: { readonly formatRerun: FormatRerun; readonly startedAt: Date },
): void {
  const file = parsedArgs.text("junit");
  console.log(parsedArgs.has("json") ? reportJson(report) : `\n${reportText(report, formatRerun)}`);
  if (file === undefined) return;
  writeNamedFile(file, reportJunit(report, { formatRerun, startedAt }), ": the report is above");
}

/** Replaces by `…` each argument that is not a plain word or path, or looks like a URL or `name:password@…`: it may contain a password. */
function maskArguments(words: readonly string[]): readonly string[] {
  return words.map((word) => (/^[\w./\\{}:@+-]{1,100}$/.test(word) && !/:\/\/|:.*@/.test(word) ? word : "…"));
}

export const proveCommands: Readonly<Record<"prove", PackageCommand>> = {
  prove: { text: "show whether your program pays at most once and loses no event", run: runProve },
};
