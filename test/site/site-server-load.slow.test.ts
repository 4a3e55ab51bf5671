/** The site's server under load, and its start and end. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { UsageError } from "../../scripts/contract/model/index.ts";
import { type Site, serveSite } from "../../scripts/site/server/site-server.ts";
import { ask } from "./ask.ts";

const megabyte = 1024 * 1024;
/** More than the buffers of a connection hold. */
const big = "big ".repeat(5 * megabyte);

let folder: string;
let site: Site;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "site-server-load-test-"));
  mkdirSync(join(folder, "docs"));
  writeFileSync(join(folder, "docs/index.html"), "index");
  writeFileSync(join(folder, "docs/big.txt"), big);
  site = await serveSite({ folder: join(folder, "docs"), port: 0 });
});

afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Requests the big file, but does not read it until the socket is resumed. */
async function askWithoutReading(): Promise<Socket> {
  const { hostname, port } = new URL(site.url);
  const socket = connect(Number(port), hostname);
  socket.write("GET /big.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  await new Promise((resolve) => socket.once("readable", resolve));
  return socket;
}

async function readAll(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe("the server goes on after", () => {
  afterEach(async () => {
    expect(await ask(site.url, "/")).toMatchObject({ status: 200, text: "index" });
  });

  test("many requests at once", async () => {
    const responses = await Promise.all(Array.from({ length: 300 }, () => ask(site.url, "/")));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(["200 index"]));
  });

  test("connections that are cut", async () => {
    const sockets = await Promise.all(Array.from({ length: 20 }, askWithoutReading));
    for (const socket of sockets) socket.resetAndDestroy();
  });

  test("a request with too many headers", async () => {
    expect(await ask(site.url, "/", { headers: { "x-long": "a".repeat(20_000) } })).toMatchObject({ status: 431 });
  });

  // A socket has a path but cannot be read.
  test("something that is no file", async () => {
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(join(folder, "docs/socket.html"), resolve));
    expect(await ask(site.url, "/socket.html")).toMatchObject({ status: 404 });
    await new Promise((resolve) => socket.close(resolve));
  });

  test("a file that cannot be read", async () => {
    const file = join(folder, "docs/huge.txt");
    writeFileSync(file, "");
    // A sparse file.
    truncateSync(file, 3 * 1024 * megabyte);
    const response = await ask(site.url, "/huge.txt");
    expect(response).toMatchObject({ status: 500, text: "The response failed: ERR_FS_FILE_TOO_LARGE.\n" });
    rmSync(file);
  });
});

describe("a site that is built again", () => {
  test("does not change a response that is being sent", async () => {
    const socket = await askWithoutReading();
    writeFileSync(join(folder, "docs/big.txt"), "small");
    expect((await ask(site.url, "/big.txt")).text).toBe("small");
    rmSync(join(folder, "docs/big.txt"));
    expect((await readAll(socket)).endsWith(`\r\n\r\n${big}`)).toBe(true);
    writeFileSync(join(folder, "docs/big.txt"), big);
  });

  test("is missed where it does not come back", async () => {
    renameSync(join(folder, "docs"), join(folder, "old"));
    expect(await ask(site.url, "/")).toMatchObject({ status: 503, text: expect.stringContaining("npm run build") });
    renameSync(join(folder, "old"), join(folder, "docs"));
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
  await expect(taken).rejects.toThrow(
    `Port ${port} is in use. Stop what listens there, or choose another port with --docs-port.`,
  );
  await new Promise((resolve) => other.close(resolve));
});

test("it listens on loopback, and closing it ends a connection with an unfinished request", async () => {
  const other = await serveSite({ folder: join(folder, "docs"), port: 0 });
  const { hostname, port } = new URL(other.url);
  expect(hostname).toBe("127.0.0.1");
  const socket = connect(Number(port), hostname);
  const ended = new Promise((resolve) => socket.on("close", resolve));
  await new Promise<void>((resolve) => socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n", () => resolve()));
  // A complete request on another connection: after it, the server has read the incomplete one.
  await fetch(other.url);
  await other.close();
  await ended;
});

test("a host that cannot be used is one clear message", async () => {
  await expect(serveSite({ folder: join(folder, "docs"), port: 0, host: "192.0.2.1" })).rejects.toThrow(UsageError);
});
