/** The guides' programs in JavaScript, run in a world: those whose output is no longer what the guide shows. */
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { format } from "node:util";
import { transformSync } from "esbuild";
import * as payments from "partner-wallet-api/payments";
import type { Answers } from "../../../scripts/mock/answers/index.ts";
import { createMock, startMock } from "../../../scripts/mock/host/mock.ts";
import { readGuides } from "../../../scripts/site/site/guides.ts";
import {
  blockEnd,
  documentedPorts,
  matching,
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

const limitMs = 10_000;
/** Pauses of the programs are this much shorter. */
const faster = 20;

type Run = (load: (name: string) => Promise<object>, console: object, process: object, wait: object) => Promise<void>;
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (...parts: string[]) => Run;

/** @returns `stops` for a guide whose programs throw or do not end, and `other output` for one that prints something else. */
export async function guideProblems(answers: Answers): Promise<string[]> {
  const problems: string[] = [];
  const [folder, before] = [mkdtempSync(join(tmpdir(), "guides-")), process.cwd()];
  process.chdir(folder);
  try {
    for (const { name, programs } of guides) {
      const problem = await problemOf(programs, answers);
      if (problem !== undefined) problems.push(`${name}: ${problem}`);
    }
  } finally {
    process.chdir(before);
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
      const printed: string[] = [];
      const isEnded = await runProgram(replacePorts(textOf(program).text, documentedPorts, ports), answers, printed);
      const outputs = replacePorts(printed.join("\n"), ports, documentedPorts).split(blockEnd);
      if (!isEnded) return "stops";
      const isOther = ({ output }: Program["blocks"][number], index: number) =>
        output !== undefined && !matching(output).test(outputs[index] ?? "");
      if (program.blocks.some(isOther)) return "other output";
    }
    return undefined;
  } finally {
    await mock.close();
  }
}

async function runProgram(text: string, answers: Answers, printed: string[]): Promise<boolean> {
  const { code } = transformSync(text, { loader: "js", format: "esm" });
  const script = code.replace(
    /^import (?:(\{[^}]*\})|\* as (\w+)|(\w+)) from "([^"]+)";$/gm,
    (_, names: string | undefined, all, usual, module) => {
      const bound = names?.replaceAll(" as ", ": ") ?? all ?? `{ default: ${usual} }`;
      return `const ${bound} = await load("${module}");`;
    },
  );
  const modules: Record<string, object> = {
    "partner-wallet-api/mock": {
      createMock: (options: object) => createMock(plan, { ...options, answers }),
    },
    "partner-wallet-api/payments": {
      ...payments,
      createPayments: (options: payments.PaymentsOptions) =>
        payments.createPayments({ ...options, ...(options.lookForMs && { lookForMs: options.lookForMs / faster }) }),
    },
  };
  const load = async (name: string) => modules[name] ?? ((await import(name)) as object);
  const print = (...values: unknown[]) => void printed.push(format(...values));
  const wait = (done: () => void, milliseconds: number) => setTimeout(done, milliseconds / faster);
  const own = Object.assign(Object.create(process), { argv: [] });
  const running = new AsyncFunction("load", "console", "process", "setTimeout", script)(
    load,
    { log: print, error: print },
    own,
    wait,
  );
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), limitMs).unref());
  return await Promise.race([running.then(() => true), late]).catch((error: unknown) => {
    printed.push(String(error));
    return false;
  });
}

/** On Node 20, which has no `node:sqlite`, libsql takes its place for `createSqliteStore`. */
const builtins = process.getBuiltinModule;
process.getBuiltinModule = ((name: string) =>
  builtins(name) ??
  (name === "node:sqlite" ? { DatabaseSync: createRequire(import.meta.url)("libsql") } : undefined)) as typeof builtins;
