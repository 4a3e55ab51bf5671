/** Reads a command line by a list of options, which is also its help: for the program of the package and for every npm script. */
import { parseArgs } from "node:util";
import { didYouMean, UsageError } from "../../contract/messages/index.ts";

/** A mistake on the command line. The message says what is possible. */
export class ArgumentError extends UsageError {
  override name = "ArgumentError";

  constructor(message: string) {
    super(message, 2);
  }
}

export interface Option {
  /** Without the two dashes. */
  readonly name: string;
  /** What stands for its value in the help, such as `PORT`, and `[RULE]` where it can be left out; a flag has none. */
  readonly value?: string;
  readonly text: string;
  /** The values that it can have. */
  readonly choices?: readonly string[];
  /** What a value that it cannot have should have been, such as `a number`; undefined for one that it can have. */
  readonly check?: (text: string) => string | undefined;
  readonly isRepeatable?: boolean;
  /** The value that it has when it is not given. */
  readonly initial?: string;
  /** What applies when it is not given, for the help; the initial value by default. */
  readonly otherwise?: string;
}

export interface HelpGroup {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, text: string])[];
}

export interface Command {
  /** How it is called, such as `npx partner-wallet-api mock`. */
  readonly usage: string;
  /** What it does, in a sentence or two. */
  readonly text: string;
  /** What may stand beside the options, for the help, such as `[FILE]`. */
  readonly operands?: string;
  /** Besides `--help`. */
  readonly options: readonly Option[];
  /** More of the help: headings, each with names and what they stand for. */
  readonly groups?: readonly HelpGroup[];
  /** Each with a word of what it does, which can be empty. */
  readonly examples?: readonly (readonly [args: string, text: string])[];
}

/** What a command line says. */
export interface Arguments {
  /** The names of the options that were given. */
  readonly names: readonly string[];
  readonly has: (name: string) => boolean;
  /** The value of an option: the one that was given, otherwise the initial one. */
  readonly text: (name: string) => string | undefined;
  /** The value of an option that has a value in any case. */
  readonly required: (name: string) => string;
  /** All values that were given of an option. */
  readonly texts: (name: string) => readonly string[];
  /** What stands beside the options. */
  readonly operands: readonly string[];
}

const helpOption: Option = { name: "help", text: "show this help" };

/**
 * Reads the arguments of a command.
 *
 * @throws {ArgumentError} when there is no such option, a value is missing or not possible, or something is left over.
 */
export function readArguments({ usage, operands, options }: Command, args: readonly string[]): Arguments {
  const known = [...options, helpOption];
  const config = Object.fromEntries(
    known.map(({ name, value }) => [name, { type: value === undefined ? "boolean" : "string" } as const]),
  );
  // Not strict: the messages of Node name what cannot be, and not what can.
  const { tokens } = parseArgs({
    args: args.map((arg) => (arg === "-h" ? "--help" : arg)),
    options: config,
    strict: false,
    tokens: true,
  });
  const given = new Map<string, string[]>();
  const rest: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") rest.push(token.value);
    if (token.kind !== "option") continue;
    const option = known.find(({ name }) => token.rawName === `--${name}`);
    if (option === undefined) {
      const names = known.map(({ name }) => name);
      throw new ArgumentError(
        `There is no option ${token.rawName}.${didYouMean(token.name, names, "--")} See ${usage} --help.`,
      );
    }
    const texts = given.get(option.name);
    if (texts !== undefined && !option.isRepeatable) {
      throw new ArgumentError(`${token.rawName} can be given once only.`);
    }
    given.set(option.name, [...(texts ?? []), ...readValue(option, token.value)]);
  }
  if (operands === undefined && rest[0] !== undefined) {
    throw new ArgumentError(`${rest[0]} is one word too many. See ${usage} --help.`);
  }
  const text = (name: string) => given.get(name)?.[0] ?? known.find((option) => option.name === name)?.initial;
  return {
    names: [...given.keys()],
    has: (name) => given.has(name),
    text,
    required: (name) => text(name) as string,
    texts: (name) => given.get(name) ?? [],
    operands: rest,
  };
}

function readValue({ name, value, choices, check }: Option, text: string | undefined): string[] {
  if (value === undefined) {
    if (text !== undefined) throw new ArgumentError(`--${name} takes no value.`);
    return [];
  }
  if (text === undefined && value.startsWith("[")) return [];
  if (text === undefined || text === "") throw new ArgumentError(`--${name} needs a value: --${name} ${value}`);
  if (choices !== undefined && !choices.includes(text)) {
    throw new ArgumentError(`--${name} is one of ${choices.join(", ")}.${didYouMean(text, choices)}`);
  }
  const wanted = check?.(text);
  if (wanted !== undefined) throw new ArgumentError(`--${name} takes ${wanted}.`);
  return [text];
}

/** An option for a port. */
export function portOption(name: string, what: string, port: number): Option {
  return {
    ...{ name, value: "PORT", text: `port of ${what}, 0 takes a free one`, initial: String(port) },
    check: (text) => (/^\d+$/.test(text) && Number(text) <= 65_535 ? undefined : "a number from 0 to 65535"),
  };
}

/** The help of a command. */
export function helpOf({ usage, text, operands, groups = [], options, examples = [] }: Command): string {
  const rows = [...options, helpOption].map((option): [string, string] => {
    const { name, value, isRepeatable, initial, otherwise = initial } = option;
    const notes = [...(isRepeatable ? ["can be repeated"] : []), ...(otherwise ? [`default: ${otherwise}`] : [])];
    return [`--${name}${value === undefined ? "" : ` ${value}`}`, [option.text, ...notes].join("; ")];
  });
  const calls = examples.map(([args, about]) => `${about && `  # ${about}\n`}  ${`${usage} ${args}`.trimEnd()}`);
  return [
    `Usage: ${usage}${operands === undefined ? "" : ` ${operands}`} [options]`,
    text,
    ...groups.map(listOf),
    listOf({ title: "Options", rows }),
    ...(calls.length === 0 ? [] : [`Examples:\n${calls.join("\n")}`]),
  ].join("\n\n");
}

/** The widest column of names; what is longer has its text on the next line. */
const widest = 44;

/** A heading with its rows, one below the other. */
export function listOf({ title, rows }: HelpGroup): string {
  const width = Math.min(widest, Math.max(...rows.map(([name]) => name.length)));
  const lines = rows.map(([name, about]) => {
    const gap = name.length > width ? `\n  ${" ".repeat(width)}` : " ".repeat(width - name.length);
    return `  ${name}${about === "" ? "" : `${gap}  ${about.replaceAll("\n", " ")}`}`;
  });
  return `${title}:\n${lines.join("\n")}`;
}
