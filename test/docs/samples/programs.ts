/** Type-checks the programs of samples, and runs them in this process with what they import, print and fetch given to them. */
import { transform } from "esbuild";
import ts from "typescript";
import { projectRoot } from "../../../scripts/contract/index.ts";

/**
 * Type-checks ES modules in one program, as files of this project that exist in memory only.
 *
 * @param modules code by a name without a path.
 * @returns what the compiler finds, with the name of the module.
 */
export function typeProblems(modules: ReadonlyMap<string, string>): string[] {
  const { config } = ts.readConfigFile(`${projectRoot}/tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, projectRoot);
  const texts = new Map([...modules].map(([name, code]) => [`${projectRoot}/${name}.mts`, code]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => texts.has(file) || fileExists(file);
  host.readFile = (file) => texts.get(file) ?? readFile(file);
  host.getSourceFile = (file, settings, ...others) => {
    const text = texts.get(file);
    if (text === undefined) return getSourceFile(file, settings, ...others);
    return ts.createSourceFile(file, text, settings);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return [...texts.keys()].flatMap((file) => {
    const source = program.getSourceFile(file);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
  });
}

/** What a program is given in place of the real ones. */
export interface Surroundings {
  /** The modules that it imports, by specifier. */
  modules: Record<string, object>;
  fetch: (...request: Parameters<typeof fetch>) => Promise<Response>;
  console: Pick<Console, "log" | "error">;
}

type Run = (load: (name: string) => object, fetch: unknown, console: unknown) => Promise<void>;

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (...parts: string[]) => Run;

/** Runs an ES module to its end. */
export async function runProgram(code: string, { modules, fetch, console }: Surroundings): Promise<void> {
  const { code: script } = await transform(code, { loader: "ts", format: "esm" });
  const loading = script.replace(/^import (\{[^}]*\}) from "([^"]+)";$/gm, 'const $1 = load("$2");');
  const load = (name: string) => {
    const found = modules[name];
    if (found === undefined) throw new Error(`A sample imports ${name}.`);
    return found;
  };
  await new AsyncFunction("load", "fetch", "console", loading)(load, fetch, console);
}
