import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const program = [
  process.env.REDIS_SERVER,
  ...(process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "redis-server")),
].find((file) => file !== undefined && existsSync(file));

export const skipsRedis = program === undefined && !process.env.CI;
if (skipsRedis) {
  console.warn("Tests with Redis are skipped: there is no redis-server on the PATH. Name it with REDIS_SERVER.");
}

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  stop(): Promise<void>;
}

export async function startRedis(...args: string[]): Promise<RedisServer> {
  if (program === undefined) throw new Error("There is no redis-server. Install it, or name it with REDIS_SERVER.");
  const folder = mkdtempSync(join(tmpdir(), "redis-"));
  const port = await findFreePort();
  const defaultArgs = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--dir",
    folder,
    "--save",
    "",
    "--appendonly",
    "no",
  ];
  const server = spawn(program, [...defaultArgs, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject);
    server.on("exit", () => reject(new Error("redis-server ended.")));
    server.stdout.on("data", (text: Buffer) => text.includes("Ready to accept connections") && resolve());
  });
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      server.kill();
      if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
