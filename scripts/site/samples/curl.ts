import type { PageCall } from "./page-call.ts";
import { printJson, quote } from "./print-code.ts";

/** The files to upload are created in a temporary folder, so that the command does not overwrite files of the reader. */
export function curlCommand({ method, url, headers, json, text, files = [] }: PageCall): string {
  const usualMethod = json === undefined && files.length === 0 ? "GET" : "POST";
  const options = [
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(json === undefined ? [] : [`-d ${quote(text ?? printJson(json))}`]),
    ...files.map(({ part, name, type }) => `-F "${part}=@$dir/${name};type=${type}"`),
  ];
  const fileCommands = files.map(({ name, content }) => `printf ${quote(content)} > "$dir/${name}"`);
  const methodOption = method === usualMethod ? "" : `-X ${method} `;
  return [
    ...(fileCommands.length === 0 ? [] : ["dir=$(mktemp -d)", ...fileCommands]),
    [`curl -i ${methodOption}${quote(url)}`, ...options].join(" \\\n  "),
  ].join("\n");
}
