/** The commands that control a running mock are derived from `openapi/mock-control.yaml`. */
import { didYouMean } from "../../base/index.ts";
import { possibleEvents } from "../../mock/control/index.ts";
import type { Plan, PlanControl, PlanField } from "../../mock/plan/index.ts";
import { ArgumentError, type Command, type HelpGroup, helpOf, type Option, quoteArgument } from "../kit/arguments.ts";
import { jsonOption, mockOptions } from "./control-call.ts";
import { memberOperands, membersOf } from "./members.ts";

/** A word of a command: a fixed word, one or more values separated by dots (`<resource>.<event>`), or the path of a file. */
type Word =
  | { readonly kind: "fixed"; readonly text: string }
  | { readonly kind: "values"; readonly names: readonly string[] }
  | { readonly kind: "file"; readonly access: FileAccess };

/** `read` if the body of the request is read from the file; `write` if the response is written to it. */
type FileAccess = "read" | "write";

export interface ControlCommand {
  /** The words of the command as the help shows them: `<name>` for a value, `<FILE>` for a file, `[member=value …]` for members. */
  readonly usage: string;
  readonly words: readonly Word[];
  readonly takesMembers: boolean;
  readonly operation: PlanControl;
}

export interface FoundCommand extends ControlCommand {
  readonly values: Readonly<Record<string, string>>;
  readonly file: { readonly path: string; readonly access: FileAccess } | undefined;
}

const triggerOperationId = "triggerEvent";

const onlyOption: Option = { name: "only", value: "TEXT", text: "print only items with a line that contains it" };

export function commandsOf({ control }: Pick<Plan, "control">): ControlCommand[] {
  return control.flatMap((operation) =>
    operation.commands.map((command) => {
      const takesMembers = command.endsWith("…");
      const wordTexts = command.split(" ").filter((text) => text !== "…");
      const words = wordTexts.map((text) => parseWord(text, operation));
      return { usage: textOf(words, takesMembers), words, takesMembers, operation };
    }),
  );
}

/** @param text a word in the form of `x-command`, such as `clock`, `{resource}.{event}` or `<FILE>`. */
function parseWord(text: string, { method }: PlanControl): Word {
  if (text === "<FILE>") return { kind: "file", access: method === "GET" ? "write" : "read" };
  const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return names.length === 0 ? { kind: "fixed", text } : { kind: "values", names };
}

function textOf(words: readonly Word[], takesMembers = false): string {
  const texts = words.map((word) => {
    if (word.kind === "fixed") return word.text;
    return word.kind === "file" ? "<FILE>" : word.names.map((name) => `<${name}>`).join(".");
  });
  return [...texts, ...(takesMembers ? [memberOperands] : [])].join(" ");
}

export function fixedTextsOf(words: readonly Word[]): string[] {
  return words.flatMap((word) => (word.kind === "fixed" ? [word.text] : []));
}

function valueNamesOf(words: readonly Word[]): string[] {
  return words.flatMap((word) => (word.kind === "values" ? word.names : []));
}

/** The summary of the operation. If several commands call the operation, the description of the member that this command sends, if any. */
export function summaryOf({ words, operation: { summary, commands, fields } }: ControlCommand): string {
  const names = [...fixedTextsOf(words), ...valueNamesOf(words)];
  const member = fields.find(({ name, in: location }) => location === "body" && names.includes(name));
  return commands.length === 1 ? summary : (member?.description ?? summary).replace(/\.$/, "");
}

/** Matches an argument against a word of a command. @returns the values by name; undefined when the argument does not match. */
function matchValues(word: Word, text: string): Readonly<Record<string, string>> | undefined {
  if (word.kind === "fixed") return text === word.text ? {} : undefined;
  if (word.kind === "file") return /^[^-]/.test(text) ? {} : undefined;
  const pattern = word.names.map((name) => `(?<${name}>(?!-).+?)`).join("\\.");
  const match = new RegExp(`^${pattern}$`, "s").exec(text);
  return match === null ? undefined : { ...match.groups };
}

/** Finds commands. @param texts the first words of a command, or a whole command followed by members. */
function matchingCommands(plan: Pick<Plan, "control">, texts: readonly string[]): ControlCommand[] {
  return commandsOf(plan).filter(
    ({ words, takesMembers }) =>
      (texts.length <= words.length || takesMembers) &&
      words.every((word, index) => texts[index] === undefined || matchValues(word, texts[index]) !== undefined),
  );
}

export function findCommand(texts: readonly string[], plan: Pick<Plan, "control">, usage: string): FoundCommand {
  const matches = matchingCommands(plan, texts);
  const [command] = matches
    .filter(({ words }) => words.length <= texts.length)
    .sort((a, b) => b.words.length - a.words.length);
  if (command === undefined) throw noSuchCommand(texts, matches, plan, usage);
  return withValues(command, texts);
}

function withValues(command: ControlCommand, texts: readonly string[]): FoundCommand {
  const givenWords = command.words.map((word, index) => ({ word, text: texts[index] ?? "" }));
  const values = givenWords.flatMap(({ word, text }) => Object.entries(matchValues(word, text) ?? {}));
  const [file] = givenWords.flatMap(({ word, text }) =>
    word.kind === "file" ? [{ path: text, access: word.access }] : [],
  );
  return { ...command, values: Object.fromEntries(values), file };
}

/** @param longerCommands the commands that begin with `texts`. */
function noSuchCommand(
  texts: readonly string[],
  longerCommands: readonly ControlCommand[],
  plan: Pick<Plan, "control">,
  usage: string,
): ArgumentError {
  const givenText = texts.join(" ");
  const [onlyCommand, ...otherCommands] = longerCommands;
  if (onlyCommand !== undefined && otherCommands.length === 0) {
    const missingText = textOf(onlyCommand.words.slice(texts.length));
    return new ArgumentError(
      `${givenText} needs ${missingText}:\n  ${usage} ${onlyCommand.usage}\nSee ${usage} ${givenText} --help.`,
    );
  }
  const similarCommands = commandsOf(plan).filter(({ words }) => fixedTextsOf(words)[0] === texts[0]);
  const secondTexts = similarCommands.flatMap(({ words }) => fixedTextsOf(words.slice(1, 2)));
  const suggestion = longerCommands.length > 0 ? "" : didYouMean(texts[1] ?? "", secondTexts);
  const possibleCommands = longerCommands.length > 0 ? longerCommands : similarCommands;
  const lines = possibleCommands.map((command) => `\n  ${usage} ${command.usage}`);
  return new ArgumentError(
    `${texts.slice(0, 2).join(" ")}: this is not a command.${suggestion} Possible commands:${lines.join("")}`,
  );
}

export function controlHelp(texts: readonly string[], plan: Plan, usage: string): string {
  const matches = matchingCommands(plan, texts);
  const [command, ...otherCommands] = matches;
  if (command === undefined) throw noSuchCommand(texts, [], plan, usage);
  if (otherCommands.length === 0) {
    return helpOf({ ...toCommand(command, plan, usage, texts), operands: operandsOf(command) });
  }
  // Several commands can match: `clock` is a command, and also the first word of other commands.
  return helpOf({
    usage: `${usage} ${texts.join(" ")}`,
    text: "Each of these commands has its own help.",
    groups: [{ title: "Commands", rows: matches.map((match) => [match.usage, summaryOf(match)]) }],
    options: [...mockOptions, jsonOption],
  });
}

/** The placeholders of the command's values, file and members, as the help shows them. */
function operandsOf({ words, takesMembers }: ControlCommand): string {
  return textOf(
    words.filter(({ kind }) => kind !== "fixed"),
    takesMembers,
  );
}

/** @param texts the words that were given for the command, with values in place of the placeholders. */
export function toCommand(command: ControlCommand, plan: Plan, usage: string, texts: readonly string[]): Command {
  const { words, takesMembers, operation } = command;
  const { fields } = operation;
  // A command that writes the response to a file prints nothing.
  const writesFile = words.some((word) => word.kind === "file" && word.access === "write");
  const isEvent = operation.operationId === triggerOperationId;
  const { groups, examples } = isEvent
    ? eventHelp(plan, texts[words.length - 1] ?? "", usage)
    : { groups: fieldGroups(command), examples: operation.examples };
  return {
    usage: [usage, ...fixedTextsOf(words)].join(" "),
    text: descriptionOf(command),
    ...(takesMembers && { operands: memberOperands, maxOperands: Number.POSITIVE_INFINITY }),
    groups: groups.filter(({ rows }) => rows.length > 0),
    options: [
      ...fields.filter((field) => field.in === "query").map(optionOf),
      ...(writesFile ? mockOptions : [onlyOption, ...mockOptions, jsonOption]),
    ],
    examples: examples.flatMap(({ summary: exampleText, value }) => {
      const args = exampleArgs({ words, takesMembers, fields }, value);
      return args === undefined ? [] : [[args, exampleText] as const];
    }),
  };
}

function descriptionOf(command: ControlCommand): string {
  const { description, commands } = command.operation;
  const isDescribed = (commands.length === 1 || command.takesMembers) && description !== "";
  return [`${summaryOf(command)}.`, ...(isDescribed ? [description.trim()] : [])].join("\n");
}

/** The help of the fields: values, which have a fixed position in the command, and members, which have a name. */
function fieldGroups({ words, takesMembers, operation }: ControlCommand): readonly HelpGroup[] {
  const { fields } = operation;
  const valueNames = valueNamesOf(words);
  const values = fields.filter(({ name }) => valueNames.includes(name));
  const members = takesMembers
    ? fields.filter(({ name, in: location }) => location === "body" && !valueNames.includes(name))
    : [];
  return [
    { title: "Values", rows: values.map((field) => rowOf({ ...field, name: `<${field.name}>` })) },
    { title: "Members", rows: members.map(rowOf) },
  ];
}

function eventHelp(
  plan: Plan,
  name: string,
  usage: string,
): { groups: readonly HelpGroup[]; examples: PlanControl["examples"] } {
  const events = possibleEvents(plan);
  const trigger = plan.control.find(({ operationId }) => operationId === triggerOperationId);
  const event = events.find(({ resource, event: eventName }) => `${resource}.${eventName}` === name);
  if (event === undefined) {
    const title = `Events (help of one: ${usage} trigger <resource>.<event> --help)`;
    const rows = events.map(
      ({ resource, event: eventName, meaning }) => [`${resource}.${eventName}`, meaning] as const,
    );
    return { groups: [{ title, rows }], examples: [] };
  }
  const rows = event.takes.map((field) => {
    const documentedField = trigger?.fields.find((candidate) => candidate.name === field);
    const values = field === "status" && event.to.length > 1 ? `one of ${event.to.join(", ")}` : "";
    return rowOf({ name: field, form: values, description: documentedField?.description ?? "", isRequired: false });
  });
  const examples = (trigger?.examples ?? [])
    .filter(({ value }) => value.resource === event.resource && value.event === event.event)
    .map(({ value }) => ({ summary: event.meaning, value }));
  return { groups: [{ title: `${event.meaning} Members`, rows }], examples };
}

function rowOf({
  name,
  form,
  description,
  isRequired,
}: Pick<PlanField, "name" | "form" | "description" | "isRequired">) {
  const text = [isRequired ? "Required." : "", description.trim(), ["", "a text"].includes(form) ? "" : `(${form})`];
  return [name, text.filter((part) => part !== "").join(" ")] as const;
}

function optionOf({ name, values, description }: PlanField): Option {
  return { name, ...(values.includes("true") ? {} : { value: "NUMBER" }), text: description };
}

/** The arguments with which a command sends a body; undefined if the command cannot send it. */
export function exampleArgs(
  { words, takesMembers, fields }: Pick<ControlCommand, "words" | "takesMembers"> & Pick<PlanControl, "fields">,
  body: Readonly<Record<string, unknown>>,
): string | undefined {
  const valueFor = (name: string) => body[name] ?? fields.find((field) => field.name === name)?.example;
  const valueNames = valueNamesOf(words);
  const members = membersOf(Object.fromEntries(Object.entries(body).filter(([name]) => !valueNames.includes(name))));
  const isIncomplete = valueNames.some((name) => valueFor(name) === undefined);
  if (isIncomplete || (members.length > 0 && !takesMembers)) return undefined;
  const values = words.flatMap((word) => (word.kind === "values" ? [word.names.map(valueFor).join(".")] : []));
  return [...values, ...members].map(quoteArgument).join(" ");
}
