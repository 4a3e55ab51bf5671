import { dirname, join } from "node:path";
import ts from "typescript";
import { UsageError } from "../../base/index.ts";
import type { ModuleName } from "../../base/modules/index.ts";
import { compiledPathOf, distPathsOf, type Sources } from "./layout.ts";
import { type ModuleDeclarations, readModule } from "./read-module.ts";

/**
 * Writes the declarations of all modules that the exports of `entry` need as one file, for a folder of `dist/cjs/`. The others are left out,
 * because they may use types of `@types/node`. The types of `generated/client/` are imported, because the client publishes them.
 *
 * @throws {UsageError} if a name cannot be taken from its module, or has two meanings in that file.
 */
export function rollDeclarations(entry: string, sources: Sources = {}): string {
  return new Roll(entry, sources).text();
}

class Roll {
  readonly #entry: string;
  readonly #sources: Sources;
  readonly #modules = new Map<string, ModuleDeclarations>();
  /** The module that declares a name, by the name: in one file, no two modules can have it. */
  readonly #owners = new Map<string, string>();
  /** In the order in which they are written. */
  readonly #statements = new Set<ts.Statement>();
  readonly #imports: string[] = [];

  constructor(entry: string, sources: Sources) {
    this.#entry = entry;
    this.#sources = sources;
  }

  text(): string {
    const { exportedNames } = this.#moduleAt(this.#entry);
    for (const name of exportedNames) this.#addExport(this.#entry, name);
    const texts = [...this.#statements].map(textWithComment);
    return `${this.#imports.join("")}${texts.join("\n")}\nexport { ${[...new Set(exportedNames)].join(", ")} };\n`;
  }

  #addExport(path: string, name: string): void {
    const { declarations, references } = this.#moduleAt(path);
    if (!declarations.has(name) && !references.has(name))
      this.#refuse(`${name} of ${path}. Export it there by its name.`);
    this.#addName(path, name);
  }

  #addName(path: string, name: string): void {
    const { declarations, references } = this.#moduleAt(path);
    const reference = references.get(name);
    const statements = declarations.get(name);
    if (reference !== undefined) this.#addReference(path, reference);
    else if (statements !== undefined) this.#addDeclaration(path, name, statements);
    else this.#isNew(name, "the global scope");
  }

  #addReference(path: string, { name, originalName, from = path }: ModuleName): void {
    if (originalName !== name || originalName === "*" || !from.startsWith("."))
      this.#refuse(`${name} from ${from} in ${path}. Import it by its own name, from a file of this repository.`);
    const file = join(dirname(path), from);
    if (!file.startsWith("generated/client/")) this.#addExport(file, name);
    else if (this.#isNew(name, file)) this.#imports.push(importOf(file, name));
  }

  #addDeclaration(path: string, name: string, statements: readonly ts.Statement[]): void {
    if (!this.#isNew(name, path)) return;
    for (const statement of statements) this.#statements.add(statement);
    for (const otherName of statements.flatMap(referencedNames)) this.#addName(path, otherName);
  }

  #isNew(name: string, owner: string): boolean {
    const otherOwner = this.#owners.get(name);
    if (otherOwner !== undefined && otherOwner !== owner)
      this.#refuse(`${name} of ${otherOwner} and ${name} of ${owner}. Rename one.`);
    this.#owners.set(name, owner);
    return otherOwner === undefined;
  }

  #moduleAt(path: string): ModuleDeclarations {
    const module = this.#modules.get(path) ?? readModule(path, this.#sources[path]);
    this.#modules.set(path, module);
    return module;
  }

  #refuse(need: string): never {
    throw new UsageError(`The declarations of ${this.#entry} need ${need}`);
  }
}

function importOf(file: string, name: string): string {
  return `import type { ${name} } from "../${compiledPathOf(file, distPathsOf([file]), ".js")}";\n`;
}

function referencedNames(node: ts.Node): string[] {
  if (ts.isImportTypeNode(node))
    throw new UsageError(`${node.getText()} cannot be part of declarations. Import the type.`);
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  const typeParameters = children.filter(ts.isTypeParameterDeclaration).map(({ name }) => name.text);
  const nestedNames = children.flatMap(referencedNames).filter((name) => !typeParameters.includes(name));
  const reference = referenceIn(node);
  // Of `a.B`, the module declares or imports `a`.
  return reference === undefined ? nestedNames : [reference.getText().replace(/\..*$/s, ""), ...nestedNames];
}

function referenceIn(node: ts.Node): ts.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isTypeQueryNode(node)) return node.exprName;
  if (!ts.isExpressionWithTypeArguments(node) && !ts.isComputedPropertyName(node)) return undefined;
  const { expression } = node;
  return ts.isIdentifier(expression) || ts.isPropertyAccessExpression(expression) ? expression : undefined;
}

function textWithComment(statement: ts.Statement): string {
  const fileText = statement.getSourceFile().text;
  const comment = ts.getLeadingCommentRanges(fileText, statement.pos)?.at(-1);
  const code = statement.getText().replace(/^export /, "");
  return comment === undefined ? code : `${fileText.slice(comment.pos, comment.end)}\n${code}`;
}
