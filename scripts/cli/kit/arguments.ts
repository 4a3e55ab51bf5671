import { parseArgs } from "node:util";
import { didYouMean, UsageError } from "../../base/index.ts";

export class ArgumentError extends UsageError {
  override name = "ArgumentError";

  constructor(message: string) {
    super(message, 2);
  }
}

export interface Option {
  readonly name: string;
  /** Placeholder for the value in the help, such as `PORT`; `[RULE]` if the value is optional; undefined for a flag. */
  readonly value?: string;
  readonly text: string;
  readonly choices?: readonly string[];
  /** Checks a value. @returns undefined if the value is valid; otherwise a description of valid values, such as `a number`. */
  readonly check?: (text: string) => string | undefined;
  readonly isRepeatable?: boolean;
  readonly defaultValue?: string;
  /** The description of the default in the help; if absent, the help shows {@link defaultValue}. */
  readonly defaultText?: string;
}

export interface HelpGroup {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, text: string])[];
}

export interface Command {
  readonly usage: string;
  readonly text: string;
  /** The positional arguments as the help shows them, such as `[FILE]`. */
  readonly operands?: string;
  /** How many positional arguments are accepted; if absent, none. */
  readonly maxOperands?: number;
  readonly options: readonly Option[];
  readonly groups?: readonly HelpGroup[];
  readonly examples?: readonly (readonly [args: string, text: string])[];
}

/** Each function throws an Error when the command has no option with the name. */
export interface Arguments {
  /** The names of the given options. */
  readonly names: readonly string[];
  readonly has: (name: string) => boolean;
  /** The first value or the default of an option. */
  readonly text: (name: string) => string | undefined;
  /** @throws {Error} when the option has neither a value nor a default. */
  readonly requiredText: (name: string) => string;
  /** @throws {Error} when the option has neither a value nor a default, or its value is not in `choices`. */
  readonly choice: <Value extends string>(name: string, choices: readonly Value[]) => Value;
  readonly texts: (name: string) => readonly string[];
  readonly operands: readonly string[];
}

const helpOption: Option = { name: "help", text: "show this help" };

export function readArguments({ usage, maxOperands = 0, options }: Command, args: readonly string[]): Arguments {
  const availableOptions = [...options, helpOption];
  const tokens = tokensOf(args, availableOptions);
  const operandTexts = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  const textsByOption = collectTexts(tokens, availableOptions, usage);
  const surplusOperand = operandTexts[maxOperands];
  if (surplusOperand !== undefined)
    throw new ArgumentError(`${surplusOperand} is an unexpected argument. See ${usage} --help.`);
  return { ...accessors(textsByOption, availableOptions), operands: operandTexts };
}

function tokensOf(args: readonly string[], options: readonly Option[]) {
  const config = Object.fromEntries(
    options.map(({ name, value }) => [name, { type: value === undefined ? "boolean" : "string" } as const]),
  );
  // Not `strict`: in strict mode, Node reports an unknown option without suggesting a similar one.
  return parseArgs({
    args: args.map((arg) => (arg === "-h" ? "--help" : arg)),
    options: config,
    strict: false,
    tokens: true,
  }).tokens;
}

/** @throws {ArgumentError} for an unknown option, a wrong repetition or a wrong value. */
function collectTexts(
  tokens: ReturnType<typeof tokensOf>,
  options: readonly Option[],
  usage: string,
): ReadonlyMap<string, readonly string[]> {
  const textsByOption = new Map<string, readonly string[]>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const option = options.find(({ name }) => token.rawName === `--${name}`);
    if (option === undefined) {
      const names = options.map(({ name }) => name);
      throw new ArgumentError(
        `There is no option ${token.rawName}.${didYouMean(token.name, names, "--")} See ${usage} --help.`,
      );
    }
    const texts = textsByOption.get(option.name);
    if (texts !== undefined && !option.isRepeatable)
      throw new ArgumentError(`${token.rawName} can be given only once.`);
    // Without `strict`, Node takes the next argument as the value even if that is an option.
    if (token.inlineValue === false && /^-./.test(token.value)) {
      const forms = `${token.rawName} ${option.value}, or ${token.rawName}=${option.value}`;
      throw new ArgumentError(`${token.rawName} needs a value: ${forms} for one that begins with a hyphen.`);
    }
    textsByOption.set(option.name, [...(texts ?? []), ...readValue(option, token.value)]);
  }
  return textsByOption;
}

function accessors(
  textsByOption: ReadonlyMap<string, readonly string[]>,
  options: readonly Option[],
): Omit<Arguments, "operands"> {
  const findOption = (name: string) => {
    const option = options.find((candidate) => candidate.name === name);
    if (option === undefined) throw new Error(`The command has no --${name}.`);
    return option;
  };
  const givenTexts = (name: string) => textsByOption.get(findOption(name).name);
  const text = (name: string) => givenTexts(name)?.[0] ?? findOption(name).defaultValue;
  const requiredText = (name: string) => {
    const value = text(name);
    if (value === undefined) throw new Error(`--${name} has no value and no default.`);
    return value;
  };
  return {
    names: [...textsByOption.keys()],
    has: (name) => givenTexts(name) !== undefined,
    text,
    requiredText,
    choice(name, choices) {
      const value = requiredText(name);
      const choice = choices.find((candidate) => candidate === value);
      if (choice === undefined) throw new Error(`--${name} is ${value}, and not one of ${choices.join(", ")}.`);
      return choice;
    },
    texts: (name) => givenTexts(name) ?? [],
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
  const expectedForm = check?.(text);
  if (expectedForm !== undefined) throw new ArgumentError(`--${name} takes ${expectedForm}.`);
  return [text];
}

/**
 * @throws {ArgumentError} when the option `name` is given together with one of `others` or with operands, because `name` has no effect
 * then.
 */
export function refuseWith(
  { has, operands }: Arguments,
  name: string,
  others: readonly string[],
  maxOperands = operands.length,
): void {
  if (!has(name)) return;
  const option = others.find(has);
  const other = option === undefined ? operands[maxOperands] : `--${option}`;
  if (other !== undefined) throw new ArgumentError(`${other} has no effect with --${name}.`);
}

/** @throws {ArgumentError} when one of the names is given twice, because only its last value would count. */
export function assertDistinct(names: readonly string[]): void {
  const repeatedName = names.find((name, index) => names.indexOf(name) !== index);
  if (repeatedName !== undefined) throw new ArgumentError(`${repeatedName} is given twice.`);
}

/**
 * Quotes an argument for a shell if necessary; if possible with double quotes, because `cmd` of Windows knows no others. Between double
 * quotes, Bash expands `!` in a terminal, and a shell drops a backslash before another one, a newline and the closing quote.
 */
export function quoteArgument(text: string): string {
  if (/^[\w.,:/@%+=-]+$/.test(text)) return text;
  if (/["$`!]|\\(?:[\\\n]|$)/.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const [, name = "", value = ""] = /^([\w.]+=)?(.*)$/s.exec(text) ?? [];
  return `${name}"${value}"`;
}

export function portOption(name: string, addressName: string, port: number): Option {
  return {
    name,
    value: "PORT",
    text: `port of ${addressName}, 0 takes a free one`,
    defaultValue: String(port),
    check: (text) => (/^\d+$/.test(text) && Number(text) <= 65_535 ? undefined : "a number from 0 to 65535"),
  };
}

export function helpOf({ usage, text, operands, groups = [], options, examples = [] }: Command): string {
  const rows = [...options, helpOption].map((option): [string, string] => {
    const { name, value, isRepeatable, defaultValue, defaultText = defaultValue } = option;
    const notes = [...(isRepeatable ? ["can be repeated"] : []), ...(defaultText ? [`default: ${defaultText}`] : [])];
    return [`--${name}${value === undefined ? "" : ` ${value}`}`, [option.text, ...notes].join("; ")];
  });
  const exampleLines = examples.map(
    ([args, description]) => `${description && `  # ${description}\n`}  ${`${usage} ${args}`.trimEnd()}`,
  );
  return [
    `Usage: ${usage} ${addOptions(operands)}`,
    text,
    ...groups.map(formatGroup),
    formatGroup({ title: "Options", rows }),
    ...(exampleLines.length === 0 ? [] : [`Examples:\n${exampleLines.join("\n")}`]),
  ].join("\n\n");
}

/**
 * Adds `[options]` to the operands of a usage line: before ` -- `, after which all arguments belong to another program; otherwise at the
 * end.
 */
function addOptions(operands = ""): string {
  if (operands === "") return "[options]";
  return operands.includes(" -- ") ? operands.replace(" -- ", " [options] -- ") : `${operands} [options]`;
}

const maxNameWidth = 44;

export function formatGroup({ title, rows }: HelpGroup): string {
  const width = Math.min(maxNameWidth, Math.max(...rows.map(([name]) => name.length)));
  const lines = rows.map(([name, description]) => {
    const gap = name.length > width ? `\n  ${" ".repeat(width)}` : " ".repeat(width - name.length);
    return `  ${name}${description === "" ? "" : `${gap}  ${description.replaceAll("\n", " ")}`}`;
  });
  return `${title}:\n${lines.join("\n")}`;
}
