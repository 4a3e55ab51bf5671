/** A snippet library writes the code. Imports, timeouts, multipart forms and printing of the status, which it omits, are added here. */
import { csharpHttpclient } from "@scalar/snippetz/plugins/csharp/httpclient";
import { goNative } from "@scalar/snippetz/plugins/go/native";
import { javaNethttp } from "@scalar/snippetz/plugins/java/nethttp";
import { phpCurl } from "@scalar/snippetz/plugins/php/curl";
import { pythonRequests } from "@scalar/snippetz/plugins/python/requests";
import { rubyNative } from "@scalar/snippetz/plugins/ruby/native";
import { boundary, listOf, losesDigits, textOf, timeoutSeconds } from "./call-body.ts";
import { type Edit, editCode } from "./edit-code.ts";
import type { PageCall } from "./page-call.ts";

export function python(call: PageCall): string {
  const code = editCode(writeSnippet(pythonRequests, call), [
    ...editsOfFiles(call, /open\("(.*?)", "rb"\)/g, (open, name, type) => `("${name}", ${open}, "${type}")`),
    // A JSON string is also a valid string literal in Python.
    ...editIf(losesDigits(call), [/json=.*(?=\n\)$)/s, `data=${JSON.stringify(call.text)}.encode()`]),
    [/\n?\)$/, `,\n    timeout=${timeoutSeconds}\n)`],
  ]);
  return `import requests\n\nresponse = ${code}\nprint(response.status_code, response.text)`;
}

export function php(call: PageCall): string {
  const fileTuples = listOf(call, ({ part, name, type }) => `['${part}', '${name}', '${type}']`);
  const form = `$body = '';
foreach ([${fileTuples}] as [$part, $name, $type]) {
  $body .= "--${boundary}\\r\\nContent-Disposition: form-data; name=\\"$part\\"; filename=\\"$name\\"\\r\\n"
    . "Content-Type: $type\\r\\n\\r\\n" . file_get_contents($name) . "\\r\\n";
}
$body .= "--${boundary}--\\r\\n";

`;
  // The library's PHP code supports only POST, and GET as the default.
  const method = /GET|POST/.test(call.method) ? "" : `curl_setopt($ch, CURLOPT_CUSTOMREQUEST, '${call.method}');\n`;
  // The library writes an array, in which PHP would replace `$` in the names of members. A nowdoc keeps `$`.
  const json = call.json === undefined ? "" : `$body = <<<'JSON'\n${textOf(call)}\nJSON;\n\n`;
  const code = editCode(writeSnippet(phpCurl, withBodyPlaceholder(call)), [
    [";\n\n", `;\n\ncurl_setopt($ch, CURLOPT_TIMEOUT, ${timeoutSeconds});\n${method}`],
    ...editIf(hasBody(call), [/(['"])BODY\1/, "$body"]),
    ["curl_close", 'echo "\\n", curl_getinfo($ch, CURLINFO_RESPONSE_CODE), "\\n";\ncurl_close'],
  ]);
  return `<?php\n${call.files ? form : json}${code}`;
}

export function java(call: PageCall): string {
  const fileTuples = listOf(call, ({ part, name, type }) => `{"${part}", "${name}", "${type}"}`);
  const form = `var body = new ByteArrayOutputStream();
for (String[] file : new String[][] {${fileTuples}}) {
    body.write(("--${boundary}\\r\\nContent-Disposition: form-data; name=\\"" + file[0] + "\\"; filename=\\"" + file[1]
        + "\\"\\r\\nContent-Type: " + file[2] + "\\r\\n\\r\\n").getBytes());
    body.write(Files.readAllBytes(Path.of(file[1])));
    body.write("\\r\\n".getBytes());
}
body.write("--${boundary}--\\r\\n".getBytes());
`;
  const body = () =>
    call.files ? "ofByteArray(body.toByteArray())" : `ofString(${jsonLiteral(call, '"""\n', '"""')})`;
  const code = editCode(writeSnippet(javaNethttp, withBodyPlaceholder(call)), [
    ["    .build();", `    .timeout(Duration.ofSeconds(${timeoutSeconds}))\n    .build();`],
    ["println(response.body())", 'println(response.statusCode() + " " + response.body())'],
    ...editIf(hasBody(call), ['ofString("BODY")', body]),
  ]);
  const imports = ["java.net.URI", "java.net.http.*", "java.time.Duration"].concat(
    call.files ? ["java.io.*", "java.nio.file.*"] : [],
  );
  return [
    ...imports.map((name) => `import ${name};`),
    "\npublic class Sample {\n    public static void main(String[] arguments) throws Exception {",
    ...`${call.files ? form : ""}${code}`.split("\n").map((line) => `        ${line}`),
    "    }\n}",
  ].join("\n");
}

export function go(call: PageCall): string {
  const fileTuples = listOf(call, ({ part, name, type }) => `{"${part}", "${name}", "${type}"}`);
  const form = `var form strings.Builder
	for _, file := range [][]string{${fileTuples}} {
		content, _ := os.ReadFile(file[1])
		fmt.Fprintf(&form, "--${boundary}\\r\\nContent-Disposition: form-data; name=%q; filename=%q\\r\\n", file[0], file[1])
		fmt.Fprintf(&form, "Content-Type: %s\\r\\n\\r\\n%s\\r\\n", file[2], content)
	}
	form.WriteString("--${boundary}--\\r\\n")
	payload := strings.NewReader(form.String())`;
  const body = () => (call.files ? form : `payload := strings.NewReader(${jsonLiteral(call, "`", "`")})`);
  const client = `client := http.Client{Timeout: ${timeoutSeconds} * time.Second}\n\tres, err := client`;
  return editCode(writeSnippet(goNative, withBodyPlaceholder(call)), [
    ...editIf(call.files !== undefined, ['"net/http"', '"net/http"\n\t"os"']),
    ["\n)", '\n\t"time"\n)'],
    ["res, _ := http.DefaultClient", client],
    ["\n\n\tdefer", "\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\n\tdefer"],
    ["fmt.Println(res)", "fmt.Println(res.Status)"],
    ...editIf(hasBody(call), ['payload := strings.NewReader("BODY")', body]),
  ]);
}

export function csharp(call: PageCall): string {
  const code = editCode(writeSnippet(csharpHttpclient, call), [
    ["new HttpClient()", `new HttpClient { Timeout = TimeSpan.FromSeconds(${timeoutSeconds}) }`],
    ...editsOfFiles(call, /new StreamContent\(File.OpenRead\("(.*?)"\)\)/g, (content, _name, type) => {
      return `${content} { Headers = { ContentType = new("${type}") } }`;
    }),
    ...editIf(losesDigits(call), [JSON.stringify(call.json, null, 2), textOf(call)]),
  ]);
  return `${code}\nConsole.WriteLine((int)response.StatusCode);\nConsole.WriteLine(await response.Content.ReadAsStringAsync());`;
}

export function ruby(call: PageCall): string {
  const fileTuples = listOf(call, ({ part, name, type }) => {
    return `['${part}', File.open('${name}'), { filename: '${name}', content_type: '${type}' }]`;
  });
  const form = call.files ? `request.set_form([${fileTuples}], 'multipart/form-data')\n` : "";
  const timeouts = `http.open_timeout = http.read_timeout = ${timeoutSeconds}\nhttp.max_retries = 0\n`;
  return editCode(writeSnippet(rubyNative, withBodyPlaceholder({ ...call, files: undefined })), [
    ["\nrequest = ", `${timeouts}\nrequest = `],
    ["response = ", `${form}response = `],
    ["puts response.read_body", "puts response.code, response.read_body"],
    ...editIf(call.json !== undefined, ['"BODY"', () => jsonLiteral(call, "<<~'JSON'\n", "\nJSON", "#")]),
  ]);
}

function editIf(condition: boolean, edit: Edit): Edit[] {
  return condition ? [edit] : [];
}

/** Adds the media type of each file to the code that opens the file. */
function editsOfFiles(
  { files }: PageCall,
  pattern: RegExp,
  withType: (code: string, name: string, type: string | undefined) => string,
): Edit[] {
  if (files === undefined) return [];
  const typeOf = (name: string) => files.find((file) => file.name === name)?.type;
  return [[pattern, (code, name = "") => withType(code, name, typeOf(name))]];
}

/**
 * The JSON body as a multi-line literal if possible; otherwise, such as for `{}` or a text with a backslash, as a single-line literal with
 * `specialCharacter` escaped.
 */
function jsonLiteral(call: PageCall, start: string, end: string, specialCharacter = ""): string {
  const json = textOf(call);
  if (/^\{\n.*\n\}$/s.test(json) && !/[\\`]|"""/.test(json)) return `${start}${json}${end}`;
  const literal = JSON.stringify(json);
  return specialCharacter === "" ? literal : literal.replaceAll(specialCharacter, `\\${specialCharacter}`);
}

function hasBody({ json, files }: PageCall): boolean {
  return json !== undefined || files !== undefined;
}

/** The call with the text `BODY` in place of its body, if any. The caller replaces `BODY` last, so that other edits do not change the body. */
function withBodyPlaceholder(call: PageCall): PageCall & { form?: string } {
  if (!hasBody(call)) return call;
  const form = call.files && { "content-type": `multipart/form-data; boundary=${boundary}` };
  return { ...call, headers: { ...call.headers, ...form }, json: undefined, files: undefined, form: "BODY" };
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
