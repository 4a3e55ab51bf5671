import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startServer, withServers } from "../../scripts/bench/mock-server.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mock-server-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function programOf(name: string, text: string) {
  const file = join(folder, `${name}.cjs`);
  writeFileSync(file, text);
  return { name, file, hasState: false, argsFor: (port: number) => [String(port)] };
}

it("starts a server, tells its processor time, and ends it", async () => {
  const text = `require("node:http").createServer((request, response) => {
  console.log("x".repeat(1e6));
  response.writeHead(request.headers.key === "a" ? 200 : 500).end(String(process.pid));
}).listen(process.argv[2], "127.0.0.1");`;
  const start = startServer(programOf("server", text), "/", { key: "a" });
  const pid = await withServers([start], async ([server]) => {
    const { port, startedIn, cpu } = server as Awaited<typeof start>;
    expect(startedIn).toBeGreaterThan(10);
    const first = await cpu();
    const response = await fetch(`http://127.0.0.1:${port}`);
    const answer = await response.text();
    expect(await cpu()).toBeGreaterThan(first);
    return Number(answer);
  });
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

it("tells of a server that ends while it is used", async () => {
  const text = `require("node:http").createServer((request, response) => {
  if (request.url === "/end") throw new Error("a mistake");
  response.end();
}).listen(process.argv[2], "127.0.0.1");`;
  const used = withServers([startServer(programOf("mistaken", text), "/", {})], ([server]) =>
    fetch(`http://127.0.0.1:${server?.port}/end`),
  );
  await expect(used).rejects.toThrow(/^mistaken has ended \(1\)\.[\s\S]*a mistake/);
});

it("tells what a program printed that ends at once", async () => {
  const start = startServer(programOf("broken", 'throw new Error("no such option")'), "/", {});
  await expect(start).rejects.toThrow(/^broken has ended \(1\)\.[\s\S]*no such option/);
});
