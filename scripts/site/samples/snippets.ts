/** Generated in the browser and, for the first call in the guides, by the build. */
import { losesDigits, timeoutSeconds } from "./call-body.ts";
import { curlCommand } from "./curl.ts";
import { csharp, go, java, php, python, ruby } from "./library-snippets.ts";
import type { PageCall } from "./page-call.ts";
import { readPath } from "./path-template.ts";
import { powershell } from "./powershell.ts";
import { optionsCode } from "./print-code.ts";

/** @param original the sample in TypeScript, of which only the options of the call are changed. */
type MakeSnippet = (call: PageCall, original?: string) => string;

export const snippetLanguages: Record<string, MakeSnippet> = {
  curl: curlCommand,
  typescript,
  powershell,
  javascript,
  python,
  php,
  java,
  go,
  csharp,
  ruby,
};

function javascript(call: PageCall): string {
  const { method, url, headers, json, text: editedText, files } = call;
  const formLines = (files ?? []).map(({ part, name, type }) => {
    return `form.append("${part}", new File([await readFile("${name}")], "${name}", { type: "${type}" }));\n`;
  });
  const options = { ...(method === "GET" ? {} : { method }), headers };
  const literal = losesDigits(call) ? JSON.stringify(editedText) : `JSON.stringify(${JSON.stringify(json, null, 2)})`;
  const body = files ? "form" : json === undefined ? "" : literal;
  const text = JSON.stringify({ ...options, signal: "SIGNAL", ...(body === "" ? {} : { body: "BODY" }) }, null, 2)
    .replace(/^(\s*)"(\w+)":/gm, "$1$2:")
    .replace('"SIGNAL"', `AbortSignal.timeout(${timeoutSeconds}_000)`)
    .replace('"BODY"', () => body.replaceAll("\n", "\n  "));
  return [
    ...(files
      ? ['import { readFile } from "node:fs/promises";\n', `const form = new FormData();\n${formLines.join("")}`]
      : []),
    `const response = await fetch("${url}", ${text});`,
    "console.log(response.status, await response.text());",
  ].join("\n");
}

function typescript({ url, template = "", json, headers }: PageCall, original = ""): string {
  const [address = "", search = ""] = url.split("?");
  const options = optionsCode({
    path: readPath(template, address).values,
    query: Object.fromEntries(new URLSearchParams(search)),
    body: Object(json),
    headers: headers.Prefer === undefined ? {} : { Prefer: headers.Prefer },
  });
  return original.replace(/(= await wallet\.\w+\()(?:\{\n.*?\n\})?(?=\);\n)/s, (_, start: string) => start + options);
}
