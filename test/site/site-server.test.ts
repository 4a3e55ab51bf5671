import { once } from "node:events";
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Site, serveSite } from "../../scripts/site/index.ts";
import { pagePolicy } from "../../scripts/site/server/policy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const page = `<!DOCTYPE html>${"<p>text</p>".repeat(200)}`;
const browserHeaders = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

const folder = temporaryFolder();
let site: Site;

/** Sends the request target unchanged; `fetch` would normalise it. */
async function sendRequest(path: string, headers: Record<string, string> = {}, method = "GET") {
  const { hostname, port } = new URL(site.url);
  const sentRequest = request({ hostname, port, path, method, headers, agent: false }).end();
  const [response] = (await once(sentRequest, "response")) as [IncomingMessage];
  const body = await buffer(response);
  return { status: response.statusCode, headers: response.headers, body, text: body.toString() };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

beforeAll(async () => {
  for (const path of ["index", "part/index", "part/operations/index"]) write(`docs/${path}.html`, page);
  write("docs/404.html", "none in the site");
  for (const type of ["yaml", "json", "md", "atom", "svg", "bin", "css"])
    write(`docs/part/file.${type}`, " ".repeat(2000));
  write("docs/tiny.txt", "tiny");
  write("secret.txt", "secret");
  write("docs-of-others/index.html", "secret");
  site = await serveSite({ folder: join(folder, "docs"), port: 0 });
});

afterAll(() => site.close());

test.each([
  ["/", "text/html; charset=utf-8"],
  ["/part/?a=b", "text/html; charset=utf-8"],
  ["http://docs.example/part/?a=b", "text/html; charset=utf-8"],
  ["/part/file.yaml", "application/yaml"],
  ["/part/file.json", "application/json"],
  ["/part/file.md", "text/markdown; charset=utf-8"],
  ["/part/file.atom", "application/atom+xml"],
  ["/part/file.css", "text/css; charset=utf-8"],
  ["/part/file.svg", "image/svg+xml; charset=utf-8"],
  ["/part/file.bin", "application/octet-stream"],
])("%s is served as %s, with the policy of the pages", async (path, contentType) => {
  const { status, headers, body } = await sendRequest(path);
  expect([status, headers["content-type"]]).toEqual([200, contentType]);
  expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
  expect(headers["content-security-policy"]).toBe(`${pagePolicy}; frame-ancestors 'none'`);
  expect(body.length).toBe(Number(headers["content-length"]));
  const head = await sendRequest(path, {}, "HEAD");
  expect([head.headers["content-length"], head.body.length]).toEqual([String(body.length), 0]);
});

test("the policy allows no inline code, and connections only to this computer or with TLS", () => {
  expect(pagePolicy).toContain("; connect-src 'self' https: http://127.0.0.1:* http://localhost:*;");
  expect(pagePolicy.replace(/connect-src [^;]*/g, "")).not.toMatch(/unsafe|http|\*/);
});

test.each<[path: string, accepted: string, coding: string | undefined]>([
  ["/part/", "gzip, deflate, br, zstd", "gzip"],
  ["/part/", "br;q=0, gzip;q=0", undefined],
  ["/part/", "", undefined],
  ["/part/file.json", "gzip", "gzip"],
  ["/tiny.txt", "gzip", undefined],
  ["/part/file.bin", "gzip", undefined],
])("%s is compressed by Accept-Encoding: %s", async (path, acceptedCodings, coding) => {
  const { headers, body } = await sendRequest(path, { "accept-encoding": acceptedCodings });
  expect(headers["content-encoding"]).toBe(coding);
  if (path === "/part/") expect((coding === undefined ? body : gunzipSync(body)).toString()).toBe(page);
});

describe("caching", () => {
  test("an ETag identifies the sent bytes, and gets 304", async () => {
    for (const acceptedCodings of ["gzip", ""]) {
      const firstResponse = await sendRequest("/part/", { "accept-encoding": acceptedCodings });
      const knownHeaders = { "accept-encoding": acceptedCodings, "if-none-match": firstResponse.headers.etag ?? "" };
      expect(await sendRequest("/part/", knownHeaders)).toMatchObject({
        status: 304,
        headers: { "cache-control": "no-cache" },
      });
    }
    expect((await sendRequest("/part/", { "if-none-match": '"other"' })).status).toBe(200);
  });

  test.each([
    ["assets/site.0123ABCD.css", "no-cache"],
    ["assets/site.MZXW6YTB.css", "public, max-age=31536000, immutable"],
    ["part/assets/search.MZXW6YTB.js", "public, max-age=31536000, immutable"],
    ["assets/site.css", "no-cache"],
    ["part/site.MZXW6YTB.css", "no-cache"],
  ])("%s: %s", async (path, cacheControl) => {
    expect((await sendRequest(`/${path}`)).headers["cache-control"]).toBe("no-cache");
    write(`docs/${path}`, "");
    expect((await sendRequest(`/${path}`)).headers["cache-control"]).toBe(cacheControl);
  });
});

test.each(["/nowhere", "/nowhere/else.html", "/404.html/"])("%s gets 404 with a page", async (path) => {
  const html = { "content-type": "text/html; charset=UTF-8" };
  expect(await sendRequest(path, browserHeaders)).toMatchObject({
    status: 404,
    text: "none in the site",
    headers: html,
  });
  for (const accept of ["*/*", "application/json"]) {
    expect(await sendRequest(path, { accept })).toMatchObject({
      status: 404,
      text: "Not found.\n",
      headers: { vary: expect.stringMatching(/^Accept\b/) },
    });
  }
  renameSync(join(folder, "docs/404.html"), join(folder, "docs/other.html"));
  expect(await sendRequest(path, browserHeaders)).toMatchObject({ status: 404, text: "Not found.\n" });
  renameSync(join(folder, "docs/other.html"), join(folder, "docs/404.html"));
});

test.each([
  ["/part?a=b", "part/?a=b"],
  ["/part/operations", "operations/"],
  ["//part", "part/"],
])("%s, a folder without the slash at its end, is redirected to %s", async (path, location) => {
  expect(await sendRequest(path)).toMatchObject({ status: 301, headers: { location } });
});

test.each(["POST", "PUT", "DELETE", "OPTIONS"])("%s is refused", async (method) => {
  expect(await sendRequest("/", {}, method)).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
});

test("rebuilt files are served without a restart, even with equal times", async () => {
  for (const text of ["1", "2", "[2, 3]"]) {
    write("docs/rebuilt.json", text);
    utimesSync(join(folder, "docs/rebuilt.json"), 1, 1);
    expect((await sendRequest("/rebuilt.json")).text).toBe(text);
  }
  rmSync(join(folder, "docs/rebuilt.json"));
  expect((await sendRequest("/rebuilt.json")).status).toBe(404);
});

test("a file is generated before it is read, by its path below the folder", async () => {
  const paths: string[] = [];
  const prepare = (path: string) => {
    paths.push(path);
    write("docs/made.txt", "made");
  };
  const preparedSite = await serveSite({ folder: join(folder, "docs"), port: 0, prepare });
  expect(await (await fetch(`${preparedSite.url}/made.txt`)).text()).toBe("made");
  await Promise.all(["/", "/part/"].map((path) => fetch(preparedSite.url + path)));
  expect(paths.sort()).toEqual(["index.html", "made.txt", "part/index.html"]);
  await preparedSite.close();
});

test.each([
  ...["/../secret.txt", "/part/../../secret.txt", "/..%2fsecret.txt", "/%2e%2e/secret.txt", "/%2e%2e%2fsecret.txt"],
  ...["/..%5csecret.txt", "/..\\secret.txt", "/../docs-of-others/", "/../docs-of-others"],
  ...["http://docs.example/../secret.txt", "/part%2findex.html", "/tiny.txt%00", "/index.html/", "/%", "//part/"],
  ...["/\\latest", "//etc/passwd", "http://[", `/${"a".repeat(5000)}`, "*"],
])("%s is not served", async (path) => {
  const { status, headers, text } = await sendRequest(path);
  expect([400, 404]).toContain(status);
  expect(headers.location).toBeUndefined();
  expect(text).not.toContain("secret");
});

test("tells the pages the addresses of a mock beside it", async () => {
  const mock = { base_url: "http://127.0.0.1:4110", deposit_base_url: "http://127.0.0.1:4111" };
  write("docs/whole.html", '<!doctype html><html lang="en"></html>');
  const siteWithMock = await serveSite({ folder: join(folder, "docs"), port: 0, mock: () => mock });
  const response = await fetch(`${siteWithMock.url}/whole.html`);
  expect(await response.text()).toBe(
    `<!doctype html><html data-base-url="${mock.base_url}" data-deposit-base-url="${mock.deposit_base_url}" lang="en"></html>`,
  );
  await siteWithMock.close();
});

test("a missing site, a port in use and an unusable host each give one clear message", async () => {
  const siteWithoutFolder = serveSite({ folder: join(folder, "nowhere"), port: 0 });
  await expect(siteWithoutFolder).rejects.toThrow(`There is no site in ${folder}/nowhere. Run "npm run build" first.`);
  const otherServer = createServer().listen(0, "127.0.0.1");
  await once(otherServer, "listening");
  const { port } = otherServer.address() as AddressInfo;
  const siteOnTakenPort = serveSite({ folder: join(folder, "docs"), port, portOption: "--docs-port" });
  await expect(siteOnTakenPort).rejects.toThrow(
    `Port ${port} is in use. Stop what listens there, or choose another port`,
  );
  await expect(siteOnTakenPort).rejects.toThrow("--docs-port");
  otherServer.close();
  const siteOnForeignHost = serveSite({ folder: join(folder, "docs"), port: 0, host: "192.0.2.1" });
  await expect(siteOnForeignHost).rejects.toThrow("192.0.2.1");
});

test("listens on loopback, and close() ends a connection with an unfinished request", async () => {
  const closingSite = await serveSite({ folder: join(folder, "docs"), port: 0 });
  const { hostname, port } = new URL(closingSite.url);
  expect(hostname).toBe("127.0.0.1");
  const socket = connect(Number(port), hostname);
  const socketEnd = once(socket, "close");
  await new Promise<void>((resolve) => socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n", () => resolve()));
  // When the server responds to this complete request on another connection, it has read the incomplete request.
  await fetch(closingSite.url);
  await closingSite.close();
  await socketEnd;
});
