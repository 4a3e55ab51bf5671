/** The server of the site. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { UsageError } from "../../scripts/contract/index.ts";
import { type Site, serveSite } from "../../scripts/docs/index.ts";

const policy = "default-src 'none'; script-src 'sha256-x'";
let folder: string;
let site: Site;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "site-server-test-"));
  const root = join(folder, "docs");
  mkdirSync(join(root, "latest"), { recursive: true });
  writeFileSync(join(root, "index.html"), "index");
  writeFileSync(
    join(root, "latest/index.html"),
    `<meta http-equiv="Content-Security-Policy" content="${policy}">latest`,
  );
  writeFileSync(join(root, "latest/openapi.json"), "{}");
  writeFileSync(join(root, "latest/openapi.yaml"), "openapi: 3.1.1");
  writeFileSync(join(folder, "secret.txt"), "secret");
  mkdirSync(join(folder, "docs-of-others"));
  writeFileSync(join(folder, "docs-of-others/index.html"), "secret");
  site = await serveSite({ folder: root, port: 0 });
});

afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ["/", "text/html;charset=utf-8"],
  ["/index.html", "text/html;charset=utf-8"],
  ["/latest/", "text/html;charset=utf-8"],
  ["/latest/?a=b", "text/html;charset=utf-8"],
  ["/latest/openapi.json", "application/json"],
  ["/latest/openapi.yaml", "application/yaml; charset=utf-8"],
])("%s is served as %s", async (path, contentType) => {
  const response = await ask(path);
  expect(response.status).toBe(200);
  expect(response.headers["content-type"]).toBe(contentType);
  expect(response.headers["x-content-type-options"]).toBe("nosniff");
  expect(response.body.length).toBe(Number(response.headers["content-length"]));
});

test("a page comes with its own Content-Security-Policy, everything else with a closed one", async () => {
  expect((await ask("/latest/")).headers["content-security-policy"]).toBe(`${policy}; frame-ancestors 'none'`);
  for (const path of ["/latest/openapi.json", "/nowhere"]) {
    expect((await ask(path)).headers["content-security-policy"]).toBe("default-src 'none'; frame-ancestors 'none'");
  }
});

test("a folder without the slash at its end is redirected to the one with it", async () => {
  const response = await ask("/latest?a=b");
  expect(response.status).toBe(301);
  expect(response.headers.location).toBe("/latest/?a=b");
});

test.each(["//latest", "//latest/", "/\\latest"])(
  "%s is not redirected, which could lead to another host",
  async (path) => {
    expect((await ask(path)).headers.location).toBeUndefined();
  },
);

test("files that are built again are served without a restart", async () => {
  const file = join(folder, "docs/rebuilt.json");
  for (const text of ["1", "[2, 3]"]) {
    // As a build does: a file that grows while it is sent would be longer than its Content-Length.
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
    expect((await ask("/rebuilt.json")).body).toBe(text);
  }
  rmSync(file);
  expect((await ask("/rebuilt.json")).status).toBe(404);
});

test("HEAD gives the headers only", async () => {
  const response = await ask("/latest/openapi.json", "HEAD");
  expect(response).toMatchObject({ status: 200, body: "" });
  expect(response.headers["content-length"]).toBe("2");
});

test.each(["POST", "PUT", "DELETE", "OPTIONS"])("%s is refused", async (method) => {
  const response = await ask("/", method);
  expect(response.status).toBe(405);
  expect(response.headers.allow).toBe("GET, HEAD");
});

describe("the server goes on after", () => {
  afterEach(async () => {
    expect((await ask("/")).status).toBe(200);
  });

  test("a range that ends before it starts", async () => {
    const response = await ask("/index.html", "GET", { range: "bytes=3-1" });
    expect(response).toMatchObject({ status: 200, body: "index" });
  });

  // A socket has a path, and fails when it is read, like a file that a new build removes.
  test.each(["unreadable.html", "unreadable.yaml"])("a file that cannot be read: %s", async (name) => {
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(join(folder, "docs", name), resolve));
    await expect(ask(`/${name}`)).rejects.toThrow("socket hang up");
    await new Promise((resolve) => socket.close(resolve));
  });
});

describe("nothing outside of the folder is served", () => {
  test.each([
    "/nowhere",
    "/../secret.txt",
    "/latest/../../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/..%5csecret.txt",
    "/..\\secret.txt",
    "/../docs-of-others/",
    "/../docs-of-others/index.html",
    "/index.html%00.txt",
    "/index.html/",
    "/%",
    "//etc/passwd",
    "//127.0.0.1/",
    "http://127.0.0.1/index.html",
    "*",
  ])("%s", async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(404);
    expect(response.body).not.toContain("secret");
    expect(response.headers["content-type"]).toBe("text/plain; charset=utf-8");
  });
});

test("a missing site says how to make it", async () => {
  const missing = serveSite({ folder: join(folder, "nowhere"), port: 0 });
  await expect(missing).rejects.toThrow(UsageError);
  await expect(missing).rejects.toThrow("npm run build");
});

test("a port in use names the option that changes it", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const taken = serveSite({ folder: join(folder, "docs"), port, portOption: "--docs-port" });
  await expect(taken).rejects.toThrow(UsageError);
  await expect(taken).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use. Choose another one with --docs-port.`);
  await new Promise((resolve) => other.close(resolve));
});

test("it listens on loopback, and closing it ends a connection with an unfinished request", async () => {
  const other = await serveSite({ folder: join(folder, "docs"), port: 0 });
  const { hostname, port } = new URL(other.url);
  expect(hostname).toBe("127.0.0.1");
  const socket = connect(Number(port), hostname);
  const ended = new Promise((resolve) => socket.on("close", resolve));
  await new Promise<void>((resolve) => socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n", () => resolve()));
  // A whole request over another connection: by then the server has read the unfinished one.
  await fetch(other.url);
  await other.close();
  await ended;
});

test("a host that cannot be used is one clear message", async () => {
  await expect(serveSite({ folder: join(folder, "docs"), port: 0, host: "192.0.2.1" })).rejects.toThrow(UsageError);
});

interface TextResponse {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Sends the path exactly as it is; `fetch` would normalise it. */
function ask(path: string, method = "GET", headers: Record<string, string> = {}): Promise<TextResponse> {
  const { hostname, port } = new URL(site.url);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, method, headers }, async (response) => {
      let body = "";
      for await (const chunk of response) body += chunk;
      resolve({ status: response.statusCode, headers: response.headers, body });
    });
    asked.on("error", reject);
    asked.end();
  });
}
