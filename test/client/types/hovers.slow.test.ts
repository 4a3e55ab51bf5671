/**
 * Compares what an editor shows for the client with `hovers.txt`, which is for reviewers.
 * `npx vitest run test/client/types/hovers.slow.test.ts -u` updates the file.
 */
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { type Edition, editions, projectRoot } from "../../../scripts/base/index.ts";
import { contractOf } from "../../support/contract.ts";
import { codesOf, makeTypePrograms } from "./type-programs.ts";

const hoverMark = "/*?*/";

const program = `
import { createPartnerClient, unwrap } from "partner-wallet-api";
import { createClient, createTransfer, type CreateTransferError } from "partner-wallet-api/operations";

const wallet = createPartnerClient();
const client = createClient();

export async function transfer() {
  const /*?*/result = await wallet./*?*/createTransfer({ /*?*/body: { destinationExternalUserId: "user-1042", /*?*/amount: "10.50", currency: "eur" } });
  const { /*?*/data, /*?*/error } = result;
  if (result.error === undefined) return result./*?*/data./*?*/transferId;
  switch (error?./*?*/errorCode) {
    case "P433": return error./*?*/errorCode;
    case "P464": return error./*?*/errorCode;
  }
  if (error?.documented) return /*?*/error;
  if (error?./*?*/outcome === "unknown") return error./*?*/kind;
  return /*?*/unwrap(await createTransfer(client, { body: { sourceExternalUserId: "user-1042", amount: 10, currency: "eur" }, /*?*/timeoutMs: 5_000 }));
}
export type Transfer = /*?*/CreateTransferError;
`;
const contracts = { latest: await contractOf("latest"), test: await contractOf("test") };
const typePrograms = makeTypePrograms(contracts.test);
// One language service for all programs, because parsing their imports takes most of the time.
const editor = openEditor({
  ...typePrograms,
  "program.ts": program,
  "completion.ts": `
import { createPartnerClient } from "partner-wallet-api";
const { error } = await createPartnerClient().createTransfer({ body: { sourceExternalUserId: "user-1042" } });
switch (error?.errorCode) { case "": }
`,
  "proposed.ts": `
import { createPartnerClient, type GetTransferDetailsData } from "partner-wallet-api";
import { createExchange } from "partner-wallet-api/operations";
import type { WebhookEvents } from "partner-wallet-api/webhooks";
const wallet = createPartnerClient({ edition: "test" });
export const functions = [wallet./*?*/createExchange, /*?*/createExchange];
export const reason = (event: WebhookEvents["sepaTransfer"]) => event.error?./*?*/description;
export type Data = /*?*/GetTransferDetailsData;
export type Event = WebhookEvents["/*?*/cardTransaction"];
`,
  "latest.ts": everyOperationProgram("latest"),
  "test.ts": everyOperationProgram("test"),
});
const hovers = editor.hoversIn("program.ts");

it("equals hovers.txt", async () => {
  expect(editor.problemsIn("program.ts")).toEqual([]);
  const snapshot = hovers.map(({ name, line, text }) => `##### ${name}   in   ${line}\n\n${text}\n`);
  await expect(snapshot.join("\n")).toMatchFileSnapshot("hovers.txt");
});

it("completes the codes of the catalogue after case", () => {
  const codes = contracts.test.errorCodes.map(({ code }) => code);
  expect(editor.completionsAfter("completion.ts", 'case "').sort()).toEqual(codes.sort());
});

describe.each(editions)("every operation of %s", (edition) => {
  const shownHovers = editor.hoversIn(`${edition}.ts`);

  it("fits on the screen", () => {
    expect(editor.problemsIn(`${edition}.ts`)).toEqual([]);
    for (const { name, text } of shownHovers) expect(heightOf(text), `${name}\n${text}`).toBeLessThanOrEqual(40);
  });

  it("hides the internals of the types", () => {
    for (const { text } of shownHovers) {
      // The client's functions may have conditional types, because a hover over a call shows the type that results.
      expect(text).not.toMatch(
        /\bextends\b.*\?|(?:operations|components|paths)\["|\["parameters"\]|@description|\{@link/,
      );
    }
  });

  it("lists its codes with their meaning, and its open questions", () => {
    for (const operation of contracts[edition].operations) {
      const hover = shownHovers.find(({ name }) => name === operation.operationId)?.text;
      for (const code of codesOf(operation)) {
        const { meaning } = contracts[edition].errorCodes.find((entry) => entry.code === code) ?? {};
        expect(hover).toContain(` ${code}: ${meaning}`);
      }
      for (const id of operation.openQuestions) expect(hover).toContain(`- ${id}: `);
    }
  });
});

it("begins with the word Proposed for a proposed operation", () => {
  const proposedText = "@experimental Proposed: to be confirmed before anyone relies on it.";
  const shownHovers = editor.hoversIn("test.ts");
  for (const { operationId, provenance } of contracts.test.operations) {
    const [, , thirdLine] = shownHovers.find(({ name }) => name === operationId)?.text.split("\n") ?? [];
    expect([operationId, thirdLine === proposedText]).toEqual([operationId, provenance === "proposed"]);
  }
  const proposedHovers = editor.hoversIn("proposed.ts");
  expect(proposedHovers.map(({ text }) => text.split("\n\n")[1])).toEqual(proposedHovers.map(() => proposedText));
});

it.each(Object.keys(typePrograms))("%s compiles in an editor", (file) => {
  expect(editor.problemsIn(file)).toEqual([]);
});

function everyOperationProgram(edition: Edition): string {
  const names = contracts[edition].operations.map(({ operationId }) => `  wallet./*?*/${operationId},`);
  return `
import { createPartnerClient } from "partner-wallet-api";
const wallet = createPartnerClient({ edition: "${edition}" });
export const all = [
${names.join("\n")}
];
`;
}

/** The height of a text in lines of 120 columns. */
function heightOf(text: string): number {
  return text.split("\n").reduce((height, line) => height + Math.max(1, Math.ceil(line.length / 120)), 0);
}

function shownText(info: ts.QuickInfo | undefined): string {
  const tags = (info?.tags ?? []).map(({ name, text }) => `@${name} ${textWithoutLinks(text)}`.trim());
  return [ts.displayPartsToString(info?.displayParts), textWithoutLinks(info?.documentation), tags.join("\n")]
    .filter((text) => text !== "")
    .join("\n\n");
}

function textWithoutLinks(parts: readonly ts.SymbolDisplayPart[] = []): string {
  return parts
    .filter(({ kind }, index) => kind !== "link" && !(kind === "linkName" && parts[index + 1]?.kind === "linkText"))
    .map(({ text }) => text)
    .join("");
}

function openEditor(programs: Record<string, string>) {
  const { config } = ts.readConfigFile(`${projectRoot}/tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: ["-"] }, ts.sys, projectRoot);
  const pathOf = (file: string) => `${projectRoot}/test/types/${file}`;
  const texts = new Map(Object.entries(programs).map(([file, text]) => [pathOf(file), text.replaceAll(hoverMark, "")]));
  const service = ts.createLanguageService({
    getScriptFileNames: () => [...texts.keys()],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const text = texts.get(path) ?? ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => projectRoot,
    getCompilationSettings: () => ({ ...options, noUnusedLocals: false }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => texts.has(path) || ts.sys.fileExists(path),
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  return {
    hoversIn: (file: string) => {
      const parts = (programs[file] ?? "").split(hoverMark);
      return parts.slice(1).map((rest, index) => {
        const textBefore = parts.slice(0, index + 1).join("");
        const line = `${textBefore.slice(textBefore.lastIndexOf("\n") + 1)}${rest}${parts.slice(index + 2).join("")}`;
        return {
          name: /^\w+/.exec(rest)?.[0] ?? "",
          line: line.replace(/\n.*/s, "").trim(),
          text: shownText(service.getQuickInfoAtPosition(pathOf(file), textBefore.length)),
        };
      });
    },
    completionsAfter: (file: string, precedingText: string) => {
      const position = (texts.get(pathOf(file)) ?? "").indexOf(precedingText) + precedingText.length;
      return service.getCompletionsAtPosition(pathOf(file), position, {})?.entries.map(({ name }) => name) ?? [];
    },
    problemsIn: (file: string) =>
      [...service.getSyntacticDiagnostics(pathOf(file)), ...service.getSemanticDiagnostics(pathOf(file))].map(
        ({ messageText, file: source, start = 0 }) => {
          const line = (source?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
          return `${file}:${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
        },
      ),
  };
}
