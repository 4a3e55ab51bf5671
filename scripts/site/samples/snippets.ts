/**
 * Samples in all languages, generated in the browser and, for the first call in the guides, by the build. The snippet library omits imports,
 * timeouts, multipart forms and the printing of the status; this file adds them.
 */
import { csharpHttpclient } from "@scalar/snippetz/plugins/csharp/httpclient";
import { goNative } from "@scalar/snippetz/plugins/go/native";
import { javaNethttp } from "@scalar/snippetz/plugins/java/nethttp";
import { phpCurl } from "@scalar/snippetz/plugins/php/curl";
import { pythonRequests } from "@scalar/snippetz/plugins/python/requests";
import { rubyNative } from "@scalar/snippetz/plugins/ruby/native";
import { visitTokens } from "../../client/src/reading/index.ts";
import { curlCommand } from "./curl.ts";
import type { PageCall, SampleFile } from "./page-call.ts";
import { readPath } from "./path-template.ts";
import { powershell } from "./powershell.ts";
import { printValue } from "./print-code.ts";

/** Makes the code of a call. @param original the sample in TypeScript, of which only the options of the call are changed. */
type MakeSnippet = (call: PageCall, original?: string) => string;

export const snippetLanguages: Record<string, MakeSnippet> = {
  curl: curlCommand,
  typescript,
  powershell: (call) => powershell(call, boundary, timeoutSeconds),
  javascript,
  python: (call) => {
    const code = writeSnippet(pythonRequests, call).replace(/open\("(.*?)", "rb"\)/g, (openCall, name) => {
      return `("${name}", ${openCall}, "${call.files?.find((file) => file.name === name)?.type}")`;
    });
    // A JSON string is also a valid string literal in Python.
    const exactCode = losesDigits(call)
      ? code.replace(/json=.*(?=\n\)$)/s, () => `data=${JSON.stringify(call.text)}.encode()`)
      : code;
    return `import requests\n\nresponse = ${exactCode.replace(/\n\)$/, `,\n    timeout=${timeoutSeconds}\n)`)}\nprint(response.status_code, response.text)`;
  },
  php: (call) => {
    const forms = listOf(call, ({ part, name, type }) => `['${part}', '${name}', '${type}']`);
    const body = `$body = '';
foreach ([${forms}] as [$part, $name, $type]) {
  $body .= "--${boundary}\\r\\nContent-Disposition: form-data; name=\\"$part\\"; filename=\\"$name\\"\\r\\n"
    . "Content-Type: $type\\r\\n\\r\\n" . file_get_contents($name) . "\\r\\n";
}
$body .= "--${boundary}--\\r\\n";

`;
    // The library's PHP code supports only POST, and GET as the default.
    const method = /GET|POST/.test(call.method) ? "" : `curl_setopt($ch, CURLOPT_CUSTOMREQUEST, '${call.method}');\n`;
    // In the array that the library writes, PHP would replace `$` in names.
    const json = call.json === undefined ? "" : `$body = <<<'JSON'\n${textOf(call)}\nJSON;\n\n`;
    const code = writeSnippet(phpCurl, json === "" ? withTextBody(call) : { ...call, json: undefined, form: "BODY" })
      .replace("curl_setopt", `curl_setopt($ch, CURLOPT_TIMEOUT, ${timeoutSeconds});\n${method}curl_setopt`)
      .replace(/(['"])BODY\1/, "$body")
      .replace("curl_close", 'echo "\\n", curl_getinfo($ch, CURLINFO_RESPONSE_CODE), "\\n";\ncurl_close');
    return `<?php\n${call.files ? body : json}${code}`;
  },
  java: (call) => {
    const forms = listOf(call, ({ part, name, type }) => `{"${part}", "${name}", "${type}"}`);
    const body = `var body = new ByteArrayOutputStream();
for (String[] file : new String[][] {${forms}}) {
    body.write(("--${boundary}\\r\\nContent-Disposition: form-data; name=\\"" + file[0] + "\\"; filename=\\"" + file[1]
        + "\\"\\r\\nContent-Type: " + file[2] + "\\r\\n\\r\\n").getBytes());
    body.write(Files.readAllBytes(Path.of(file[1])));
    body.write("\\r\\n".getBytes());
}
body.write("--${boundary}--\\r\\n".getBytes());
`;
    const code = writeSnippet(javaNethttp, withTextBody(call))
      .replace('ofString("BODY")', "ofByteArray(body.toByteArray())")
      .replace(escapedJsonLiteral, (text) => multilineLiteral(text, '"""\n', '"""'))
      .replace("    .build();", `    .timeout(Duration.ofSeconds(${timeoutSeconds}))\n    .build();`)
      .replace("println(response.body())", 'println(response.statusCode() + " " + response.body())');
    const imports = ["java.net.URI", "java.net.http.*", "java.time.Duration"].concat(
      call.files ? ["java.io.*", "java.nio.file.*"] : [],
    );
    return [
      ...imports.map((name) => `import ${name};`),
      "\npublic class Sample {\n    public static void main(String[] arguments) throws Exception {",
      ...`${call.files ? body : ""}${code}`.split("\n").map((line) => `        ${line}`),
      "    }\n}",
    ].join("\n");
  },
  go: (call) => {
    const forms = listOf(call, ({ part, name, type }) => `{"${part}", "${name}", "${type}"}`);
    const body = `var form strings.Builder
	for _, file := range [][]string{${forms}} {
		content, _ := os.ReadFile(file[1])
		fmt.Fprintf(&form, "--${boundary}\\r\\nContent-Disposition: form-data; name=%q; filename=%q\\r\\n", file[0], file[1])
		fmt.Fprintf(&form, "Content-Type: %s\\r\\n\\r\\n%s\\r\\n", file[2], content)
	}
	form.WriteString("--${boundary}--\\r\\n")
	payload := strings.NewReader(form.String())`;
    return writeSnippet(goNative, withTextBody(call))
      .replace('payload := strings.NewReader("BODY")', body)
      .replace(escapedJsonLiteral, (text) => multilineLiteral(text, "`", "`"))
      .replace('"net/http"', call.files ? '"net/http"\n\t"os"' : '"net/http"')
      .replace(/\n\)/, '\n\t"time"\n)')
      .replace(
        "res, _ := http.DefaultClient",
        `client := http.Client{Timeout: ${timeoutSeconds} * time.Second}\n\tres, err := client`,
      )
      .replace("\n\n\tdefer", "\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\n\tdefer")
      .replace("fmt.Println(res)", "fmt.Println(res.Status)");
  },
  csharp: (call) => {
    const code = writeSnippet(csharpHttpclient, call).replace(
      /new StreamContent\(File.OpenRead\("(.*?)"\)\)/g,
      (file, name) => {
        return `${file} { Headers = { ContentType = new("${call.files?.find((candidate) => candidate.name === name)?.type}") } }`;
      },
    );
    const exactCode = losesDigits(call) ? code.replace(JSON.stringify(call.json, null, 2), () => textOf(call)) : code;
    const codeWithTimeout = exactCode.replace(
      "new HttpClient()",
      `new HttpClient { Timeout = TimeSpan.FromSeconds(${timeoutSeconds}) }`,
    );
    return `${codeWithTimeout}\nConsole.WriteLine((int)response.StatusCode);\nConsole.WriteLine(await response.Content.ReadAsStringAsync());`;
  },
  ruby: (call) => {
    const forms = listOf(call, ({ part, name, type }) => {
      return `['${part}', File.open('${name}'), { filename: '${name}', content_type: '${type}' }]`;
    });
    const form = call.files ? `request.set_form([${forms}], 'multipart/form-data')\n` : "";
    return writeSnippet(rubyNative, { ...call, files: undefined })
      .replace(escapedJsonLiteral, (text) => multilineLiteral(text, "<<~'JSON'\n", "\nJSON", "#"))
      .replace(
        /\nrequest = /,
        `http.open_timeout = http.read_timeout = ${timeoutSeconds}\nhttp.max_retries = 0\n\nrequest = `,
      )
      .replace("response = ", `${form}response = `)
      .replace("puts response.read_body", "puts response.code, response.read_body");
  },
};

const timeoutSeconds = 30;

/** A JSON body as the library writes it for some languages: one line with escaped line breaks. */
const escapedJsonLiteral = /"\{\\n.*\\n\}"/;

/**
 * Makes a multi-line literal. If the body has characters that such a literal cannot contain, makes a single-line literal with `specialCharacter`
 * escaped.
 */
function multilineLiteral(text: string, start: string, end: string, specialCharacter = ""): string {
  const json = JSON.parse(text) as string;
  if (!/[\\`]|"""/.test(json)) return `${start}${json}${end}`;
  return specialCharacter === "" ? text : text.replaceAll(specialCharacter, `\\${specialCharacter}`);
}

function textOf({ text, json }: Pick<PageCall, "text" | "json">): string {
  return text ?? JSON.stringify(json, null, 2);
}

/** Whether parsing the edited body would change the value or the digits of a number. */
function losesDigits({ text = "" }: PageCall): boolean {
  let isLost = false;
  visitTokens(text, (firstCharacter, start, end) => {
    const token = text.slice(start, end);
    isLost = /[-\d]/.test(firstCharacter) && String(Number(token)) !== token;
    return isLost;
  });
  return isLost;
}

function javascript(call: PageCall): string {
  const { method, url, headers, json, text: editedText, files } = call;
  const form = (files ?? []).map(({ part, name, type }) => {
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
      ? ['import { readFile } from "node:fs/promises";\n', `const form = new FormData();\n${form.join("")}`]
      : []),
    `const response = await fetch("${url}", ${text});`,
    "console.log(response.status, await response.text());",
  ].join("\n");
}

/** The sample of the client with the options of an edited call. */
function typescript({ url, template = "", json, headers }: PageCall, original = ""): string {
  const [address = "", search = ""] = url.split("?");
  const callOptions: Record<string, object> = {
    path: readPath(template, address).values,
    query: Object.fromEntries(new URLSearchParams(search)),
    body: Object(json),
    headers: headers.Prefer === undefined ? {} : { Prefer: headers.Prefer },
  };
  const options = Object.entries(callOptions)
    .filter(([, value]) => Object.keys(value).length > 0)
    .map(([name, value]) => `  ${name}: ${printValue(value, 2, name.length + 2)},\n`);
  return original.replace(/(= await wallet\.\w+\()(?:\{\n.*?\n\})?(?=\);\n)/s, (_, start) => {
    return options.length === 0 ? start : `${start}{\n${options.join("")}}`;
  });
}

const boundary = "boundary-of-this-form";

/**
 * Returns the call with the text `BODY` instead of its files; without files, the call itself. The caller replaces `BODY` by a variable of the
 * generated code.
 */
function withTextBody(call: PageCall): PageCall & { form?: string } {
  if (call.files === undefined) return call;
  const headers = { ...call.headers, "content-type": `multipart/form-data; boundary=${boundary}` };
  return { ...call, headers, files: undefined, form: "BODY" };
}

function listOf({ files = [] }: PageCall, show: (file: SampleFile) => string): string {
  return files.map(show).join(", ");
}

function writeSnippet(
  plugin: { generate: typeof phpCurl.generate },
  { method, url, headers, json, text, files, form }: PageCall & { form?: string },
): string {
  const postData = files
    ? { mimeType: "multipart/form-data", params: files.map(({ part, name }) => ({ name: part, fileName: name })) }
    : json === undefined
      ? form && { mimeType: "text/plain", text: form }
      : { mimeType: "application/json", text: textOf({ text, json }) };
  const pairs = Object.entries(headers).map(([name, value]) => ({ name, value }));
  return plugin.generate({ method, url, headers: pairs, ...(postData && { postData }) }).trimEnd();
}
