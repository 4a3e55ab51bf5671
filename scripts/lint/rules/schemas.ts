import {
  branchesOf,
  type DocumentedResponse,
  isJsonType,
  isKnownKeyword,
  knownFormats,
  propertiesOf,
  type SourceLocation,
  subschemasOf,
  walkSchema,
} from "../../contract/model/index.ts";
import type { Check, Judge } from "../rule.ts";
import type { SourceContract } from "../source-contract.ts";
import { typesOfKeyword } from "../validation.ts";

/** Every schema needs one of these keywords, unless it only refines another schema. */
const valueKeywords = ["type", "$ref", "const", "enum", "allOf", "anyOf", "oneOf"];

const caseKeywords = ["if", "then", "else"];

const limitPairs = [
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
  ["minContains", "maxContains"],
  ["minimum", "maximum"],
  ["minimum", "exclusiveMaximum"],
  ["exclusiveMinimum", "maximum"],
  ["exclusiveMinimum", "exclusiveMaximum"],
] as const;

export const schemaRules: Record<string, Judge> = {
  "case-properties"({ nodes }, check) {
    const visitedIds = new Set<string>();
    for (const schema of nodes("Schema")) {
      if (visitedIds.has(schema.id)) continue;
      const knownNames = propertiesBesideCases(schema);
      for (const [name, location] of caseKeywords.flatMap((keyword) =>
        propertiesIn(schema.child(keyword), visitedIds),
      )) {
        check(knownNames.has(name), location, `A condition names ${name}, which is not a property of the schema`);
      }
    }
  },

  "limits-possible"({ nodes }, check) {
    for (const schema of nodes("Schema")) {
      for (const [lower, upper] of limitPairs) {
        const [low, high] = [schema.child(lower), schema.child(upper)];
        if (typeof low.value !== "number" || typeof high.value !== "number") continue;
        const isExclusive = lower.startsWith("exclusive") || upper.startsWith("exclusive");
        const isPossible = isExclusive ? low.value < high.value : low.value <= high.value;
        check(isPossible, low, `No value fits ${lower} ${low.value} and ${upper} ${high.value}`);
      }
    }
  },

  "one-direction"({ operations, webhooks }, check) {
    const bodiesOf = (responses: readonly DocumentedResponse[]) => responses.flatMap(({ bodies }) => bodies);
    const partnerBodies = [
      ...operations.flatMap(({ requestBody }) => requestBody?.bodies ?? []),
      ...webhooks.flatMap(({ responses }) => bodiesOf(responses)),
    ];
    const serviceBodies = [
      ...operations.flatMap(({ responses }) => bodiesOf(responses)),
      ...webhooks.flatMap(({ requestBody }) => requestBody?.bodies ?? []),
    ];
    const judge = (bodies: typeof partnerBodies, keyword: string, sender: string) => {
      for (const { schema: root } of bodies)
        walkSchema(root, (schema) => {
          const mark = schema.child(keyword);
          check(mark.value !== true, mark, `${keyword} is in a schema of what ${sender} sends`);
        });
    };
    judge(partnerBodies, "readOnly", "a partner");
    judge(serviceBodies, "writeOnly", "the service");
  },

  "open-responses"(contract, check) {
    forEachSentSchema(contract, (schema) => {
      for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
        const closingKeyword = schema.child(keyword);
        check(
          closingKeyword.value !== false,
          closingKeyword,
          `${keyword}: false closes an object that the service sends`,
        );
      }
    });
  },

  "open-sets"(contract, check) {
    for (const { key, holder: schema } of contract.marks) {
      if (key !== "x-open-enum") continue;
      const isText = schema.at("type").value === "string";
      check(isText, schema, "A set with x-open-enum is not a string", "Add type: string");
      for (const keyword of ["enum", "const"]) {
        const closingKeyword = schema.child(keyword);
        check(!closingKeyword.exists, closingKeyword, `${keyword} closes a set that is open according to x-open-enum`);
      }
      const choice = schema.child("anyOf");
      const problem = "The bundles replace this anyOf with one of the values of x-open-enum";
      check(!choice.exists, choice, problem, "Leave it out");
    }
    forEachSentSchema(contract, (schema, property) => {
      if (!/(^s|S)tatus$/.test(property) || schema.target.child("x-open-enum").exists) return;
      const closingKeywords = ["enum", "const"]
        .map((keyword) => schema.child(keyword))
        .filter(({ value }) => Array.isArray(value) || typeof value === "string");
      for (const keyword of closingKeywords) check(false, keyword, `${keyword.key} closes the values of ${property}`);
      const types = schema.texts("type").filter((type) => type !== "null");
      const isListed = closingKeywords.length > 0 || types.join() !== "string";
      check(isListed, schema, `${property} is a text without known values`, "List them under x-open-enum");
    });
  },

  "sensitive-names"(contract, check) {
    const register = contract.files.extensions.at("x-sensitive");
    const values = namedValues(contract);
    checkNamesInUse(register, values, check);
    // `then`, `else`, `if` and `allOf` only refine properties that the enclosing object defines.
    const definedValues = values.filter(({ holder }) => !/\/(then|else|if|allOf\/\d+)$/.test(holder.pointer));
    const marks = contract.marks.filter(({ key }) => key === "x-sensitive");
    const sensitiveIds = new Set(marks.map(({ holder }) => holder.id));
    checkMarks(register, definedValues, sensitiveIds, check);
    const unmarkedValues = definedValues.filter(({ schema }) => !sensitiveIds.has(schema.id));
    checkReviews(register, unmarkedValues, check);
  },

  "property-names"({ nodes }, check) {
    for (const schema of nodes("Schema")) {
      for (const [name, property] of schema.child("properties").entries()) {
        const problem = `${name} is the name of a member of every JavaScript object`;
        check(!(name in Object.prototype), property, problem);
      }
    }
  },

  "schema-keywords"({ nodes }, check) {
    for (const schema of nodes("Schema")) {
      const example = schema.child("example");
      check(
        !example.exists,
        example,
        "OpenAPI 3.1 has no example in schemas",
        "Write `examples` with a list of values",
      );
      const types = schema.texts("type");
      if (types.length === 0) continue;
      for (const [keyword, applicableTypes] of typesOfKeyword) {
        const location = schema.child(keyword);
        if (!location.exists) continue;
        const problem = `${keyword} does not apply to values of the type ${types.join(" or ")}`;
        check(
          types.some((type) => applicableTypes.includes(type)),
          location,
          problem,
          "Correct the type, or remove the keyword",
        );
      }
    }
  },

  "schema-sound"({ nodes, schemas }, check) {
    for (const holder of nodes("MediaType", "Parameter", "Header")) {
      const schema = holder.child("schema");
      const errors = schemas.compileErrors(schema);
      check.violations(errors, schema, "The schema does not compile");
      // The client compares only JSON bodies with schemas.
      if (errors.length === 0 && isJsonType(holder.key)) walkSchema(schema, (part) => checkVocabulary(part, check));
    }
  },

  "schema-typed"({ nodes }, check) {
    // These schemas only refine the enclosing schema, which defines the value.
    const refiningSchemas = nodes("Schema")
      .flatMap(subschemasOf)
      .filter(({ keyword, role }) => role === "in-place" || keyword === "if" || keyword === "not");
    const refiningIds = new Set(refiningSchemas.map(({ schema }) => schema.id));
    for (const schema of nodes("Schema").filter(({ id }) => !refiningIds.has(id))) {
      const hasValueKeyword = valueKeywords.some((keyword) => schema.child(keyword).exists);
      check(hasValueKeyword, schema, "The schema does not define its value");
    }
  },
};

function checkVocabulary(schema: SourceLocation, check: Check): void {
  for (const [keyword, location] of schema.entries())
    check(isKnownKeyword(keyword), location, `The client does not know the keyword ${keyword}`, "Leave it out");
  const format = schema.child("format");
  const isKnown = !format.exists || knownFormats.includes(String(format.value));
  const remedy = `Leave it out, or use one of ${knownFormats.join(", ")}`;
  check(isKnown, format, `The client does not know the format ${format.value}`, remedy);
}

interface NamedValue {
  name: string;
  schema: SourceLocation;
  /** The schema that contains the property, or the Parameter Object. */
  holder: SourceLocation;
}

function namedValues({ nodes }: SourceContract): NamedValue[] {
  const properties = nodes("Schema").flatMap((holder) =>
    subschemasOf(holder).flatMap(({ schema, property: name }) =>
      name === undefined ? [] : [{ name, schema, holder }],
    ),
  );
  const parameters = nodes("Parameter").map((holder) => ({
    name: String(holder.child("name").value),
    schema: holder.child("schema"),
    holder,
  }));
  return [...properties, ...parameters];
}

/** The lists of `x-sensitive` in extensions.yaml: always sensitive, sensitive in some objects, and never sensitive. */
const nameLists = ["names", "ambiguousNames", "harmlessNames"] as const;

function checkNamesInUse(register: SourceLocation, values: readonly NamedValue[], check: Check): void {
  const usedNames = new Set<unknown>(values.map(({ name }) => name));
  for (const entry of nameLists.flatMap((list) => register.at(list).items())) {
    const problem = `No property or parameter has the name ${entry.value}`;
    check(usedNames.has(entry.value), entry, problem, "Correct the name, or remove it");
  }
}

/** Checks that each value whose name is always sensitive is marked, and that the name of each marked value is listed. */
function checkMarks(
  register: SourceLocation,
  values: readonly NamedValue[],
  sensitiveIds: ReadonlySet<string>,
  check: Check,
): void {
  const isMarked = (schema: SourceLocation): boolean =>
    sensitiveIds.has(schema.id) ||
    (schema.target.id !== schema.id && isMarked(schema.target)) ||
    subschemasOf(schema).some(({ schema: inner }) => isMarked(inner));
  const alwaysSensitiveNames = register.texts("names");
  const listedNames = [...alwaysSensitiveNames, ...register.texts("ambiguousNames")];
  for (const { name, schema } of values) {
    if (alwaysSensitiveNames.includes(name)) check(isMarked(schema), schema, `${name} is not marked as sensitive`);
    if (!sensitiveIds.has(schema.id)) continue;
    const problem = `${name} is marked as sensitive, but x-sensitive in openapi/extensions.yaml does not list it`;
    const remedy =
      "Add it to names of x-sensitive in openapi/extensions.yaml, or to ambiguousNames if it is not always sensitive";
    check(listedNames.includes(name), schema, problem, remedy);
  }
}

/** Checks that the name of each unmarked value with free text is listed. Reports each missing name once. */
function checkReviews(register: SourceLocation, unmarkedValues: readonly NamedValue[], check: Check): void {
  const listedNames = nameLists.flatMap((list) => register.texts(list));
  const reportedNames = new Set<string>();
  for (const { name, schema } of unmarkedValues) {
    if (reportedNames.has(name)) continue;
    const isReviewed = listedNames.includes(name) || !containsFreeText(schema);
    if (!isReviewed) reportedNames.add(name);
    const problem = `Nobody has decided whether a log may contain ${name}`;
    const remedy =
      "Add it to harmlessNames of x-sensitive in openapi/extensions.yaml if a log may contain it, otherwise mark it";
    check(isReviewed, schema, problem, remedy);
  }
}

function containsFreeText(schema: SourceLocation): boolean {
  const { target } = schema;
  const isRestricted = ["format", "pattern", "enum", "const"].some((keyword) => target.child(keyword).exists);
  if (target.texts("type").includes("string") && !isRestricted) return true;
  return (
    branchesOf(target).some(containsFreeText) ||
    (target.child("items").exists && containsFreeText(target.child("items")))
  );
}

function propertiesBesideCases(schema: SourceLocation): Set<string> {
  const otherSchemas = [schema.target, ...branchesOf(schema)].filter(({ id }) => id !== schema.id);
  const schemasBesideCases = otherSchemas.filter(({ key }) => !caseKeywords.includes(key));
  const ownNames = Object.keys(schema.child("properties").value ?? {});
  return new Set([...ownNames, ...schemasBesideCases.flatMap((other) => [...propertiesOf(other).keys()])]);
}

function propertiesIn(schema: SourceLocation, visitedIds: Set<string>): [string, SourceLocation][] {
  visitedIds.add(schema.id);
  const innerSchemas = subschemasOf(schema).filter(({ role }) => role !== "child");
  return [
    ...schema.child("properties").entries(),
    ...innerSchemas.flatMap(({ schema: other }) => propertiesIn(other, visitedIds)),
  ];
}

/** Visits the schemas of events and of all responses, except those under `if`, `not`, `contains` and `$defs`. */
function forEachSentSchema(
  { subjects, webhooks }: SourceContract,
  visit: (schema: SourceLocation, property: string) => void,
): void {
  const responses = subjects.flatMap((subject) => subject.responses.flatMap(({ bodies }) => bodies));
  const events = webhooks.flatMap(({ requestBody }) => requestBody?.bodies ?? []);
  for (const { location } of [...responses, ...events]) {
    const visitSchema = (schema: SourceLocation, { path }: { path: string[] }) => visit(schema, path.at(-1) ?? "");
    walkSchema(location.child("schema"), visitSchema, { includesConditions: false });
  }
}
