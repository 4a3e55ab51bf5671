/** Time per call: on a loopback server, and on a `fetch` that answers at once. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { UsageError } from "../contract/usage-error.ts";
import { type Contender, type ContenderName, contenderNames, loadContenders } from "./contenders.ts";
import type { Answers } from "./loopback.ts";
import { table, timesWithin } from "./markdown.ts";
import { compareInTurns, type Ratio } from "./rounds.ts";
import { pathnameOf, type Sample } from "./samples.ts";

type MakeContenders = (baseUrl: string) => Promise<Record<ContenderName, Contender>>;

/** Measures every client on every sample, and returns the tables. */
export async function measureCalls(folder: string, samples: readonly Sample[]): Promise<string> {
  const make = await loadContenders(folder);
  const loopback = await onLoopback(make, samples);
  const stub = await onStub(make, samples);
  return `On a loopback server, in a process of its own:

${ratioTable(loopback, samples)}

On a \`fetch\` that answers at once, so that only the client's own work is left:

${ratioTable(stub, samples)}

Times as multiples of openapi-fetch in the same round: the median, and in brackets the middle half of the rounds.`;
}

type Ratios = Record<ContenderName, Ratio>[];

function ratioTable(ratios: Ratios, samples: readonly Sample[]): string {
  const rows = contenderNames.map((name) => [name, ...ratios.map((ratio) => timesWithin(ratio[name]))]);
  return table([["Client", ...samples.map(({ name }) => name)], ...rows]);
}

async function onLoopback(make: MakeContenders, samples: readonly Sample[]): Promise<Ratios> {
  const ratios: Ratios = [];
  for (const sample of samples) {
    const server = fork(fileURLToPath(new URL("loopback.ts", import.meta.url)));
    try {
      const answers: Answers = {
        [`${sample.operation.method.toUpperCase()} ${pathnameOf(sample)}`]: {
          status: sample.status,
          text: JSON.stringify(sample.answer),
        },
      };
      server.send(answers);
      const [port] = (await once(server, "message")) as [number];
      ratios.push(await compareOn(await make(`http://127.0.0.1:${port}`), sample, { rounds: 150, runs: 10 }));
    } finally {
      server.kill();
      await once(server, "exit");
    }
  }
  return ratios;
}

async function onStub(make: MakeContenders, samples: readonly Sample[]): Promise<Ratios> {
  const realFetch = globalThis.fetch;
  const ratios: Ratios = [];
  try {
    for (const { status, answer, ...sample } of samples) {
      const text = JSON.stringify(answer);
      globalThis.fetch = async () => new Response(text, { status, headers: { "content-type": "application/json" } });
      const contenders = await make("http://127.0.0.1:9");
      ratios.push(await compareOn(contenders, { ...sample, status, answer }, { rounds: 120, runs: 50 }));
    }
  } finally {
    globalThis.fetch = realFetch;
  }
  return ratios;
}

async function compareOn(
  contenders: Record<ContenderName, Contender>,
  sample: Sample,
  options: { rounds: number; runs: number },
): Promise<Record<ContenderName, Ratio>> {
  const calls = contenderNames.map((name) => [name, contenders[name](sample)] as const);
  for (const [name, call] of calls) checkAnswer(name, sample, await call());
  return compareInTurns(
    Object.fromEntries(calls) as Record<ContenderName, () => Promise<unknown>>,
    "openapi-fetch",
    options,
  );
}

/** A client that did not get the answer must not win by it. */
function checkAnswer(name: string, { operation, answer }: Sample, got: unknown): void {
  const isSame = JSON.stringify(got) === JSON.stringify(answer);
  const codeOf = (body: unknown) => (body as { errorCode?: string } | undefined)?.errorCode;
  if (isSame || (codeOf(answer) !== undefined && codeOf(got) === codeOf(answer))) return;
  throw new UsageError(`${name} did not get the documented answer of ${operation.operationId}.`);
}
