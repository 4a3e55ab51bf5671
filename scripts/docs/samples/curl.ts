/** Calls as commands of curl, for a POSIX shell. */

import { sampleKey } from "./constants.ts";
import type { Snippet } from "./index.ts";
import { printJson, quote } from "./print-code.ts";
import { type SampleRequest, urlOf } from "./request.ts";

/** The command that makes the call. It prints status, headers and body. */
export function curlSnippet(request: SampleRequest): Snippet {
  const { json, files = [] } = request;
  const options = [
    header("x-api-key", sampleKey),
    ...(request.prefer === undefined ? [] : [header("Prefer", request.prefer)]),
    ...(json === undefined ? [] : [header("content-type", "application/json"), `-d ${quote(printJson(json))}`]),
    ...files.map(({ part, name, type }) => `-F "${part}=@$dir/${name};type=${type}"`),
  ];
  const call = [`curl -i ${methodOf(request)}${quote(urlOf(request))}`, ...options].join(" \\\n  ");
  return { language: "curl", label: "curl", highlight: "bash", code: [...makeFiles(request), call].join("\n") };
}

function header(name: string, value: string): string {
  return `-H ${quote(`${name}: ${value}`)}`;
}

/** Nothing where it is the method that curl takes by itself. */
function methodOf({ operation, json, files }: SampleRequest): string {
  const own = json === undefined && files === undefined ? "get" : "post";
  return operation.method === own ? "" : `-X ${operation.method.toUpperCase()} `;
}

/** In a folder of their own, so that no file of the reader is overwritten. */
function makeFiles({ files = [] }: SampleRequest): string[] {
  if (files.length === 0) return [];
  return ["dir=$(mktemp -d)", ...files.map(({ name, content }) => `printf ${quote(content)} > "$dir/${name}"`)];
}
