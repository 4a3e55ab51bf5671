import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Ablation } from "./ablations.ts";
import type { Flaws, Result } from "./model.ts";
import type { Case } from "./worlds.ts";

const explorerFolder = fileURLToPath(new URL(".", import.meta.url));
const root = join(explorerFolder, "../../../..");

const entryOf = (engine: string) => `
  import { PaymentEngine } from ${JSON.stringify(`${engine}/engine.ts`)};
  import { toPayment } from ${JSON.stringify(`${engine}/payment.ts`)};
  import { lookups } from ${JSON.stringify(`${engine}/../../../../generated/client/lookups.ts`)};
  import { explore } from ${JSON.stringify(`${explorerFolder}explore.ts`)};
  import { policyOf } from ${JSON.stringify(`${explorerFolder}policy.ts`)};
  import { subjectOf } from ${JSON.stringify(`${explorerFolder}subject.ts`)};
  const tested = { createEngine: (policy) => new PaymentEngine(lookups, policy), toPayment };
  process.on("message", ({ world, bounds, policy, flaws }) => {
    process.send(explore(subjectOf(tested, world, bounds, policyOf(policy), flaws), world, bounds));
  });
  process.on("disconnect", () => process.exit());`;

function replaceOnce(text: string, from: string, to: string): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`The source has ${parts.length - 1} times: ${from}`);
  return parts.join(to);
}

/** @returns the path of the bundle. */
async function bundle(
  folder: string,
  engine: string,
  { file, original = "", replacement = "", secondEdit }: Ablation,
): Promise<string> {
  const path = join(folder, "explorer.mjs");
  let isApplied = file === undefined;
  const { outputFiles } = await build({
    stdin: { contents: entryOf(engine), resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    logLevel: "silent",
    tsconfigRaw: {},
    plugins: [
      {
        name: "take out a rule",
        setup: ({ onLoad }) => {
          onLoad({ filter: /\.ts$/ }, ({ path: loadedPath }) => {
            if (file === undefined || !loadedPath.endsWith(`/${file}`)) return undefined;
            const source = readFileSync(loadedPath, "utf8");
            isApplied = true;
            const edits =
              secondEdit === undefined
                ? [[original, replacement] as const]
                : [[original, replacement] as const, secondEdit];
            return { contents: edits.reduce((text, edit) => replaceOnce(text, ...edit), source), loader: "ts" };
          });
        },
      },
    ],
  });
  if (!isApplied) throw new Error(`The engine has no file ${file}.`);
  writeFileSync(path, outputFiles[0]?.contents ?? "");
  return path;
}

/** The largest total heap of all child processes, in megabytes. */
const maxMegabytes = 1500;

interface Options {
  readonly ablation?: Ablation;
  readonly stopsAtFirstViolation?: boolean;
  /** The folder of the engine's sources. */
  readonly engine?: string;
  readonly onResult?: (result: CaseResult) => void;
}

export type CaseResult = Result & { readonly name: string };

export async function runCases(cases: readonly Case[], options: Options = {}): Promise<CaseResult[]> {
  const { ablation = { rule: "" }, stopsAtFirstViolation = false, onResult } = options;
  const { engine = join(root, "scripts/client/src/payments") } = options;
  const folder = mkdtempSync(join(tmpdir(), "explore-"));
  const results: CaseResult[] = [];
  const waitingCases = [...cases];
  const processCount = Math.min(2, cases.length);
  try {
    const path = await bundle(folder, engine, ablation);
    const runWaitingCases = async () => {
      const startChild = () =>
        fork(path, { execArgv: [`--max-old-space-size=${Math.floor(maxMegabytes / processCount)}`] });
      let child = startChild();
      for (let nextCase = waitingCases.shift(); nextCase !== undefined; nextCase = waitingCases.shift()) {
        const result = { name: nextCase.name, ...(await runCase(child, nextCase, ablation.flaws ?? {})) };
        results.push(result);
        onResult?.(result);
        if (stopsAtFirstViolation && result.violation !== undefined) waitingCases.length = 0;
        // A child process would keep the heap of a large case, which would slow down the next case.
        if (result.stateCount > 20_000 && waitingCases.length > 0) {
          child.disconnect();
          child = startChild();
        }
      }
      child.disconnect();
    };
    await Promise.all(Array.from({ length: processCount }, runWaitingCases));
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runCase(child: ChildProcess, exploredCase: Case, flaws: Flaws): Promise<Result> {
  return new Promise((resolve, reject) => {
    const rejectExit = (code: unknown) =>
      reject(new Error(`The explorer of "${exploredCase.name}" ended with ${code}.`));
    child.once("exit", rejectExit);
    child.once("message", (result) => {
      child.off("exit", rejectExit);
      resolve(result as Result);
    });
    child.send({ ...exploredCase, flaws });
  });
}
