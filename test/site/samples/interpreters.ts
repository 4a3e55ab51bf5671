/** Runs samples in languages other than JavaScript, all samples of a language in one process. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

interface Interpreter {
  /** Reads a JSON list of programs from standard input, and prints a JSON list of their outputs. */
  command: [program: string, ...args: string[]];
  packages: string;
  probe: string[];
}

export const interpreters: Record<string, Interpreter> = {
  python: {
    command: [
      "python3",
      "-c",
      `import contextlib, io, json, sys, traceback
printed = []
for code in json.load(sys.stdin):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        try: exec(code, {})
        except Exception: print(traceback.format_exc())
    printed.append(text.getvalue())
print(json.dumps(printed))`,
    ],
    packages: "python3 python3-requests",
    probe: ["python3", "-c", "import requests"],
  },
  php: {
    command: [
      "php",
      "-r",
      `$printed = [];
foreach (json_decode(stream_get_contents(STDIN)) as $code) {
  ob_start();
  try { eval(substr($code, strlen('<?php'))); } catch (Throwable $error) { echo $error; }
  $printed[] = ob_get_clean();
}
echo json_encode($printed);`,
    ],
    packages: "php-cli php-curl",
    probe: ["php", "-r", "curl_init();"],
  },
  ruby: {
    command: [
      "ruby",
      "-rjson",
      "-rstringio",
      "-e",
      `printed = JSON.parse($stdin.read).map do |code|
  $stdout = StringIO.new
  begin; eval(code, TOPLEVEL_BINDING.dup); rescue StandardError => error; puts error.full_message; end
  $stdout.string
end
STDOUT.puts JSON.generate(printed)`,
    ],
    packages: "ruby",
    probe: ["ruby", "-e", "0"],
  },
};

export async function reasonNotToRun(language: string): Promise<string | undefined> {
  const { probe: [program = "", ...args] = [], packages } = interpreters[language] as Interpreter;
  return promisify(execFile)(program, args).then(
    () => undefined,
    () => `The ${language} samples were not run. They need: apt-get install ${packages}`,
  );
}

export async function outputOf(language: string, programs: readonly string[], cwd: string): Promise<string[]> {
  const [program, ...args] = (interpreters[language] as Interpreter).command;
  const runPromise = promisify(execFile)(program, args, { cwd, maxBuffer: 1e8, timeout: 60_000 });
  runPromise.child.stdin?.end(JSON.stringify(programs));
  return JSON.parse((await runPromise).stdout) as string[];
}
