import { basename } from "node:path";
import { transform } from "esbuild";
import ts from "typescript";
import { projectRoot } from "../../../scripts/contract/model/index.ts";

export interface TypeProblem {
  module: string;
  /** Zero-based. */
  line: number;
  message: string;
}

export function typeProblems(modules: ReadonlyMap<string, string>, more: ts.CompilerOptions = {}): TypeProblem[] {
  const { config } = ts.readConfigFile(`${projectRoot}/tsconfig.json`, ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, projectRoot);
  const settings = { ...options, ...more };
  const texts = new Map([...modules].map(([name, code]) => [`${projectRoot}/test/docs/${name}`, code]));
  const host = ts.createCompilerHost(settings);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  host.getSourceFile = (file, languageVersion, ...others) => {
    const text = texts.get(file);
    if (text === undefined) return getSourceFile(file, languageVersion, ...others);
    return ts.createSourceFile(file, text, languageVersion, true);
  };
  const program = ts.createProgram([...texts.keys()], settings, host);
  return [...texts.keys()].flatMap((file) => {
    const source = program.getSourceFile(file) as ts.SourceFile;
    const diagnostics = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return diagnostics.map(({ start = 0, messageText }) => ({
      module: basename(file),
      line: source.getLineAndCharacterOfPosition(start).line,
      message: ts.flattenDiagnosticMessageText(messageText, "\n"),
    }));
  });
}

export interface ProgramEnvironment {
  modules: Record<string, object>;
  fetch: (...request: Parameters<typeof fetch>) => Promise<Response>;
  console: Pick<Console, "log" | "error">;
}

type Run = (load: (name: string) => object, fetch: unknown, console: unknown) => Promise<void>;

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (...parts: string[]) => Run;

export async function runProgram(code: string, { modules, fetch, console }: ProgramEnvironment): Promise<void> {
  const { code: script } = await transform(code, { loader: "ts", format: "esm" });
  const scriptWithLoads = script.replace(/^import (\{[^}]*\}) from "([^"]+)";$/gm, 'const $1 = load("$2");');
  const load = (name: string) => {
    const module = modules[name];
    if (module === undefined) throw new Error(`A sample imports ${name}.`);
    return module;
  };
  await new AsyncFunction("load", "fetch", "console", scriptWithLoads)(load, fetch, console);
}
