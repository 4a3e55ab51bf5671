/** Writes the declarations of an entry point as one file, with nothing but what its exports need. */
import { join } from "node:path";
import ts from "typescript";
import { projectRoot, UsageError } from "../contract/index.ts";

/**
 * Declares what a source exports.
 *
 * @param entry path of the TypeScript source below the repository.
 * @returns the text of the declarations. It imports nothing, so that it needs no other file and no `@types/node`.
 * @throws {UsageError} when a source has an error, or two declarations that are needed have one name.
 */
export function rollTypes(entry: string): string {
  const { program, entryFile } = declarationsOf(entry);
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entryFile);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new UsageError(`${entry} has no declarations.`);
  const needed = new Map<string, { symbol: ts.Symbol; texts: string[] }>();
  const visit = (symbol: ts.Symbol, name: string): void => {
    const found = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const declarations = (found.declarations ?? []).filter(isOfProject);
    if (declarations.length === 0 || declarations.every((node) => !isTopLevel(node))) return;
    const known = needed.get(name);
    if (known?.symbol === found) return;
    if (known !== undefined || found.name !== name) {
      throw new UsageError(
        `The declarations of ${entry} need ${found.name} as ${name}, a name of another one. Rename it.`,
      );
    }
    const texts = declarations.map(textOf);
    needed.set(name, { symbol: found, texts });
    for (const node of declarations) visitNames(node);
  };
  const visitNames = (node: ts.Node): void => {
    if (ts.isImportTypeNode(node)) {
      throw new UsageError(
        `The declarations of ${entry} need ${node.getText()}. Write the type of what is exported there.`,
      );
    }
    if (ts.isIdentifier(node)) {
      const symbol = checker.getSymbolAtLocation(node);
      if (symbol !== undefined) visit(symbol, node.text);
    }
    ts.forEachChild(node, visitNames);
  };
  const exported = checker.getExportsOfModule(module);
  for (const symbol of exported) visit(symbol, symbol.name);
  const texts = [...needed.values()].flatMap(({ texts }) => texts);
  return `${texts.join("\n")}\nexport { ${exported.map(({ name }) => name).join(", ")} };\n`;
}

function isOfProject(node: ts.Declaration): boolean {
  return !node.getSourceFile().fileName.includes("/node_modules/");
}

function isTopLevel(node: ts.Node): boolean {
  return ts.isSourceFile(ts.isVariableDeclaration(node) ? node.parent.parent.parent : node.parent);
}

/** With its comment, without `export`. */
function textOf(declaration: ts.Declaration): string {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  const text = node.getSourceFile().text;
  const comment = text
    .slice(node.getFullStart(), node.getStart())
    .match(/\/\*\*(?:(?!\*\/).)*\*\/\s*$/s)?.[0]
    .trimEnd();
  const code = node.getText().replace(/^export /, "");
  const declared = /^(declare|interface|type)\b/.test(code) ? code : `declare ${code}`;
  return comment === undefined ? declared : `${comment}\n${declared}`;
}

/** A program of the declarations that the compiler makes of a source and of all that it imports. */
function declarationsOf(entry: string): { program: ts.Program; entryFile: string } {
  const source = join(projectRoot, entry);
  const { config } = ts.readConfigFile(`${projectRoot}/tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [source] }, ts.sys, projectRoot);
  const emitted = { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: projectRoot };
  const program = ts.createProgram([source], { ...emitted, outDir: "/declarations" });
  const files = new Map<string, string>();
  const { diagnostics } = program.emit(undefined, (path, text) => files.set(path, text));
  if (diagnostics.length > 0) throw new UsageError(`The mock cannot be compiled:\n${described(diagnostics)}`);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.directoryExists = () => true;
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.getSourceFile = (path, target) => {
    const text = host.readFile(path);
    return text === undefined ? undefined : ts.createSourceFile(path, text, target, true);
  };
  const entryFile = `/declarations/${entry.replace(/\.ts$/, ".d.ts")}`;
  return { program: ts.createProgram([entryFile], { ...options, types: [], noLib: true }, host), entryFile };
}

function described(problems: readonly ts.Diagnostic[]): string {
  return ts.formatDiagnostics(problems, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => projectRoot,
    getNewLine: () => "\n",
  });
}
