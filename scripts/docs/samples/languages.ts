/** Calls as code that can be copied: commands of curl for a POSIX shell, and whole ES modules that Node runs as they stand. */
import type { Operation, Place } from "../../contract/index.ts";
import { editionOf } from "../site/site.ts";
import { printingLines } from "./output.ts";
import { Expression, printJson, printValue, quote } from "./print-code.ts";
import { isPage, mockAddresses, type SampleFile, type SampleRequest, sampleKey, urlOf } from "./request.ts";

export type SampleLanguage = "curl" | "typescript" | "fetch";

/** Code that can be copied. */
export interface Snippet {
  language: SampleLanguage;
  /** "curl", "TypeScript client" or "fetch". */
  label: string;
  highlight: "bash" | "typescript";
  code: string;
}

/** What is sent over HTTP. */
type HttpCall = Pick<SampleRequest, "json" | "files" | "prefer"> & { method: string; url: string };

export function curlSnippet(request: SampleRequest): Snippet {
  const call = { ...request, method: request.operation.method, url: urlOf(request) };
  return { language: "curl", label: "curl", highlight: "bash", code: curlCommand(call) };
}

/** The command that makes the call. It prints status, headers and body. A file is in a folder of its own, so that none is overwritten. */
export function curlCommand({ method, url, json, files, prefer }: HttpCall): string {
  const usualMethod = json === undefined && files === undefined ? "get" : "post";
  const options = [
    header("x-api-key", sampleKey),
    ...(prefer === undefined ? [] : [header("Prefer", prefer)]),
    ...(json === undefined ? [] : [header("content-type", "application/json"), `-d ${quote(printJson(json))}`]),
    ...(files ?? []).map(({ part, name, type }) => `-F "${part}=@$dir/${name};type=${type}"`),
  ];
  const makeFiles = files?.map(({ name, content }) => `printf ${quote(content)} > "$dir/${name}"`) ?? [];
  const chosen = method === usualMethod ? "" : `-X ${method.toUpperCase()} `;
  return [
    ...(makeFiles.length === 0 ? [] : ["dir=$(mktemp -d)", ...makeFiles]),
    [`curl -i ${chosen}${quote(url)}`, ...options].join(" \\\n  "),
  ].join("\n");
}

function header(name: string, value: string): string {
  return `-H ${quote(`${name}: ${value}`)}`;
}

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

/**
 * A call in every language.
 *
 * @param about the codes that a program tells apart, where it prints what arrives; or the only code that it recognises.
 */
export function snippetsOf(request: SampleRequest, about: ToldCode[] | Provoked): Snippet[] {
  const [client, plain] = [
    [...callLines(request, about), "", ...clientLines(request.operation, about)],
    [...requestLines(request), "", ...fetchLines(request.operation, about)],
  ];
  return [
    curlSnippet(request),
    { language: "typescript", label: "TypeScript client", highlight: "typescript", code: client.join("\n") },
    { language: "fetch", label: "fetch", highlight: "typescript", code: plain.join("\n") },
  ];
}

/** A condition with what it leads to. */
function block(start: string, lines: string[], end = "}"): string[] {
  return [start, ...lines.map((line) => `  ${line}`), end];
}

/** A program that prints what arrives, or tells of a failure. */
function either(condition: string, lines: string[], others: string[]): string[] {
  return [...block(`if (${condition}) {`, lines, "} else {"), ...block("", others).slice(1)];
}

/** The call with the client. */
function callLines(request: SampleRequest, about: ToldCode[] | Provoked): string[] {
  const { operation, path, query, json, files, prefer } = request;
  const results = Array.isArray(about) ? "data, error" : about.status < 300 ? "data" : "error";
  const print = (name: string, value: unknown) => `${name}: ${printValue(value, 2, name.length + 2)},`;
  const body = files === undefined ? json : partsOf(files);
  const options = [
    ...(Object.keys(path).length > 0 ? [print("path", path)] : []),
    ...(Object.keys(query).length > 0 ? [print("query", query)] : []),
    ...(body === undefined ? [] : [print("body", body)]),
    ...(prefer === undefined ? [] : [`${print("headers", { Prefer: prefer })} // for the mock`]),
  ];
  const call = `const { ${results} } = await wallet.${operation.operationId}(`;
  const settings = [
    `baseUrl: "${mockAddresses.base_url}",`,
    ...(operation.address === "base_url" ? [] : [`depositBaseUrl: "${mockAddresses.deposit_base_url}",`]),
    `apiKey: "${sampleKey}",`,
    ...(editionOf(operation) === "latest" ? [] : ['edition: "test",']),
  ];
  return [
    'import { createPartnerClient } from "partner-wallet-api";',
    "",
    ...block("const wallet = createPartnerClient({", settings, "});"),
    "",
    ...(options.length === 0 ? [`${call});`] : block(`${call}{`, options, "});")),
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
function fileExpression({ content, name, type }: SampleFile): string {
  return `new File([${JSON.stringify(content)}], ${JSON.stringify(name)}, { type: ${JSON.stringify(type)} })`;
}

/** What the program with the client does with the result. */
function clientLines(operation: Operation, about: ToldCode[] | Provoked): string[] {
  if (Array.isArray(about)) {
    const cases = [
      ...about.map(({ code, meaning }) => `case "${code}": // ${meaning}`),
      ...["  console.error(error.resolution);", "  break;", "default:", "  console.error(error.message);"],
    ];
    const failed = about.length === 0 ? ["console.error(error.message);"] : block("switch (error.errorCode) {", cases);
    return either("error", failed, printingLines(successSchemas(operation), "data"));
  }
  const { code, status, meaning } = about;
  if (status < 300) {
    const print = "console.log(data.errorCode, data.errorMessage);";
    return block(`if (data && "errorCode" in data) {`, [`// ${code}: ${meaning}`, print]);
  }
  if (code === String(status)) {
    return block(`if (error?.status === ${status}) {`, [`// ${meaning}`, "console.error(error.message);"]);
  }
  const print = "console.error(error.message, error.resolution);";
  return block(`if (error?.errorCode === "${code}") {`, [`// ${meaning}`, print]);
}

/** What the program with `fetch` does with the response. */
function fetchLines(operation: Operation, about: ToldCode[] | Provoked): string[] {
  if (Array.isArray(about)) {
    const failed = ["console.error(response.status, answer.errorCode ?? answer.errorMessage);"];
    return either("response.ok", printingLines(successSchemas(operation), "answer"), failed);
  }
  const { code, status, meaning } = about;
  const isOfStatus = code === String(status);
  const ofCode = `${status < 300 ? "" : "!response.ok && "}answer.errorCode === "${code}"`;
  return block(`if (${isOfStatus ? `response.status === ${status}` : ofCode}) {`, [
    `// ${meaning}`,
    `console.${status < 300 ? "log" : "error"}(response.status, answer.errorMessage);`,
  ]);
}

function successSchemas({ answers }: Operation): Place[] {
  return answers.flatMap(({ status, bodies }) => (status < 300 ? bodies.map(({ schema }) => schema) : []));
}

/** The call with `fetch`, and the reading of the response. */
function requestLines(request: SampleRequest): string[] {
  const { operation, json, files, prefer } = request;
  const form = (files ?? []).map((file) => `form.append("${file.part}", ${fileExpression(file)});`);
  const headers = [
    `"x-api-key": "${sampleKey}",`,
    ...(json === undefined ? [] : ['"content-type": "application/json",']),
    ...(prefer === undefined ? [] : [`Prefer: ${JSON.stringify(prefer)}, // for the mock`]),
  ];
  const options = [
    ...(operation.method === "get" ? [] : [`method: "${operation.method.toUpperCase()}",`]),
    ...block("headers: {", headers, "},"),
    ...(json === undefined ? [] : [`body: JSON.stringify(${printValue(json, 2, 22)}),`]),
    ...(files === undefined ? [] : ["body: form,"]),
  ];
  return [
    ...(files === undefined ? [] : ["const form = new FormData();", ...form, ""]),
    ...block(`const response = await fetch("${urlOf(request)}", {`, options, "});"),
    // A failure is JSON, also where a success is a page.
    isPage(operation)
      ? "const answer = response.ok ? await response.text() : await response.json();"
      : "const answer = await response.json();",
  ];
}
