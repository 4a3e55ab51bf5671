/** Commands that control a running mock, derived from `openapi/mock-control.yaml`: lookup and help. */
import { didYouMean } from "../../contract/messages/index.ts";
import { possibleEvents } from "../../mock/control/index.ts";
import type { Plan, PlanControl, PlanField } from "../../mock/plan/index.ts";
import { ArgumentError, type Command, type HelpGroup, helpOf, type Option } from "../kit/arguments.ts";
import { callOptions } from "./control-call.ts";
import { memberOperands, membersOf } from "./members.ts";

export interface ControlCommand {
  /** The command's words as the help shows them: `<name>` for a parameter, `[member=value …]` for members. */
  readonly usage: string;
  readonly words: readonly string[];
  readonly takesMembers: boolean;
  readonly operation: PlanControl;
}

const triggerEvent = "triggerEvent";

const only: Option = { name: "only", value: "TEXT", text: "print only the lines that contain it" };

export function commandsOf({ control }: Pick<Plan, "control">): ControlCommand[] {
  return control.flatMap((operation) =>
    operation.commands.map((command) => ({
      usage: withPlaceholders(command).replace("…", memberOperands),
      words: command.split(" ").filter((word) => word !== "…"),
      takesMembers: command.endsWith("…"),
      operation,
    })),
  );
}

/** If several commands call the operation, the description of the member that this command sends. */
export function summaryOf({ words, operation: { summary, commands, fields } }: ControlCommand): string {
  const member = fields.find(
    ({ name, in: place }) => place === "body" && words.some((word) => [name, `{${name}}`].includes(word)),
  );
  return commands.length === 1 ? summary : (member?.description ?? summary).replace(/\.$/, "");
}

const withPlaceholders = (text: string) => text.replace(/\{(\w+)\}/g, "<$1>");

const isValue = (word: string) => /^[{<]/.test(word);

/** Matches an argument against a word such as `{resource}.{event}`. */
function valuesIn(word: string, text: string): Record<string, string> | undefined {
  const pattern = word.replaceAll(".", "\\.").replace(/[{<](\w+)[}>]/g, "(?<$1>(?!-).+?)");
  const match = new RegExp(`^${pattern}$`, "s").exec(text);
  return match === null ? undefined : { ...match.groups };
}

/** `words` are the start of a command, or a whole command followed by members. */
function commandsFrom(plan: Pick<Plan, "control">, words: readonly string[]): ControlCommand[] {
  return commandsOf(plan).filter(
    (command) =>
      (words.length <= command.words.length || command.takesMembers) &&
      command.words.every((word, at) => words[at] === undefined || valuesIn(word, words[at]) !== undefined),
  );
}

export function findCommand(
  words: readonly string[],
  plan: Pick<Plan, "control">,
  usage: string,
): ControlCommand & { readonly values: Readonly<Record<string, string>> } {
  const fitting = commandsFrom(plan, words);
  const [found] = fitting
    .filter((command) => command.words.length <= words.length)
    .sort((one, other) => other.words.length - one.words.length);
  if (found !== undefined) {
    return { ...found, values: Object.assign({}, ...found.words.map((word, at) => valuesIn(word, words[at] ?? ""))) };
  }
  const alike = commandsOf(plan).filter((command) => command.words[0] === words[0]);
  const possible = (fitting.length > 0 ? fitting : alike).map((command) => `\n  ${usage} ${command.usage}`).join("");
  const see = `\nSee ${usage} ${words.join(" ")} --help.`;
  const [unfinished] = fitting;
  if (unfinished !== undefined && fitting.length === 1) {
    const missing = withPlaceholders(unfinished.words.slice(words.length).join(" "));
    throw new ArgumentError(`${words.join(" ")} needs ${missing}:${possible}${see}`);
  }
  const secondWords = alike.flatMap((command) => command.words[1] ?? []);
  const meant = fitting.length > 0 ? "" : didYouMean(words[1] ?? "", secondWords);
  throw new ArgumentError(
    `${words.slice(0, 2).join(" ")}: this is not a command.${meant} Possible commands:${possible}`,
  );
}

export function controlHelp(words: readonly string[], plan: Plan, usage: string): string {
  const fitting = commandsFrom(plan, words);
  const [command = findCommand(words, plan, usage)] = fitting;
  if (fitting.length <= 1) return helpOf(commandFrom(command, plan, usage, words));
  // Several commands can match: `clock` is a command, and also the first word of other commands.
  return helpOf({
    usage: `${usage} ${words.join(" ")}`,
    text: "Each of these commands has its own help.",
    groups: [{ title: "Commands", rows: fitting.map((one) => [one.usage, summaryOf(one)]) }],
    options: callOptions,
  });
}

export function commandFrom(command: ControlCommand, plan: Plan, usage: string, given: readonly string[]): Command {
  const { words, takesMembers, operation } = command;
  const { fields } = operation;
  const fixed = words.filter((word) => !isValue(word));
  const values = words.filter(isValue).map(withPlaceholders);
  const isEvent = operation.operationId === triggerEvent;
  const { groups, examples } = isEvent
    ? eventHelp(plan, given[words.length - 1] ?? "", usage)
    : { groups: fieldGroups(command), examples: operation.examples };
  return {
    usage: [usage, ...fixed].join(" "),
    text: descriptionOf(command),
    ...(values.length > 0 || takesMembers
      ? { operands: [...values, ...(takesMembers ? [memberOperands] : [])].join(" ") }
      : {}),
    groups: groups.filter(({ rows }) => rows.length > 0),
    options: [...fields.filter((field) => field.in === "query").map(optionOf), only, ...callOptions],
    examples: examples.flatMap(({ summary: about, value }) => {
      const args = exampleArgs({ words, takesMembers, fields }, value);
      return args === undefined ? [] : [[args, about] as const];
    }),
  };
}

/** The summary, then the operation's description if it is about this command. */
function descriptionOf(command: ControlCommand): string {
  const { description, commands } = command.operation;
  const isDescribed = (commands.length === 1 || command.takesMembers) && description !== "";
  return [`${summaryOf(command)}.`, ...(isDescribed ? [description.trim()] : [])].join("\n");
}

/** The fields that are given by their place in the command, and the members, which are given by name. */
function fieldGroups({ words, takesMembers, operation }: ControlCommand): readonly HelpGroup[] {
  const { fields } = operation;
  const inWords = [...words.join(" ").matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const values = fields.filter(({ name }) => inWords.includes(name));
  const members = takesMembers
    ? fields.filter(({ name, in: place }) => place === "body" && !inWords.includes(name))
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
  const trigger = plan.control.find(({ operationId }) => operationId === triggerEvent);
  const event = events.find(({ resource, event: own }) => `${resource}.${own}` === name);
  if (event === undefined) {
    const title = `Events (help of one: ${usage} trigger <resource>.<event> --help)`;
    const rows = events.map(({ resource, event: own, meaning }) => [`${resource}.${own}`, meaning] as const);
    return { groups: [{ title, rows }], examples: [] };
  }
  const rows = event.takes.map((field) => {
    const known = trigger?.fields.find((one) => one.name === field);
    const values = field === "status" && event.to.length > 1 ? `one of ${event.to.join(", ")}` : "";
    return rowOf({ ...{ name: field, form: values }, description: known?.description ?? "", isRequired: false });
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
  const about = [isRequired ? "Required." : "", description.trim(), ["", "a text"].includes(form) ? "" : `(${form})`];
  return [name, about.filter((part) => part !== "").join(" ")] as const;
}

function optionOf({ name, values, description }: PlanField): Option {
  return { name, ...(values.includes("true") ? {} : { value: "NUMBER" }), text: description };
}

/** The arguments with which a command sends the body of an example; undefined if the command cannot send this body. */
export function exampleArgs(
  { words, takesMembers, fields }: Pick<ControlCommand, "words" | "takesMembers"> & Pick<PlanControl, "fields">,
  body: Readonly<Record<string, unknown>>,
): string | undefined {
  const rest = { ...body };
  let isComplete = true;
  const values = words.filter(isValue).map((word) =>
    word.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = rest[name] ?? fields.find((field) => field.name === name)?.example;
      delete rest[name];
      isComplete &&= value !== undefined;
      return String(value);
    }),
  );
  const members = membersOf(rest);
  if (!isComplete || (members.length > 0 && !takesMembers)) return undefined;
  return [...values, ...members].map(quoted).join(" ");
}

function quoted(word: string): string {
  if (/^[\w.,:/@%+=-]+$/.test(word)) return word;
  if (word.includes('"')) return `'${word}'`;
  const [, name = "", value = ""] = /^([\w.]+=)?(.*)$/s.exec(word) ?? [];
  return `${name}"${value}"`;
}
