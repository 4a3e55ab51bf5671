import { isApplicator, type JsonSchema, type SourceLocation } from "../../contract/model/index.ts";
import { codeList, formatCount, listWords } from "../text/words.ts";

const formats: Record<string, string> = {
  uuid: "UUID",
  "date-time": "date and time",
  date: "date",
  uri: "URI",
  email: "e-mail address",
  binary: "file",
};

const keywordsShownElsewhere = new Set(
  (
    "type title description format required examples example deprecated discriminator minLength maxLength minItems " +
    "maxItems $ref $id $schema $comment"
  ).split(" "),
);

const keywordWords: Record<string, string> = {
  minimum: "at least",
  exclusiveMinimum: "more than",
  maximum: "at most",
  exclusiveMaximum: "less than",
  multipleOf: "a multiple of",
  pattern: "matches",
  const: "always",
  enum: "one of",
  default: "default",
};

export function typeWords(schema: JsonSchema): string[] {
  const format = schema.format === undefined ? "" : (formats[String(schema.format)] ?? String(schema.format));
  return [schema.type ?? []]
    .flat()
    .filter((type) => type !== "null")
    .map((type) => {
      if (type !== "string" || format === "") return String(type);
      return format === "file" ? format : `string (${format})`;
    });
}

export function factsOf(schema: JsonSchema): string[] {
  const otherFacts = Object.entries(schema).flatMap(([keyword, value]): string[] => {
    if (keyword === "x-max-bytes") return [`at most ${bytesWords(Number(value))}`];
    if (keyword.startsWith("x-") || keywordsShownElsewhere.has(keyword)) return [];
    if (keyword === "additionalProperties" && value === false) return ["no other fields"];
    if (keyword === "uniqueItems") return value === true ? ["no item twice"] : [];
    if (isApplicator(keyword) && keyword !== "not") return [];
    return [`${keywordWords[keyword] ?? keyword} ${[value].flat().map(valueText).map(codeWords).join(", ")}`];
  });
  return [
    ...rangeFact(schema.minLength, schema.maxLength, "character"),
    ...rangeFact(schema.minItems, schema.maxItems, "item"),
    ...otherFacts,
  ];
}

export function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Two backticks enclose a text that contains a backtick. */
export function codeWords(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

function rangeFact(minimum: number | undefined, maximum: number | undefined, unit: string): string[] {
  if (minimum === undefined && maximum === undefined) return [];
  if (maximum === undefined) return [minimum === 1 ? "not empty" : `at least ${formatCount(minimum ?? 0, unit)}`];
  if (minimum === undefined) return [`at most ${formatCount(maximum, unit)}`];
  return [
    minimum === maximum ? `exactly ${formatCount(maximum, unit)}` : `${minimum} to ${formatCount(maximum, unit)}`,
  ];
}

function bytesWords(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  return Number.isInteger(mebibytes) ? `${mebibytes} MiB (${bytes} bytes)` : `${bytes} bytes`;
}

/** Constraints that concern several fields: `if`, `then` and `else`, and alternative sets of required fields. */
export function rulesOf(location: SourceLocation): string[] {
  const condition = location.child("if");
  const [thenConstraints, elseConstraints] = [
    constraintsOf(location.child("then")),
    constraintsOf(location.child("else")),
  ];
  return [
    ...(["oneOf", "anyOf"] as const).flatMap((keyword) => {
      const choices = choicesOf(location, keyword);
      if (!isAlternativeOfFields(choices)) return [];
      const names = choices.map(({ value }) => codeList((value as JsonSchema).required ?? [], "and"));
      return [`${keyword === "oneOf" ? "Exactly" : "At least"} one of ${listWords(names, "or")} is required.`];
    }),
    ...(condition.exists && thenConstraints !== "" ? [`When ${conditionWords(condition)}: ${thenConstraints}`] : []),
    ...(condition.exists && elseConstraints !== "" ? [`Otherwise: ${elseConstraints}`] : []),
  ];
}

function constraintsOf(location: SourceLocation): string {
  const { value } = location;
  if (!(value instanceof Object)) return "";
  const { required = [], properties = {} } = value as JsonSchema;
  const fieldConstraints = Object.entries(properties).flatMap(([name, schema]) => {
    const facts = factsOf(schema as JsonSchema);
    return facts.length === 0 ? [] : [`\`${name}\`: ${facts.join(", ")}.`];
  });
  const requiredConstraint = `${codeList(required, "and")} ${required.length > 1 ? "are" : "is"} required.`;
  return [...(required.length === 0 ? [] : [requiredConstraint]), ...fieldConstraints, ...rulesOf(location)].join(" ");
}

function conditionWords({ value }: SourceLocation): string {
  const { required = [], properties = {} } = value as JsonSchema;
  const propertyTests = Object.entries(properties).map(([name, schema]) => testWords(name, schema as JsonSchema));
  const presenceTests = required
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => `\`${name}\` is given`);
  return [...propertyTests, ...presenceTests].join(" and ");
}

function testWords(name: string, schema: JsonSchema): string {
  const allowedValues = schema.const === undefined ? schema.enum : [schema.const];
  if (allowedValues !== undefined) return `\`${name}\` is ${codeList(allowedValues.map(String), "or")}`;
  return `\`${name}\` is ${factsOf(schema).join(", ") || "given"}`;
}

export function isAlternativeOfFields(choices: readonly SourceLocation[]): boolean {
  const isOnlyRequired = ({ value }: SourceLocation) => {
    const keywords = Object.keys(value as JsonSchema).filter((keyword) => !keyword.startsWith("x-"));
    const isKnown = (keyword: string) => /^(title|description|required|properties|type)$/.test(keyword);
    return keywords.includes("required") && keywords.every(isKnown);
  };
  return choices.length > 1 && choices.every(isOnlyRequired);
}

export function choicesOf(location: SourceLocation, keyword: "oneOf" | "anyOf"): SourceLocation[] {
  const branches = location.child(keyword).items();
  return branches.filter((branch) => !isNull(branch));
}

export function isNull({ value }: SourceLocation): boolean {
  return (value as JsonSchema | undefined)?.type === "null";
}
