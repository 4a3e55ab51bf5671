/** Calls with the TypeScript client, as whole ES modules. They hold no types, so that Node runs them as they stand. */
import type { Operation } from "../../contract/index.ts";
import { editionOf } from "../site/site.ts";
import { mockAddresses, sampleKey } from "./constants.ts";
import type { Snippet } from "./index.ts";
import { printingLines } from "./output.ts";
import { Expression, printValue } from "./print-code.ts";
import type { SampleFile, SampleRequest } from "./request.ts";

/** A P-code, or a status without one, that a sample is about. */
export interface Provoked {
  code: string;
  status: number;
  meaning: string;
}

/** A P-code that a sample tells apart from the others. */
export interface ToldCode {
  code: string;
  meaning: string;
}

/** The program that makes the call, and prints what arrives or what to do about the codes of this operation. */
export function clientSnippet(request: SampleRequest, codes: ToldCode[]): Snippet {
  return toSnippet([...callLines(request, "data, error"), "", ...resultLines(request.operation, codes)]);
}

/** The program that makes the call, and recognises one code. */
export function provokingClientSnippet(request: SampleRequest, provoked: Provoked): Snippet {
  if (provoked.status < 300) {
    return toSnippet([
      ...callLines(request, "data"),
      ...["", `if (data && "errorCode" in data) {`, `  // ${provoked.code}: ${provoked.meaning}`],
      ...["  console.log(data.errorCode, data.errorMessage);", "}"],
    ]);
  }
  const hasCode = provoked.code !== String(provoked.status);
  return toSnippet([
    ...callLines(request, "error"),
    ...["", hasCode ? `if (error?.errorCode === "${provoked.code}") {` : `if (error?.status === ${provoked.status}) {`],
    ...[`  // ${provoked.meaning}`, `  console.error(error.message${hasCode ? ", error.resolution" : ""});`, "}"],
  ]);
}

function toSnippet(lines: string[]): Snippet {
  return { language: "typescript", label: "TypeScript client", highlight: "typescript", code: lines.join("\n") };
}

function callLines(request: SampleRequest, results: string): string[] {
  const { operation } = request;
  const isOnDepositAddress = operation.address === "deposit_base_url";
  const options = optionLines(request);
  const call = `const { ${results} } = await wallet.${operation.operationId}(`;
  return [
    'import { createPartnerClient } from "partner-wallet-api";',
    "",
    "const wallet = createPartnerClient({",
    `  baseUrl: "${mockAddresses.base_url}",`,
    ...(isOnDepositAddress ? [`  depositBaseUrl: "${mockAddresses.deposit_base_url}",`] : []),
    `  apiKey: "${sampleKey}",`,
    ...(editionOf(operation) === "latest" ? [] : ['  edition: "test",']),
    "});",
    "",
    ...(options.length === 0 ? [`${call});`] : [`${call}{`, ...options, "});"]),
  ];
}

/** The options of the call, each on lines of its own. */
function optionLines({ path, query, json, files, prefer }: SampleRequest): string[] {
  const print = (name: string, value: unknown) => `  ${name}: ${printValue(value, 2, name.length + 2)},`;
  const body = files === undefined ? json : partsOf(files);
  return [
    ...(Object.keys(path).length > 0 ? [print("path", path)] : []),
    ...(Object.keys(query).length > 0 ? [print("query", query)] : []),
    ...(body === undefined ? [] : [print("body", body)]),
    ...(prefer === undefined ? [] : [`${print("headers", { Prefer: prefer })} // for the mock`]),
  ];
}

/** The parts of a form as the client takes them. */
function partsOf(files: SampleFile[]): Record<string, unknown> {
  const parts: Record<string, unknown> = {};
  for (const file of files) {
    const value = new Expression(fileExpression(file));
    const earlier = parts[file.part] as unknown[] | undefined;
    parts[file.part] = file.isList ? [...(earlier ?? []), value] : value;
  }
  return parts;
}

/** An expression for a file, known to browsers and Node alike. */
export function fileExpression({ content, name, type }: SampleFile): string {
  return `new File([${JSON.stringify(content)}], ${JSON.stringify(name)}, { type: ${JSON.stringify(type)} })`;
}

function resultLines(operation: Operation, codes: ToldCode[]): string[] {
  const schemas = operation.answers
    .filter(({ status }) => status < 300)
    .flatMap(({ bodies }) => bodies.map(({ schema }) => schema));
  const success = ["} else {", ...printingLines(schemas, "data").map((line) => `  ${line}`), "}"];
  if (codes.length === 0) return ["if (error) {", "  console.error(error.message);", ...success];
  return [
    ...["if (error) {", "  switch (error.errorCode) {"],
    ...codes.map(({ code, meaning }) => `    case "${code}": // ${meaning}`),
    ...["      console.error(error.resolution);", "      break;", "    default:"],
    ...["      console.error(error.message);", "  }", ...success],
  ];
}
