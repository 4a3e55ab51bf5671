/** Reads a command line by a list of options, which is also its help. */
import { parseArgs } from "node:util";
import { nearestName } from "../nearest-name.ts";

/** A mistake on the command line. The message says what is possible. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
}

export interface Option {
  /** Without the two dashes. */
  readonly name: string;
  /** What stands for its value in the help, such as `PORT`; a flag has none. */
  readonly value?: string;
  readonly text: string;
  /** The values that it can have. */
  readonly choices?: readonly string[];
  readonly isRepeatable?: boolean;
  /** What applies without the option, for the help. */
  readonly otherwise?: string;
}

export interface Command {
  /** How it is called, such as `npx partner-wallet-api mock`. */
  readonly usage: string;
  /** What it does, in a sentence or two. */
  readonly text: string;
  readonly options: readonly Option[];
  /** Each with a word of what it does. */
  readonly examples: readonly (readonly [args: string, text: string])[];
}

/** What was given, by the name of the option. A flag is given with no texts. */
export type Arguments = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the arguments of a command.
 *
 * @throws {ArgumentError} when there is no such option, a value is missing or none of its choices, or something is left over.
 */
export function readArguments({ usage, options }: Command, args: readonly string[]): Arguments {
  const config = Object.fromEntries(
    options.map(({ name, value }) => [name, { type: value === undefined ? "boolean" : "string" } as const]),
  );
  const { tokens } = parseArgs({
    args: [...args],
    options: config,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === "positional") {
      throw new ArgumentError(`${token.value} is one word too many. See ${usage} --help.`);
    }
    if (token.kind !== "option") continue;
    const option = options.find(({ name }) => token.rawName === `--${name}`);
    if (option === undefined) {
      const suggestion = didYouMean(
        token.name,
        options.map(({ name }) => name),
        "--",
      );
      throw new ArgumentError(`There is no option ${token.rawName}.${suggestion} See ${usage} --help.`);
    }
    const texts = given.get(option.name) ?? [];
    if (texts.length > 0 && !option.isRepeatable) {
      throw new ArgumentError(`${token.rawName} can be given once only.`);
    }
    given.set(option.name, [...texts, ...readValue(option, token.value)]);
  }
  return given;
}

function readValue({ name, value, choices }: Option, text: string | undefined): string[] {
  if (value === undefined) {
    if (text !== undefined) throw new ArgumentError(`--${name} takes no value.`);
    return [];
  }
  if (text === undefined || text === "") throw new ArgumentError(`--${name} needs a value: --${name} ${value}`);
  if (choices !== undefined && !choices.includes(text)) {
    throw new ArgumentError(`--${name} is one of ${choices.join(", ")}.${didYouMean(text, choices)}`);
  }
  return [text];
}

/** ` Did you mean …?` where a name is nearly one of some; otherwise nothing. */
export function didYouMean(text: string, names: readonly string[], prefix = ""): string {
  const nearest = nearestName(text, names);
  return nearest === undefined ? "" : ` Did you mean ${prefix}${nearest}?`;
}

/** The help of a command. */
export function helpOf({ usage, text, options, examples }: Command): string {
  const rows = options.map(({ name, value, ...option }): [string, string] => [
    `--${name}${value === undefined ? "" : ` ${value}`}`,
    [option.text, ...(option.isRepeatable ? ["can be repeated"] : []), ...defaultOf(option)].join("; "),
  ]);
  const calls = examples.map(([args, about]): [string, string] => [`${usage} ${args}`.trimEnd(), about]);
  return [
    `Usage: ${usage} [options]`,
    text,
    `Options:\n${table(rows)}`,
    `Examples:\n${calls.map(([call, about]) => `  # ${about}\n  ${call}`).join("\n")}`,
  ].join("\n\n");
}

function defaultOf({ otherwise }: Pick<Option, "otherwise">): string[] {
  return otherwise === undefined ? [] : [`default: ${otherwise}`];
}

/** Two columns. */
function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`).join("\n");
}
