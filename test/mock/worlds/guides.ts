/** Runs the guides' JavaScript programs in a world, and reports the guides whose programs stop or print something else. */
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { format } from "node:util";
import { transformSync } from "esbuild";
import * as payments from "partner-wallet-api/payments";
import type { Answers } from "../../../scripts/mock/answers/index.ts";
import { createMock, startMock } from "../../../scripts/mock/host/mock.ts";
import { readGuides } from "../../../scripts/site/content/guides.ts";
import {
  blockEnd,
  documentedPorts,
  outputPattern,
  type Program,
  programsOf,
  replacePorts,
  textOf,
} from "../../site/samples/guide-programs.ts";
import { plan } from "../../support/plan.ts";
import { withTakenPort } from "../../support/ports.ts";

const guides = readGuides().flatMap((guide) => {
  const programs = programsOf(guide).filter(({ language }) => language === "ts");
  return programs.length === 0 ? [] : [{ name: guide.name, programs }];
});

const programTimeoutMs = 10_000;
/** The factor by which the pauses of the programs are shortened. */
const speedup = 20;

type Run = (load: (name: string) => Promise<object>, console: object, process: object, wait: object) => Promise<void>;
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (...parts: string[]) => Run;

/** @returns the guides with problems: `stops` if a program throws or does not end, `other output` if the output differs from the guide. */
export async function findGuideProblems(answers: Answers): Promise<string[]> {
  const problems: string[] = [];
  const [folder, workingDirectory] = [mkdtempSync(join(tmpdir(), "guides-")), process.cwd()];
  process.chdir(folder);
  try {
    for (const { name, programs } of guides) {
      const problem = await problemOf(programs, answers);
      if (problem !== undefined) problems.push(`${name}: ${problem}`);
    }
  } finally {
    process.chdir(workingDirectory);
    rmSync(folder, { recursive: true });
  }
  return problems;
}

async function problemOf(programs: readonly Program[], answers: Answers): Promise<string | undefined> {
  const mock = await startMock(plan, { edition: "test", scenario: true, answers });
  const ports = [mock.url, mock.depositUrl].map((url) => new URL(url).port);
  ports.push(await withTakenPort(async (port) => String(port)));
  try {
    for (const program of programs) {
      const printedLines: string[] = [];
      const isEnded = await runProgram(
        replacePorts(textOf(program).text, documentedPorts, ports),
        answers,
        printedLines,
      );
      const outputs = replacePorts(printedLines.join("\n"), ports, documentedPorts).split(blockEnd);
      if (!isEnded) return "stops";
      const hasOtherOutput = ({ output }: Program["blocks"][number], index: number) =>
        output !== undefined && !outputPattern(output).test(outputs[index] ?? "");
      if (program.blocks.some(hasOtherOutput)) return "other output";
    }
    return undefined;
  } finally {
    await mock.close();
  }
}

async function runProgram(text: string, answers: Answers, printedLines: string[]): Promise<boolean> {
  const { code } = transformSync(text, { loader: "js", format: "esm" });
  const script = code.replace(
    /^import (?:(\{[^}]*\})|\* as (\w+)|(\w+)) from "([^"]+)";$/gm,
    (_, names: string | undefined, namespaceName, defaultName, module) => {
      const binding = names?.replaceAll(" as ", ": ") ?? namespaceName ?? `{ default: ${defaultName} }`;
      return `const ${binding} = await load("${module}");`;
    },
  );
  const modules: Record<string, object> = {
    "partner-wallet-api/mock": {
      createMock: (options: object) => createMock(plan, { ...options, answers }),
    },
    "partner-wallet-api/payments": {
      ...payments,
      createPayments: (options: payments.PaymentsOptions) =>
        payments.createPayments({
          ...options,
          ...(options.lookForMs && { lookForMs: options.lookForMs / speedup }),
        }),
    },
  };
  const load = async (name: string) => modules[name] ?? ((await import(name)) as object);
  const print = (...values: unknown[]) => void printedLines.push(format(...values));
  const setShortTimeout = (callback: () => void, milliseconds: number) => setTimeout(callback, milliseconds / speedup);
  const programProcess = Object.assign(Object.create(process), { argv: [] });
  const completion = new AsyncFunction("load", "console", "process", "setTimeout", script)(
    load,
    { log: print, error: print },
    programProcess,
    setShortTimeout,
  );
  const timeout = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), programTimeoutMs).unref());
  return await Promise.race([completion.then(() => true), timeout]).catch((error: unknown) => {
    printedLines.push(String(error));
    return false;
  });
}

/** Gives libsql to `createSqliteStore` on Node.js 20, which has no `node:sqlite`. */
const getBuiltinModule = process.getBuiltinModule;
process.getBuiltinModule = ((name: string) =>
  getBuiltinModule(name) ??
  (name === "node:sqlite"
    ? { DatabaseSync: createRequire(import.meta.url)("libsql") }
    : undefined)) as typeof getBuiltinModule;
