/** Finds the commands that control a running mock, and makes their help. The commands are derived from `openapi/mock-control.yaml`. */
import { didYouMean } from "../../contract/messages/index.ts";
import { possibleEvents } from "../../mock/control/index.ts";
import type { Plan, PlanControl, PlanField } from "../../mock/plan/index.ts";
import { ArgumentError, type Command, type HelpGroup, helpOf, type Option } from "../kit/arguments.ts";
import { mockCallOptions } from "./control-call.ts";
import { memberOperands, membersOf } from "./members.ts";

export interface ControlCommand {
  /** The words of the command as the help shows them: `<name>` for a parameter, `[member=value …]` for members. */
  readonly usage: string;
  readonly words: readonly string[];
  readonly takesMembers: boolean;
  readonly operation: PlanControl;
}

const triggerOperationId = "triggerEvent";

const onlyOption: Option = { name: "only", value: "TEXT", text: "print only the lines that contain it" };

export function commandsOf({ control }: Pick<Plan, "control">): ControlCommand[] {
  return control.flatMap((operation) =>
    operation.commands.map((command) => ({
      usage: addPlaceholders(command).replace("…", memberOperands),
      words: command.split(" ").filter((word) => word !== "…"),
      takesMembers: command.endsWith("…"),
      operation,
    })),
  );
}

/** The summary of the operation. If several commands call the operation, the description of the member that this command sends, if any. */
export function summaryOf({ words, operation: { summary, commands, fields } }: ControlCommand): string {
  const member = fields.find(
    ({ name, in: location }) => location === "body" && words.some((word) => [name, `{${name}}`].includes(word)),
  );
  return commands.length === 1 ? summary : (member?.description ?? summary).replace(/\.$/, "");
}

const addPlaceholders = (text: string) => text.replace(/\{(\w+)\}/g, "<$1>");

const isValue = (word: string) => /^[{<]/.test(word);

/**
 * Matches an argument against a word such as `{resource}.{event}`. @returns the values by name; undefined when the argument does not match.
 */
function matchValues(word: string, text: string): Record<string, string> | undefined {
  const pattern = word.replaceAll(".", "\\.").replace(/[{<](\w+)[}>]/g, "(?<$1>(?!-).+?)");
  const match = new RegExp(`^${pattern}$`, "s").exec(text);
  return match === null ? undefined : { ...match.groups };
}

/** Finds commands. @param words the first words of a command, or a whole command followed by members. */
function matchingCommands(plan: Pick<Plan, "control">, words: readonly string[]): ControlCommand[] {
  return commandsOf(plan).filter(
    (command) =>
      (words.length <= command.words.length || command.takesMembers) &&
      command.words.every((word, index) => words[index] === undefined || matchValues(word, words[index]) !== undefined),
  );
}

export function findCommand(
  words: readonly string[],
  plan: Pick<Plan, "control">,
  usage: string,
): ControlCommand & { readonly values: Readonly<Record<string, string>> } {
  const matches = matchingCommands(plan, words);
  const [foundCommand] = matches
    .filter((command) => command.words.length <= words.length)
    .sort((a, b) => b.words.length - a.words.length);
  if (foundCommand !== undefined) {
    return {
      ...foundCommand,
      values: Object.assign({}, ...foundCommand.words.map((word, index) => matchValues(word, words[index] ?? ""))),
    };
  }
  const similarCommands = commandsOf(plan).filter((command) => command.words[0] === words[0]);
  const possibleCommands = (matches.length > 0 ? matches : similarCommands)
    .map((command) => `\n  ${usage} ${command.usage}`)
    .join("");
  const helpHint = `\nSee ${usage} ${words.join(" ")} --help.`;
  const [unfinishedCommand] = matches;
  if (unfinishedCommand !== undefined && matches.length === 1) {
    const missingWords = addPlaceholders(unfinishedCommand.words.slice(words.length).join(" "));
    throw new ArgumentError(`${words.join(" ")} needs ${missingWords}:${possibleCommands}${helpHint}`);
  }
  const secondWords = similarCommands.flatMap((command) => command.words[1] ?? []);
  const suggestion = matches.length > 0 ? "" : didYouMean(words[1] ?? "", secondWords);
  throw new ArgumentError(
    `${words.slice(0, 2).join(" ")}: this is not a command.${suggestion} Possible commands:${possibleCommands}`,
  );
}

export function controlHelp(words: readonly string[], plan: Plan, usage: string): string {
  const matches = matchingCommands(plan, words);
  const [command = findCommand(words, plan, usage)] = matches;
  if (matches.length <= 1) return helpOf({ ...toCommand(command, plan, usage, words), operands: operandsOf(command) });
  // Several commands can match: `clock` is a command, and also the first word of other commands.
  return helpOf({
    usage: `${usage} ${words.join(" ")}`,
    text: "Each of these commands has its own help.",
    groups: [{ title: "Commands", rows: matches.map((match) => [match.usage, summaryOf(match)]) }],
    options: mockCallOptions,
  });
}

/** The operands as the help shows them: the values in the words of the command, and the members. */
function operandsOf({ words, takesMembers }: ControlCommand): string {
  return [...words.filter(isValue).map(addPlaceholders), ...(takesMembers ? [memberOperands] : [])].join(" ");
}

/** The command for the arguments after its words, in which its values have been found. */
export function toCommand(command: ControlCommand, plan: Plan, usage: string, givenWords: readonly string[]): Command {
  const { words, takesMembers, operation } = command;
  const { fields } = operation;
  const fixedWords = words.filter((word) => !isValue(word));
  const isEvent = operation.operationId === triggerOperationId;
  const { groups, examples } = isEvent
    ? eventHelp(plan, givenWords[words.length - 1] ?? "", usage)
    : { groups: fieldGroups(command), examples: operation.examples };
  return {
    usage: [usage, ...fixedWords].join(" "),
    text: descriptionOf(command),
    ...(takesMembers && { operands: memberOperands }),
    groups: groups.filter(({ rows }) => rows.length > 0),
    options: [...fields.filter((field) => field.in === "query").map(optionOf), onlyOption, ...mockCallOptions],
    examples: examples.flatMap(({ summary: exampleText, value }) => {
      const args = exampleArgs({ words, takesMembers, fields }, value);
      return args === undefined ? [] : [[args, exampleText] as const];
    }),
  };
}

/** The summary of a command, followed by the description of the operation if it applies to this command. */
function descriptionOf(command: ControlCommand): string {
  const { description, commands } = command.operation;
  const isDescribed = (commands.length === 1 || command.takesMembers) && description !== "";
  return [`${summaryOf(command)}.`, ...(isDescribed ? [description.trim()] : [])].join("\n");
}

function valueNamesIn(words: readonly string[]): string[] {
  return [...words.join(" ").matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** The help of the fields: values, which have a fixed position in the command, and members, which have a name. */
function fieldGroups({ words, takesMembers, operation }: ControlCommand): readonly HelpGroup[] {
  const { fields } = operation;
  const valueNames = valueNamesIn(words);
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
  const valueNames = valueNamesIn(words);
  const members = membersOf(Object.fromEntries(Object.entries(body).filter(([name]) => !valueNames.includes(name))));
  const isIncomplete = valueNames.some((name) => valueFor(name) === undefined);
  if (isIncomplete || (members.length > 0 && !takesMembers)) return undefined;
  const values = words
    .filter(isValue)
    .map((word) => word.replace(/\{(\w+)\}/g, (_, name: string) => String(valueFor(name))));
  return [...values, ...members].map(quoteWord).join(" ");
}

function quoteWord(word: string): string {
  if (/^[\w.,:/@%+=-]+$/.test(word)) return word;
  if (word.includes('"')) return `'${word}'`;
  const [, name = "", value = ""] = /^([\w.]+=)?(.*)$/s.exec(word) ?? [];
  return `${name}"${value}"`;
}
