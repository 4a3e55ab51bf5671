import { dirname, join } from "node:path";
import ts from "typescript";
import { UsageError } from "../../base/index.ts";
import { compiledPathOf, distPathsOf, type Sources } from "./layout.ts";
import { type ModuleDeclarations, type Reference, readModule } from "./read-module.ts";

/**
 * Writes the declarations of all modules that the exports of `entry` need as one file, for a folder of `dist/cjs/`. The others are left out,
 * because they may use types of `@types/node`. The types of `generated/client/` are imported, because the client publishes them.
 *
 * @throws {UsageError} if a name cannot be taken from its module, or two modules declare it.
 */
export function rollDeclarations(entry: string, sources: Sources = {}): string {
  return new Roll(entry, sources).text();
}

class Roll {
  readonly #entry: string;
  readonly #sources: Sources;
  readonly #modules = new Map<string, ModuleDeclarations>();
  /** The needed declarations by name, in the order in which they are written. */
  readonly #declarations = new Map<string, readonly ts.Statement[]>();
  readonly #imports = new Set<string>();

  constructor(entry: string, sources: Sources) {
    this.#entry = entry;
    this.#sources = sources;
  }

  text(): string {
    const exportedNames = [...this.#moduleAt(this.#entry).exportedNames];
    for (const name of exportedNames) this.#addExport(this.#entry, name);
    const texts = [...this.#declarations.values()].flat().map(textWithComment);
    return `${[...this.#imports].join("")}${texts.join("\n")}\nexport { ${exportedNames.join(", ")} };\n`;
  }

  #addExport(path: string, name: string): void {
    const { declarations, references } = this.#moduleAt(path);
    if (!declarations.has(name) && !references.has(name))
      this.#refuse(`${name} of ${path}. Export it there by its name.`);
    this.#addName(path, name);
  }

  /** Adds what the name means in a module, unless it is a global type or a type parameter. */
  #addName(path: string, name: string): void {
    const { declarations, references } = this.#moduleAt(path);
    const reference = references.get(name);
    const statements = declarations.get(name);
    if (reference !== undefined) this.#addReference(path, name, reference);
    else if (statements !== undefined) this.#addDeclaration(path, name, statements);
  }

  #addReference(path: string, name: string, { from, originalName }: Reference): void {
    if (originalName !== name || originalName === "*" || !from.startsWith("."))
      this.#refuse(`${name} from ${from} in ${path}. Import it by its own name, from a file of this repository.`);
    const file = join(dirname(path), from);
    if (file.startsWith("generated/client/")) this.#imports.add(importOf(file, name));
    else this.#addExport(file, name);
  }

  #addDeclaration(path: string, name: string, statements: readonly ts.Statement[]): void {
    const addedStatements = this.#declarations.get(name);
    if (addedStatements === statements) return;
    if (addedStatements !== undefined) this.#refuse(`two types named ${name}. Rename one.`);
    this.#declarations.set(name, statements);
    for (const otherName of statements.flatMap(referencedNames)) this.#addName(path, otherName);
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
  const nestedNames: string[] = [];
  ts.forEachChild(node, (child) => {
    nestedNames.push(...referencedNames(child));
  });
  const reference = referenceIn(node);
  // Of `a.B`, the module declares or imports `a`.
  return reference === undefined ? nestedNames : [reference.getText().replace(/\..*$/s, ""), ...nestedNames];
}

function referenceIn(node: ts.Node): ts.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isTypeQueryNode(node)) return node.exprName;
  return ts.isExpressionWithTypeArguments(node) ? node.expression : undefined;
}

function textWithComment(statement: ts.Statement): string {
  const fileText = statement.getSourceFile().text;
  const comment = ts.getLeadingCommentRanges(fileText, statement.pos)?.at(-1);
  const code = statement.getText().replace(/^export /, "");
  return comment === undefined ? code : `${fileText.slice(comment.pos, comment.end)}\n${code}`;
}
