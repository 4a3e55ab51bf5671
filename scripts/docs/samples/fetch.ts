/** Calls with `fetch` and nothing else, as whole ES modules that Node and browsers run as they stand. */
import type { Operation } from "../../contract/index.ts";
import { sampleKey } from "./constants.ts";
import type { Snippet } from "./index.ts";
import { printingLines } from "./output.ts";
import { printValue } from "./print-code.ts";
import { isText, type SampleRequest, urlOf } from "./request.ts";
import { fileExpression, type Provoked } from "./typescript.ts";

/** The program that makes the call, and prints what arrives or the code of the error. */
export function fetchSnippet(request: SampleRequest): Snippet {
  const { operation } = request;
  const schemas = successes(operation).flatMap(({ bodies }) => bodies.map(({ schema }) => schema));
  return toSnippet([
    ...requestLines(request),
    readingLine(operation),
    ...["", "if (response.ok) {", ...printingLines(schemas, "answer").map((line) => `  ${line}`), "} else {"],
    ...["  console.error(response.status, answer.errorCode ?? answer.errorMessage);", "}"],
  ]);
}

/** The program that makes the call, and recognises one code. */
export function provokingFetchSnippet(request: SampleRequest, { code, status, meaning }: Provoked): Snippet {
  const print = status < 300 ? "log" : "error";
  const condition =
    code === String(status)
      ? `response.status === ${status}`
      : `${status < 300 ? "" : "!response.ok && "}answer.errorCode === "${code}"`;
  return toSnippet([
    ...requestLines(request),
    readingLine(request.operation),
    ...["", `if (${condition}) {`, `  // ${meaning}`],
    ...[`  console.${print}(response.status, answer.errorMessage);`, "}"],
  ]);
}

function toSnippet(lines: string[]): Snippet {
  return { language: "fetch", label: "fetch", highlight: "typescript", code: lines.join("\n") };
}

/** A failure is JSON, also where a success is a page. */
function readingLine(operation: Operation): string {
  const isPage = successes(operation).some(({ bodies }) => bodies.some(({ mediaType }) => isText(mediaType)));
  return isPage
    ? "const answer = response.ok ? await response.text() : await response.json();"
    : "const answer = await response.json();";
}

function successes({ answers }: Operation) {
  return answers.filter(({ status }) => status < 300);
}

function requestLines(request: SampleRequest): string[] {
  const { operation, json, files, prefer } = request;
  const form = (files ?? []).map((file) => `form.append("${file.part}", ${fileExpression(file)});`);
  const headers = [
    `    "x-api-key": "${sampleKey}",`,
    ...(json === undefined ? [] : ['    "content-type": "application/json",']),
    ...(prefer === undefined ? [] : [`    Prefer: ${JSON.stringify(prefer)}, // for the mock`]),
  ];
  return [
    ...(files === undefined ? [] : ["const form = new FormData();", ...form, ""]),
    `const response = await fetch("${urlOf(request)}", {`,
    ...(operation.method === "get" ? [] : [`  method: "${operation.method.toUpperCase()}",`]),
    ...["  headers: {", ...headers, "  },"],
    ...(json === undefined ? [] : [`  body: JSON.stringify(${printValue(json, 2, 22)}),`]),
    ...(files === undefined ? [] : ["  body: form,"]),
    "});",
  ];
}
