import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { projectRoot } from "../../scripts/base/index.ts";
import { type ProofReport, proofKinds } from "../../scripts/prove/index.ts";
import { plan } from "../support/plan.ts";

export type Change = readonly [replacedText: string, replacement: string];

export type Language = "ts" | "py";

/**
 * Replaces `fetch` in the programs, except for uploads: loading the `fetch` of Node.js takes much processor time, and a proof starts
 * dozens of processes.
 */
export const lightFetch = `import { request as sendRequest } from "node:http";
const fetch = (url, { body, ...options }) =>
  typeof body === "object"
    ? globalThis.fetch(url, { body, ...options })
    : new Promise((resolve, reject) => {
        const receive = (response) => {
          let text = "";
          const read = { text: async () => text, json: async () => JSON.parse(text) };
          const { statusCode: status } = response;
          response.setEncoding("utf8").on("data", (part) => (text += part)).once("error", reject);
          response.once("end", () => resolve({ status, ok: status >= 200 && status < 300, ...read }));
        };
        sendRequest(url, options, receive).once("error", reject).end(body);
      });
`;

export function writeProgram(
  name: string,
  language: Language,
  changes: readonly Change[],
  folder: string,
): readonly string[] {
  const text = changes.reduce(
    (program, [replacedText, replacement]) => {
      if (program.split(replacedText).length !== 2)
        throw new Error(`${name}.${language} must have this once: ${replacedText}`);
      return program.replace(replacedText, () => replacement);
    },
    readFileSync(`${projectRoot}/test/prove/corpus/${name}.${language}`, "utf8"),
  );
  const file = join(folder, language === "ts" ? "program.mjs" : "program.py");
  const code = () => transformSync(text, { loader: "ts", format: "esm" }).code;
  writeFileSync(file, language === "ts" ? `${text.includes("fetch(") ? lightFetch : ""}${code()}` : text);
  return [language === "ts" ? process.execPath : "python3", file];
}

export interface ProofSettings {
  readonly only?: string | undefined;
  readonly seed?: string;
  readonly answers?: readonly string[];
  readonly lateSeconds?: number;
  readonly limitSeconds?: number;
}

export async function proveProgram(
  kind: string,
  command: readonly string[],
  settings: ProofSettings = {},
): Promise<ProofReport> {
  const { only, answers, seed = "test", lateSeconds = 1, limitSeconds = 60 } = settings;
  const { prove } = proofKinds.find(({ name }) => name === kind) ?? { prove: () => Promise.reject(new Error(kind)) };
  return await prove(plan, {
    only,
    answers,
    seed,
    lateSeconds,
    signal: new AbortController().signal,
    parallel: 16,
    edition: "test",
    limitSeconds,
    command: kind === "receiver" ? command : [...command, "{csv}", "{state}"],
  });
}

export async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "prove-test-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `nobody` on most systems. */
const unprivilegedUser = 65_534;

/** File permissions do not apply to root. */
export async function withoutPrivileges<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(unprivilegedUser);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
