import { csharpHttpclient } from "@scalar/snippetz/plugins/csharp/httpclient";
import { goNative } from "@scalar/snippetz/plugins/go/native";
import { javaNethttp } from "@scalar/snippetz/plugins/java/nethttp";
import { phpCurl } from "@scalar/snippetz/plugins/php/curl";
import { pythonRequests } from "@scalar/snippetz/plugins/python/requests";
import { rubyNative } from "@scalar/snippetz/plugins/ruby/native";
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { type JsonSchema, type OpenApiDocument, SourceLocation } from "../../scripts/contract/model/index.ts";
import { curlCommand } from "../../scripts/site/samples/curl.ts";
import { printingLine } from "../../scripts/site/samples/output.ts";
import { quoteForPowerShell } from "../../scripts/site/samples/powershell.ts";
import { Expression, printJson, printValue, quote } from "../../scripts/site/samples/print-code.ts";
import { snippetLanguages } from "../../scripts/site/samples/snippets.ts";
import "../support/property-seed.ts";
import { wordsOf } from "./samples/shell.ts";
import { smallDocument } from "./small-document.ts";

const awkwardTexts = [
  "it's",
  "''",
  '"$HOME"',
  "`date` $(date)",
  "back\\slash",
  "a & b; c | d > e",
  "!!",
  "*",
  "~",
  "-d",
  "é €",
];

it("quotes words for a shell", async () => {
  const anyLine = fc.string({ unit: fc.constantFrom(..."ab'\"\\$`!*~#&;|<>(){}[]? \t-=é€"), minLength: 1 });
  const texts = [...awkwardTexts, ...fc.sample(anyLine, 200)].filter((text) => text === text.trimEnd());
  const commands = texts.map((text) => `show ${quote(text)} ${quote(printJson({ text }))}`);
  expect(await wordsOf("show", commands)).toEqual(texts.map((text) => [text, printJson({ text })]));
});

it("quotes texts and JSON for PowerShell, where only a doubled quote stands for a quote", () => {
  const jsonBodyOf = (text: string) => {
    const call = { method: "POST", url: "", headers: {}, json: { text } };
    return /^ {2}Body = @'\n(.*?)\n'@$/ms.exec(snippetLanguages.powershell?.(call) ?? "")?.[1] ?? "";
  };
  const anyText = fc.string({ unit: fc.constantFrom(..."a'‘’‚‛\"$`@!%\\é€\n ") });
  fc.assert(
    fc.property(anyText, (text) => {
      const quotedText = quoteForPowerShell(text).replace(/^'(.*)'$/s, "$1");
      expect(quotedText.replace(/['‘’‚‛]{2}/g, ([sign]) => sign as string)).toBe(text);
      expect(quotedText.replace(/(['‘’‚‛])\1/g, "")).not.toMatch(/['‘’‚‛]/);
      expect(JSON.parse(jsonBodyOf(text))).toEqual({ text });
      expect(jsonBodyOf(text)).toMatch(/^[\x20-\x7e\n]*$/);
    }),
  );
});

it("prints values as literals", () => {
  const value = {
    awkward: awkwardTexts,
    "a key": null,
    nested: { list: [1.5, true, []], empty: {} },
    long: "x".repeat(90),
  };
  expect(new Function(`return ${printValue(value)};`)()).toEqual(value);
});

it("keeps expressions in values", () => {
  const file = new Expression('new File(["a few bytes"], "page-0.jpg")');
  expect(printValue({ file })).toBe('{ file: new File(["a few bytes"], "page-0.jpg") }');
});

it("breaks lines that are too long, and no others", () => {
  const list = (length: number) => ["x".repeat(length - '[ "" ]'.length)];
  expect([84, 85].map((length) => printValue(list(length)).includes("\n"))).toEqual([false, true]);
  expect([79, 80].map((length) => printValue(list(length), 2, 3).includes("\n"))).toEqual([false, true]);
  expect([72, 73].map((length) => printJson(list(length)).includes("\n"))).toEqual([false, true]);
});

const secretSchema = { type: "string", "x-sensitive": true };
const textSchema = { type: "string" };

it.each<[schema: object, line: string]>([
  [{ type: "object", properties: { a: textSchema } }, "console.log(data);"],
  [
    { type: "object", properties: { a: secretSchema, b: textSchema, c: textSchema, d: textSchema, e: textSchema } },
    "console.log(data.b, data.c, data.d);",
  ],
  [{ type: "object", properties: { a: secretSchema } }, 'console.log("Arrived:", Object.keys(data).join(", "));'],
  [
    { type: "array", items: { type: "object", properties: { a: secretSchema, b: textSchema } } },
    "for (const { b } of data) console.log(b);",
  ],
  [
    { type: "array", items: { type: "object", properties: { a: secretSchema } } },
    'console.log("Arrived:", data.length);',
  ],
  [secretSchema, 'console.log("Arrived:", data.length);'],
])("prints %j without sensitive values", (schema, line) => {
  const document: OpenApiDocument = { ...smallDocument(), components: { schemas: { It: schema as JsonSchema } } };
  const location = SourceLocation.ofDocument(document).child("components", "schemas", "It");
  expect(printingLine([location], "data")).toBe(line);
});

const [url, headers] = ["http://127.0.0.1:4010/v1/pots", { "x-api-key": "key-of-pots" }];
const file = { part: "pictures", isList: true, name: "front.png", type: "image/png", content: "a few bytes" };

it("adds to a curl command the method where it is not the default, and the files", () => {
  const call = { method: "GET", url, headers };
  const firstLineOf = (callMembers: Partial<typeof call & { json: object }>) =>
    curlCommand({ ...call, ...callMembers }).split(" \\\n")[0];
  expect(firstLineOf({})).toBe(`curl -i ${url}`);
  expect(firstLineOf({ method: "POST" })).toBe(`curl -i -X POST ${url}`);
  expect(firstLineOf({ method: "POST", json: {} })).toBe(`curl -i ${url}`);
  expect(firstLineOf({ method: "PATCH", json: {} })).toBe(`curl -i -X PATCH ${url}`);
  const form = curlCommand({ ...call, method: "POST", files: [file] });
  expect(form).toMatch(/^dir=\$\(mktemp -d\)\nprintf 'a few bytes' > "\$dir\/front.png"\ncurl -i http/);
  expect(form).toContain('-F "pictures=@$dir/front.png;type=image/png"');
});

// The sample of the client is excluded, because it is made by changing the options in the code of the page, which these tests lack.
const completeLanguages = Object.entries(snippetLanguages).filter(([name]) => name !== "typescript");

it.each(completeLanguages)("keeps the digits of numbers in an edited body in %s", (_, code) => {
  const text = '{ "amount": 125.50, "id": 12345678901234567890, "note": "a b" }';
  const snippet = code({ method: "POST", url, headers, json: JSON.parse(text), text });
  for (const digits of ["125.50", "12345678901234567890"]) expect(snippet).toContain(digits);
  const plainJson = '{ "amount": "125.50", "size": 3 }';
  expect(code({ method: "POST", url, headers, json: JSON.parse(plainJson), text: plainJson })).toContain("125.50");
});

it.each(completeLanguages)("prints the complete call in %s", (_, code) => {
  const getSnippet = code({ method: "GET", url, headers });
  expect(getSnippet).toContain("key-of-pots");
  expect(getSnippet).not.toMatch(/application\/json|multipart/);
  const json = { glaze: 'blue "sky"', size: 3 };
  const patchSnippet = code({
    method: "PATCH",
    url,
    headers: { ...headers, "content-type": "application/json" },
    json,
  });
  expect(patchSnippet).toMatch(/patch/i);
  expect(patchSnippet).toContain("glaze");
  expect(patchSnippet).toContain("application/json");
  const formSnippet = code({ method: "POST", url, headers, files: [file] });
  for (const word of ["pictures", "front.png", "image/png"]) expect(formSnippet).toContain(word);
});

const libraryPlugins = {
  python: pythonRequests,
  php: phpCurl,
  java: javaNethttp,
  go: goNative,
  csharp: csharpHttpclient,
  ruby: rubyNative,
};
const transferCall = { method: "POST", url: "http://127.0.0.1/transfers", headers: {} };

it.each(Object.entries(libraryPlugins))(
  "refuses code for %s that the snippet library writes otherwise",
  (name, plugin) => {
    const generate = vi.spyOn(plugin, "generate").mockReturnValue("send(request);");
    expect(() => snippetLanguages[name]?.({ ...transferCall, json: { amount: "1.00" } })).toThrow(
      /^@scalar\/snippetz did not write .* Adapt it to this code:\nsend\(request\);$/s,
    );
    generate.mockRestore();
  },
);

it.each(["java", "go", "ruby"])("leaves a body as it is that resembles the code of the sample: %s", (name) => {
  const reference = "println(response.body()) fmt.Println(res) puts response.read_body";
  expect(snippetLanguages[name]?.({ ...transferCall, json: { reference } })).toContain(`"reference": "${reference}"`);
});

it("has the timeout in the sample of a call without headers and body", () => {
  const codes = Object.keys(libraryPlugins).map((name) => snippetLanguages[name]?.({ ...transferCall, method: "GET" }));
  expect(codes.filter((code) => !/time_?out\D*30/i.test(code ?? ""))).toEqual([]);
});
