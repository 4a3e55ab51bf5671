import ts from "typescript";
import { emitDeclarations } from "./emit-declarations.ts";

export interface ModuleDeclarations {
  /** The statements that declare a name: one, or several if declarations are merged. */
  readonly declarations: ReadonlyMap<string, readonly ts.Statement[]>;
  /** The names that the module has from another one, or has renamed. */
  readonly references: ReadonlyMap<string, Reference>;
  readonly exportedNames: ReadonlySet<string>;
}

/** @property originalName the name in the module `from`; `default` and `*` as in the language. */
export interface Reference {
  readonly from: string;
  readonly originalName: string;
}

/** Reads the declarations of a module. @param text its TypeScript. Default: that of the file. */
export function readModule(path: string, text?: string): ModuleDeclarations {
  const declarations = new Map<string, ts.Statement[]>();
  const references = new Map<string, Reference>();
  const exportedNames = new Set<string>();
  for (const statement of ts.createSourceFile(path, emitDeclarations(path, text), ts.ScriptTarget.ES2022, true)
    .statements) {
    if (ts.isImportDeclaration(statement)) {
      for (const [name, reference] of importsOf(statement)) references.set(name, reference);
    } else if (ts.isExportDeclaration(statement)) {
      for (const [name, reference] of reexportsOf(statement, path)) {
        exportedNames.add(name);
        if (reference.from !== path || reference.originalName !== name) references.set(name, reference);
      }
    } else {
      const names = declaredNamesOf(statement);
      for (const name of names) declarations.set(name, [...(declarations.get(name) ?? []), statement]);
      for (const name of exportedNamesOf(statement, names)) exportedNames.add(name);
    }
  }
  return { declarations, references, exportedNames };
}

function importsOf({ importClause, moduleSpecifier }: ts.ImportDeclaration): [name: string, reference: Reference][] {
  const from = textOf(moduleSpecifier);
  const { name, namedBindings } = importClause ?? {};
  return [
    ...(name === undefined ? [] : [[name.text, { from, originalName: "default" }] as [string, Reference]]),
    ...(namedBindings === undefined ? [] : namesIn(namedBindings, from)),
  ];
}

function reexportsOf(
  { exportClause, moduleSpecifier }: ts.ExportDeclaration,
  path: string,
): [name: string, reference: Reference][] {
  const from = moduleSpecifier === undefined ? path : textOf(moduleSpecifier);
  return exportClause === undefined ? [["*", { from, originalName: "*" }]] : namesIn(exportClause, from);
}

function namesIn(clause: ts.NamedImportBindings | ts.NamedExportBindings, from: string): [string, Reference][] {
  if (!("elements" in clause)) return [[clause.name.text, { from, originalName: "*" }]];
  return [...clause.elements].map(({ name, propertyName = name }) => [
    name.text,
    { from, originalName: propertyName.text },
  ]);
}

function textOf(specifier: ts.Expression): string {
  return (specifier as ts.StringLiteral).text;
}

function declaredNamesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => (name as ts.Identifier).text);
  const { name } = statement as ts.Statement & { name?: ts.Identifier };
  return name === undefined ? [] : [name.text];
}

function exportedNamesOf(statement: ts.Statement, declaredNames: readonly string[]): readonly string[] {
  const [exportWord, nextWord] = statement.getText().split(/\s/, 2);
  if (exportWord !== "export") return [];
  return nextWord === "default" ? ["default"] : declaredNames;
}
