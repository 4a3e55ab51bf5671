/** The sample languages that the pages contain. The browser generates the other languages (snippets.ts). */
import { editionOf } from "../content/site.ts";
import { successesOf } from "../content/subjects.ts";
import { mockAddresses, sampleKey } from "./addresses.ts";
import { curlCommand } from "./curl.ts";
import { printingLine } from "./output.ts";
import type { SampleFile } from "./page-call.ts";
import { Expression, optionsCode } from "./print-code.ts";
import { callOf, type SampleRequest } from "./request.ts";

export type SampleLanguage = "curl" | "typescript";

export interface HandledCode {
  code: string;
  meaning: string;
}

export function snippetsOf(
  request: SampleRequest,
  handledCodes: readonly HandledCode[],
): Record<SampleLanguage, string> {
  return { curl: curlCommand(callOf(request)), typescript: clientCode(request, handledCodes) };
}

function clientCode(
  { operation, path, query, json, files, prefer }: SampleRequest,
  handledCodes: readonly HandledCode[],
): string {
  const options = optionsCode({
    path,
    query,
    body: files === undefined ? json : partsOf(files),
    headers: prefer && { Prefer: prefer },
  });
  const settings = [
    `  baseUrl: "${mockAddresses.base_url}",\n`,
    operation.address === "base_url" ? "" : `  depositBaseUrl: "${mockAddresses.deposit_base_url}",\n`,
    `  apiKey: "${sampleKey}",\n`,
    editionOf(operation) === "latest" ? "" : '  edition: "test",\n',
  ];
  const cases = handledCodes.map(({ code, meaning }) => `    case "${code}": // ${meaning}\n`).join("");
  const failureCode =
    handledCodes.length === 0
      ? "  console.error(error.message);"
      : `  switch (error.errorCode) {
${cases}      console.error(error.resolution);
      break;
    default:
      console.error(error.message);
  }`;
  const successes = successesOf(operation).flatMap(({ bodies }) => bodies);
  return `import { createPartnerClient } from "partner-wallet-api";

const wallet = createPartnerClient({
${settings.join("")}});

const { data, error } = await wallet.${operation.operationId}(${options});

if (error) {
${failureCode}
} else {
  ${printingLine(
    successes.map(({ schema }) => schema),
    "data",
  )}
}`;
}

/** The parts of a form. The expression for a file works in browsers and in Node. */
function partsOf(files: readonly SampleFile[]): Record<string, unknown> {
  const parts: Record<string, unknown> = {};
  for (const { part, isList, content, name, type } of files) {
    const [words, file] = [content, name].map((text) => JSON.stringify(text));
    const value = new Expression(`new File([${words}], ${file}, { type: ${JSON.stringify(type)} })`);
    parts[part] = isList ? [...((parts[part] as unknown[] | undefined) ?? []), value] : value;
  }
  return parts;
}
