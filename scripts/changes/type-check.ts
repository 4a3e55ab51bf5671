/** Second witness: whether what partners wrote with the types of the earlier contract still compiles with those of the later one. */
import { readFileSync } from "node:fs";
import { generateTypes } from "../client/types.ts";
import { editionsOf, type OpenApiDocument, type OpenQuestions, projectRoot, readContract } from "../contract/index.ts";
import type { Change } from "./compare.ts";

/** Names that only stand in comments of the types. */
const noQuestions: OpenQuestions = new Proxy({}, { get: () => undefined });

const folder = `${projectRoot}/generated/compared`;

/**
 * Checks values of the earlier types where the later ones are wanted (what partners send), and the other way round (what they
 * receive), and with `keyof` that no name is gone.
 *
 * @param changes what is known already. A break that they have as well is not repeated.
 */
export async function typeChanges(
  before: OpenApiDocument,
  after: OpenApiDocument,
  changes: readonly Change[],
): Promise<Change[]> {
  const { lines, subjects } = assertions(before, after);
  const files = new Map([
    [`${folder}/old.ts`, await generateTypes(structuredClone(before), noQuestions)],
    [`${folder}/now.ts`, await generateTypes(structuredClone(after), noQuestions)],
    [`${folder}/check.ts`, lines.join("\n")],
  ]);
  const broken = new Map<string, string>();
  for (const { line, message } of await typeErrors(files)) broken.set(subjects[line] ?? "", message);
  const known = new Set(
    changes.filter(({ severity, proposed }) => severity === "breaking" || proposed).map(({ subject }) => subject),
  );
  const contract = readContract(before);
  return [...broken].flatMap(([subject, message]) => {
    if (known.has(subject)) return [];
    const found = [...contract.operations, ...contract.webhooks].find(({ name }) => name === subject);
    const { kind = "operation", provenance = "specification" } = found ?? {};
    const proposed = provenance === "proposed";
    return {
      ...{ id: `${subject || "schemas"} types`, severity: proposed ? "additive" : "breaking", proposed, subject, kind },
      ...{ element: "types", provenance, editions: editionsOf(provenance) },
      sentence: `types that programs use no longer fit: ${message} Compile your program again and correct it.`,
    };
  });
}

/** The lines of the check, and the operation or webhook that each is about. */
function assertions(before: OpenApiDocument, after: OpenApiDocument): { lines: string[]; subjects: string[] } {
  const [old, now] = [readContract(before), readContract(after)];
  const lines = [
    'import type * as Old from "./old.ts";',
    'import type * as Now from "./now.ts";',
    "type Gone<A, B> = [Exclude<keyof A, keyof B>] extends [never] ? unknown : Exclude<keyof A, keyof B>;",
    'export const schemas = (x: unknown): Gone<Old.components["schemas"], Now.components["schemas"]> => x;',
  ];
  const subjects = ["", "", "", ""];
  const check = (subject: string, from: string, to: string, type: string, keys: boolean) => {
    const wanted = keys ? `Gone<Old.${type}, Now.${type}>` : `${to}.${type}`;
    lines.push(`export const _${lines.length} = (x: ${keys ? "unknown" : `${from}.${type}`}): ${wanted} => x;`);
    subjects.push(subject);
  };
  for (const operation of old.operations) {
    const same = now.operations.find(({ name }) => name === operation.name);
    if (same === undefined) continue;
    const { name } = operation;
    const type = `operations["${name}"]`;
    check(name, "Old", "Now", `${type}["parameters"]`, false);
    const body = operation.requestBody?.bodies[0]?.mediaType;
    if (body !== undefined && same.requestBody?.bodies[0]?.mediaType === body) {
      const required = operation.requestBody?.required && same.requestBody?.required;
      const sent = `${type}["requestBody"]["content"]["${body}"]`;
      if (required) for (const keys of [false, true]) check(name, "Old", "Now", sent, keys);
    }
    for (const { key, status, bodies } of operation.answers) {
      const media = bodies[0]?.mediaType;
      const stays = same.answers.some((answer) => answer.key === key && answer.bodies[0]?.mediaType === media);
      if (!(status < 300) || media === undefined || !stays) continue;
      const received = `${type}["responses"]["${key}"]["content"]["${media}"]`;
      for (const keys of [false, true]) check(name, "Now", "Old", received, keys);
    }
  }
  for (const { name, method } of old.webhooks) {
    if (!now.webhooks.some((webhook) => webhook.name === name && webhook.method === method)) continue;
    const event = `webhooks["${name}"]["${method}"]["requestBody"]["content"]["application/json"]`;
    for (const keys of [false, true]) check(name, "Now", "Old", event, keys);
  }
  return { lines, subjects };
}

/** Checks the types of files that are in memory only; what they import of the client is read from the disk. */
async function typeErrors(files: ReadonlyMap<string, string>): Promise<{ line: number; message: string }[]> {
  const { default: ts } = await import("typescript");
  const { config } = ts.readConfigFile(`${projectRoot}/scripts/client/tsconfig.json`, (file) =>
    readFileSync(file, "utf8"),
  );
  const { options } = ts.parseJsonConfigFileContent(
    { ...config, include: [] },
    ts.sys,
    `${projectRoot}/scripts/client`,
  );
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, directoryExists } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.directoryExists = (path) => path === folder || (directoryExists?.(path) ?? true);
  host.getSourceFile = (file, version, ...rest) => {
    const text = files.get(file);
    return text === undefined ? getSourceFile(file, version, ...rest) : ts.createSourceFile(file, text, version);
  };
  const program = ts.createProgram(
    [`${folder}/check.ts`],
    { ...options, noEmit: true, declaration: false, isolatedDeclarations: false },
    host,
  );
  return program
    .getSemanticDiagnostics(program.getSourceFile(`${folder}/check.ts`))
    .map(({ file, start, messageText }) => ({
      line: file?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0,
      message: readable(ts.flattenDiagnosticMessageText(messageText, " ")),
    }));
}

/** A message of the compiler without the files, which are in memory only. */
function readable(message: string): string {
  const gone = /^Type 'unknown' is not assignable to type '(.*)'/.exec(message)?.[1];
  if (gone !== undefined) return `${gone.replaceAll('"', "`")} is gone.`;
  return message
    .replace(/import\("[^"]*"[^)]*\)\./g, "")
    .replace(/\s+/g, " ")
    .slice(0, 300);
}
