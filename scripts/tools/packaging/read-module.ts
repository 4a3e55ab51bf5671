import ts from "typescript";
import { type ModuleName, readNames } from "../../base/modules/index.ts";
import { emitDeclarations } from "./emit-declarations.ts";

export interface ModuleDeclarations {
  /** The statements that declare a name: one, or several if declarations are merged. */
  readonly declarations: ReadonlyMap<string, readonly ts.Statement[]>;
  /** The names that the module has from another one, or has renamed. */
  readonly references: ReadonlyMap<string, ModuleName>;
  readonly exportedNames: readonly string[];
}

/** Reads the declarations of a module. @param text its TypeScript. Default: the text of the file. */
export function readModule(path: string, text?: string): ModuleDeclarations {
  const code = emitDeclarations(path, text);
  const { imports, exports } = readNames(path, code);
  const declarations = new Map<string, ts.Statement[]>();
  for (const statement of ts.createSourceFile(path, code, ts.ScriptTarget.ES2022, true).statements)
    for (const name of declaredNamesOf(statement))
      declarations.set(name, [...(declarations.get(name) ?? []), statement]);
  const reexports = exports.filter(({ name, originalName, from }) => from !== undefined || name !== originalName);
  const references = new Map([...imports, ...reexports].map((reference) => [reference.name, reference]));
  return { declarations, references, exportedNames: exports.map(({ name }) => name) };
}

function declaredNamesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => (name as ts.Identifier).text);
  const { name } = statement as ts.Statement & { name?: ts.Identifier };
  return name === undefined ? [] : [name.text];
}
