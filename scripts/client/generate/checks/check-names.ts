import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import ts from "typescript";
import { projectRoot } from "../../../base/index.ts";
import { readNames } from "../../../base/modules/index.ts";
import type { Contract, SourceLocation } from "../../../contract/model/index.ts";
import { typeName } from "../reading/facts.ts";
import { demand, Refusal } from "../reading/refusal.ts";
import { contractTypesPath } from "../writing/text.ts";

/** Texts of generated files by name. */
type Files = Readonly<Record<string, string>>;
type NamesByFile = ReadonlyMap<string, ReturnType<typeof readNames>>;

const rename = "Choose another name";

/** These names are not keywords, but a module must not declare them (ECMAScript, section 13.1.1). */
const namesForbiddenInModules = ["arguments", "eval"];

/** Names of the contract become identifiers in TypeScript. */
export function checkName(name: string, location: SourceLocation): void {
  const scanner = ts.createScanner(ts.ScriptTarget.ES2022, false, ts.LanguageVariant.Standard, name);
  const token = scanner.scan();
  const isKeyword = token >= ts.SyntaxKind.FirstKeyword;
  const isWord = (isKeyword || token === ts.SyntaxKind.Identifier) && scanner.getTokenEnd() === name.length;
  demand(isWord, location, `"${name}" cannot be a name in TypeScript`, "Use letters and digits");
  const isFree = !isKeyword && !namesForbiddenInModules.includes(name);
  demand(isFree, location, `The client names nothing "${name}", which has a meaning in TypeScript`, rename);
}

/**
 * Refuses a name of the contract that the client has for something else. The compiler would not notice all of them: `export *` leaves out a
 * name that another file of the entry exports too.
 */
export function checkNames(contract: Contract, files: Files): void {
  const namesByFile = new Map(Object.entries(files).map(([file, text]) => [file, readNames(file, text)]));
  checkExports(contract, namesByFile);
  for (const [file, { imports }] of namesByFile)
    checkDeclarations(file, [...imports.map(({ name }) => name), ...declaredNames(files[file] ?? "")], contract);
}

/** Each declaration of a generated file begins a line. */
export function declaredNames(generatedText: string): string[] {
  const declarations = generatedText.matchAll(
    /^(?:export )?(?:interface|type|const|function) ([\p{ID_Continue}$]+)/gmu,
  );
  return Array.from(declarations, ([, name = ""]) => name);
}

const entriesFolder = join(projectRoot, "scripts/client/src/entries");
const generatedFolder = join(projectRoot, "generated/client");

function checkExports({ root, operations }: Contract, namesByFile: NamesByFile): void {
  const filesByName = filesOfNames(namesByFile);
  const isFree = (name: string, ownFile: string) =>
    [...(filesByName.get(name) ?? [])].every((file) => file === join(generatedFolder, ownFile));
  for (const [name, schema] of root.child("components", "schemas").entries())
    demand(isFree(name, "types.ts"), schema, `The client has ${name} for itself`, `${rename} for the schema`);
  for (const { operationId: name, location } of operations)
    demand(isFree(name, "operations.ts"), location, `The client has ${name} for itself`, "Choose another operationId");
}

/** By name: the files that export it to partners, or from which generated files import it. */
function filesOfNames(namesByFile: NamesByFile): Map<string, Set<string>> {
  const filesByName = new Map<string, Set<string>>();
  const add = (name: string, file: string) => filesByName.set(name, (filesByName.get(name) ?? new Set()).add(file));
  const addExports = (path: string): void => {
    const isGenerated = path.startsWith(`${generatedFolder}/`);
    const names = isGenerated ? namesByFile.get(basename(path)) : readNames(path, readFileSync(path, "utf8"));
    for (const { name, from = "" } of names?.exports ?? [])
      if (name === "*") addExports(join(dirname(path), from));
      else add(name, path);
  };
  for (const entry of ["index.ts", "operations.ts"]) addExports(join(entriesFolder, entry));
  for (const { name, from } of [...namesByFile.values()].flatMap(({ imports }) => imports))
    if (from === contractTypesPath) add(name, from);
  for (const name of standardNames()) add(name, "lib.d.ts");
  return filesByName;
}

function checkDeclarations(file: string, declaredNames: readonly string[], contract: Contract): void {
  const names = new Set(standardNames());
  for (const name of declaredNames) {
    if (names.has(name)) {
      const problem = `generated/client/${file} would have two meanings of ${name}`;
      throw new Refusal(namedAfter(name, contract), problem, `${rename} for this or for the other`);
    }
    names.add(name);
  }
}

/** The schema or operation of this name, or the last operation with a type of this name, such as `BlockCardOptions`. */
function namedAfter(name: string, { root, operations }: Contract): SourceLocation {
  const schema = root.child("components", "schemas", name);
  const ownName = name.replace(/(Options|Data|Error|Result)$/, "");
  const operation = operations.findLast((other) => other.operationId === name || typeName(other) === ownName);
  return schema.exists ? schema : (operation?.location ?? root);
}

let globalNames: readonly string[] | undefined;

/** The generated files use some of the names of the language, such as Record. Parsing the library would take longer than all else here. */
function standardNames(): readonly string[] {
  if (globalNames !== undefined) return globalNames;
  const library = readFileSync(join(dirname(ts.sys.getExecutingFilePath()), "lib.es5.d.ts"), "utf8");
  const declarations = library.matchAll(/^(?:declare )?(?:var|function|interface|type|namespace) (\w+)/gm);
  globalNames = Array.from(declarations, ([, name = ""]) => name);
  return globalNames;
}
