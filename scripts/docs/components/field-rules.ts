/** What a schema demands of several fields together, in words: `if`, `then` and `else`, and alternatives of fields. */
import type { JsonSchema, Place } from "../../contract/index.ts";
import { choicesOf } from "./field-layers.ts";
import { type Fact, factsOf, listWords } from "./field-words.ts";

/** A sentence in Markdown, with the rules that hold in that case below it. */
export interface Rule {
  text: string;
  rules: Rule[];
}

/** The rules that a schema object holds itself. */
export function rulesOf(place: Place): Rule[] {
  return [...alternatives(place), ...conditions(place), ...dependencies(place), ...notRules(place)];
}

/** Whether the alternatives only differ in the fields that they require. */
export function isAlternativeOfFields(choices: readonly Place[]): boolean {
  return choices.length > 1 && choices.every(({ value }) => isOnlyRequired(value as JsonSchema));
}

function isOnlyRequired(schema: JsonSchema): boolean {
  const keywords = Object.keys(schema).filter((keyword) => !keyword.startsWith("x-"));
  return (
    "required" in schema && keywords.every((keyword) => /^(title|description|required|properties|type)$/.test(keyword))
  );
}

function alternatives(place: Place): Rule[] {
  return (["oneOf", "anyOf"] as const).flatMap((keyword) => {
    const choices = choicesOf(place, keyword);
    if (!isAlternativeOfFields(choices)) return [];
    const names = choices.map(({ value }) => namesOf((value as JsonSchema).required, "and"));
    const count = keyword === "oneOf" ? "Exactly" : "At least";
    return [{ text: `${count} one of ${listWords(names, "or")} is required.`, rules: [] }];
  });
}

function conditions(place: Place): Rule[] {
  const condition = place.own("if");
  if (!condition.exists) return [];
  const whenTrue = demandsOf(place.own("then"));
  const whenFalse = demandsOf(place.own("else"));
  return [
    ...(whenTrue.length === 0 ? [] : [{ text: `When ${conditionWords(condition)}:`, rules: whenTrue }]),
    ...(whenFalse.length === 0 ? [] : [{ text: "Otherwise:", rules: whenFalse }]),
  ];
}

/** What a schema adds to the one that it stands in. */
function demandsOf(place: Place): Rule[] {
  const { value } = place;
  if (typeof value !== "object" || value === null) return [];
  const { required = [], properties = {} } = value as JsonSchema;
  const ofFields = Object.entries(properties).flatMap(([name, schema]) => {
    const facts = factsOf(schema as JsonSchema).map(factWords);
    return facts.length === 0 ? [] : [{ text: `\`${name}\`: ${facts.join(", ")}.`, rules: [] }];
  });
  const isMany = required.length > 1;
  const ofAll =
    required.length === 0
      ? []
      : [{ text: `${namesOf(required, "and")} ${isMany ? "are" : "is"} required.`, rules: [] }];
  return [...ofAll, ...ofFields, ...rulesOf(place)];
}

function dependencies(place: Place): Rule[] {
  return place
    .own("dependentRequired")
    .entries()
    .map(([name, { value }]) => {
      const needed = [value].flat().map(String);
      return { text: `With \`${name}\`: ${namesOf(needed, "and")} required.`, rules: [] };
    });
}

function notRules(place: Place): Rule[] {
  const refused = place.own("not");
  return refused.exists ? [{ text: `Not accepted when ${conditionWords(refused)}.`, rules: [] }] : [];
}

function conditionWords({ value }: Place): string {
  const { required = [], properties = {} } = value as JsonSchema;
  const tested = Object.entries(properties).map(([name, schema]) => testWords(name, schema as JsonSchema));
  const present = required.filter((name) => !Object.hasOwn(properties, name)).map((name) => `\`${name}\` is given`);
  return [...tested, ...present].join(" and ");
}

function testWords(name: string, schema: JsonSchema): string {
  const wanted = schema.const === undefined ? schema.enum : [schema.const];
  if (wanted !== undefined) return `\`${name}\` is ${namesOf(wanted.map(String), "or")}`;
  const facts = factsOf(schema).map(factWords);
  return facts.length === 0 ? `\`${name}\` is given` : `\`${name}\` is ${facts.join(", ")}`;
}

function factWords({ words, values }: Fact): string {
  return [words, ...values.map((value) => `\`${value}\``)].join(" ");
}

function namesOf(names: readonly string[] = [], joint: "and" | "or"): string {
  return listWords(
    names.map((name) => `\`${name}\``),
    joint,
  );
}
