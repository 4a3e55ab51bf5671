import { transform } from "esbuild";

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
