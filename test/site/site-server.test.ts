/** The responses of the site's server. Its behaviour under load is in site-server-load.slow.test.ts. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pagePolicy } from "../../scripts/site/server/policy.ts";
import { type Site, serveSite } from "../../scripts/site/server/site-server.ts";
import { ask as askAt } from "./ask.ts";

const page = `<!DOCTYPE html>${"<p>text</p>".repeat(200)}`;
const html = "text/html; charset=utf-8";
const asBrowser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

let folder: string;
let site: Site;
const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  askAt(site.url, path, { headers, method });

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "site-server-test-"));
  for (const path of ["index", "part/index", "part/operations/index", "part/operations/getPot"])
    write(`docs/${path}.html`, page);
  const loose = "default-src 'none'; script-src 'sha256-x'";
  write("docs/part/posing.html", `<meta http-equiv="Content-Security-Policy" content="${loose}">`);
  write("docs/404.html", "none in the site");
  const others = ["yaml", "json", "md", "txt", "xml", "svg", "bin", "js", "css"];
  for (const type of others) write(`docs/part/file.${type}`, " ".repeat(2000));
  write("docs/tiny.txt", "tiny");
  write("docs/.hidden/file.txt", "secret");
  write("secret.txt", "secret");
  write("docs-of-others/index.html", "secret");
  symlinkSync(join(folder, "secret.txt"), join(folder, "docs/link.txt"));
  symlinkSync(join(folder, "docs-of-others"), join(folder, "docs/linked"));
  site = await serveSite({ folder: join(folder, "docs"), port: 0 });
});

afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ["/", html],
  ["/index.html", html],
  ["/part/?a=b", html],
  ["http://docs.example/part/?a=b", html],
  ["/part/operations/getPot.html", html],
  ["/part/file.yaml", "application/yaml"],
  ["/part/file.json", "application/json; charset=utf-8"],
  ["/part/file.md", "text/markdown; charset=utf-8"],
  ["/part/file.txt", "text/plain; charset=utf-8"],
  ["/part/file.css", "text/css; charset=utf-8"],
  ["/part/file.js", "text/javascript; charset=utf-8"],
  ["/part/file.xml", expect.stringMatching(/^(text|application)\/xml\b/)],
  ["/part/file.svg", expect.stringMatching(/^image\/svg\+xml\b/)],
  ["/part/file.bin", "application/octet-stream"],
])("%s is served as %s", async (path, contentType) => {
  const { status, headers, body } = await ask(path);
  expect([status, headers["content-type"]]).toEqual([200, contentType]);
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect(body.length).toBe(Number(headers["content-length"]));
  expect((await ask(path, {}, "HEAD")).headers).toMatchObject({ "content-length": String(body.length) });
  expect((await ask(path, {}, "HEAD")).body).toHaveLength(0);
});

describe("the Content-Security-Policy", () => {
  test("of a page allows nothing that is written into it, and no other host", async () => {
    const policy = String((await ask("/part/")).headers["content-security-policy"]);
    expect(policy).toBe(`${pagePolicy}; frame-ancestors 'none'`);
    // A sample is sent to this computer, or to an address with TLS.
    expect(policy).toContain("; connect-src 'self' https: http://127.0.0.1:* http://localhost:*;");
    expect(policy.replace(/connect-src [^;]*/g, "")).not.toMatch(/unsafe|http|\*/);
  });

  test("is the same for every page, whatever it holds", async () => {
    for (const path of ["/part/posing.html", "/nowhere", "/part/file.svg"]) {
      expect((await ask(path)).headers["content-security-policy"]).toBe(`${pagePolicy}; frame-ancestors 'none'`);
    }
  });
});

describe("compression", () => {
  test.each<[accepted: string, coding: "gzip" | undefined]>([
    ["gzip, deflate, br, zstd", "gzip"],
    ["*", "gzip"],
    ["br;q=0, gzip;q=0", undefined],
    ["identity", undefined],
    ["", undefined],
  ])("by Accept-Encoding: %s", async (accepted, coding) => {
    const { headers, body } = await ask("/part/", { "accept-encoding": accepted });
    expect(headers["content-encoding"]).toBe(coding);
    expect(headers.vary).toBe("Accept-Encoding");
    expect((coding === undefined ? body : gunzipSync(body)).toString()).toBe(page);
  });

  test.each(["/tiny.txt", "/part/file.bin"])("not of %s", async (path) => {
    const { headers } = await ask(path, { "accept-encoding": "br, gzip" });
    expect([headers["content-encoding"], headers.vary]).toEqual([undefined, undefined]);
  });
});

describe("caching", () => {
  test("an ETag names what is sent, and 304 answers it", async () => {
    for (const accepted of ["gzip", ""]) {
      const first = await ask("/part/", { "accept-encoding": accepted });
      const tag = first.headers.etag ?? "";
      expect(tag).toMatch(/^(W\/)?"[\w-]+"$/);
      for (const known of [tag, `"other", ${tag}`, "*"]) {
        const again = await ask("/part/", { "accept-encoding": accepted, "if-none-match": known });
        expect(again).toMatchObject({ status: 304, headers: { "cache-control": "no-cache" } });
        expect(again.headers["content-encoding"]).toBeUndefined();
        expect(again.body).toHaveLength(0);
      }
    }
    expect((await ask("/part/", { "if-none-match": '"other"' })).status).toBe(200);
  });

  test.each([
    ["assets/site.0123abcd.css", true],
    ["part/assets/search.MZXW6YTB.js", true],
    ["assets/site.css", false],
    ["assets/code-block.settings.js", false],
    ["part/site.0123abcd.css", false],
  ])("%s: for good is %s", async (path, isForGood) => {
    write(`docs/${path}`, "");
    const expected = isForGood ? "public, max-age=31536000, immutable" : "no-cache";
    expect((await ask(`/${path}`)).headers["cache-control"]).toBe(expected);
  });

  test.each(["/", "/part/file.json", "/nowhere", "/part"])("%s is asked for again", async (path) => {
    expect((await ask(path)).headers["cache-control"]).toBe("no-cache");
  });

  test("a Range is ignored, which is allowed", async () => {
    for (const range of ["bytes=0-3", "bytes=3-1", "bytes=99999-"]) {
      expect(await ask("/tiny.txt", { range })).toMatchObject({ status: 200, text: "tiny" });
    }
  });
});

test.each([
  ["/nowhere", "none in the site"],
  ["/nowhere/else.html", "none in the site"],
  ["/404.html/", "none in the site"],
  ["/operations/nothing.html", "none in the site"],
])("%s is not there, and a page says so", async (path, text) => {
  expect(await ask(path, asBrowser)).toMatchObject({ status: 404, text, headers: { "content-type": html } });
  for (const accept of ["*/*", "text/css,*/*;q=0.1", "application/json"]) {
    const { status, headers, text: plain } = await ask(path, { accept });
    expect([status, headers["content-type"], plain]).toEqual([404, "text/plain; charset=utf-8", "Not found.\n"]);
    expect(headers.vary).toMatch(/^Accept\b/);
  }
});

test.each([
  ["/part?a=b", "/part/?a=b"],
  ["/part/operations", "/part/operations/"],
  ["http://docs.example/part?a", "/part/?a"],
])("%s, a folder without the slash at its end, is redirected to %s", async (path, location) => {
  expect(await ask(path)).toMatchObject({ status: 301, headers: { location } });
});

test.each(["POST", "PUT", "DELETE", "OPTIONS"])("%s is refused", async (method) => {
  expect(await ask("/", {}, method)).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
});

test("files that are built again are served without a restart", async () => {
  const file = join(folder, "docs/rebuilt.json");
  for (const text of ["1", "2", "[2, 3]"]) {
    writeFileSync(`${file}.new`, text);
    // Even with equal modification times.
    utimesSync(`${file}.new`, 1, 1);
    renameSync(`${file}.new`, file);
    expect((await ask("/rebuilt.json")).text).toBe(text);
  }
  // File times may have a resolution of 10 ms.
  await setTimeout(20);
  writeFileSync(file, "[4, 5]");
  utimesSync(file, 1, 1);
  expect((await ask("/rebuilt.json")).text).toBe("[4, 5]");
  rmSync(file);
  expect((await ask("/rebuilt.json")).status).toBe(404);
});

describe("nothing else is served", () => {
  test.each([
    "/../secret.txt",
    "/part/../../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/..%5csecret.txt",
    "/..\\secret.txt",
    "/../docs-of-others/",
    "/../docs-of-others",
    "http://docs.example/../secret.txt",
    "/link.txt",
    "/linked/",
    "/linked",
    "/linked/index.html",
    "/.hidden/file.txt",
    "/part%2findex.html",
    "/part/./index.html",
    "/index.html%00.txt",
    "/tiny.txt%00",
    "/index.html/",
    "/%",
    "//part",
    "//part/",
    "/\\latest",
    "//etc/passwd",
    "//127.0.0.1/",
    "http://[",
    `/${"a".repeat(5000)}`,
    "*",
  ])("%s", async (path) => {
    const { status, headers, text } = await ask(path);
    expect(status).toBe(404);
    expect(headers.location).toBeUndefined();
    expect(text).not.toContain("secret");
  });
});
