import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** Debian installs each version of Postgres in a folder below this one. */
const distribution = "/usr/lib/postgresql";
const programFolder = [
  process.env.POSTGRES_BIN,
  ...(existsSync(distribution) ? readdirSync(distribution).map((version) => join(distribution, version, "bin")) : []),
  ...(process.env.PATH ?? "").split(delimiter),
].find((folder) => folder !== undefined && existsSync(join(folder, "initdb")));

export const skipsPostgres = programFolder === undefined && !process.env.CI;
if (skipsPostgres) {
  console.warn(
    "Tests with Postgres use PGlite only: there is no initdb on the PATH. Name its folder with POSTGRES_BIN.",
  );
}

export interface PostgresServer {
  readonly connection: { host: string; port: number; user: string; database: string };
  stop(): Promise<void>;
}

/** Postgres refuses to run as root, so the server of a test that runs as root runs as `nobody`. */
export async function startPostgres(): Promise<PostgresServer> {
  if (programFolder === undefined)
    throw new Error("There is no Postgres. Install it, or name its folder with POSTGRES_BIN.");
  const folder = mkdtempSync(join(tmpdir(), "pg-"));
  const idOfNobody = (flag: string) => Number(execFileSync("id", [flag, "nobody"]));
  const owner = process.getuid?.() === 0 ? { uid: idOfNobody("-u"), gid: idOfNobody("-g") } : {};
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const options = { ...owner, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C" } };
  const data = join(folder, "data");
  const init = ["-D", data, "-U", "test", "-A", "trust", "-E", "UTF8", "--no-sync"];
  execFileSync(join(programFolder, "initdb"), init, { ...options, stdio: "ignore" });
  const serverArguments = ["-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "max_connections=50"];
  const server = spawn(join(programFolder, "postgres"), serverArguments, {
    ...options,
    stdio: ["ignore", "ignore", "pipe"],
  });
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject);
    server.on("exit", () => reject(new Error("postgres ended.")));
    server.stderr.on("data", (text: Buffer) => text.includes("ready to accept connections") && resolve());
  });
  return {
    connection: { host: folder, port: 5432, user: "test", database: "postgres" },
    async stop() {
      // SIGTERM lets the sessions end. pool.end() does not wait for their end, and a pool reports a connection that SIGINT cuts as an error.
      server.kill("SIGTERM");
      const timer = setTimeout(() => server.kill("SIGINT"), 5000);
      if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
      clearTimeout(timer);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
