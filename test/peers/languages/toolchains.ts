/** The toolchains that build and run the programs of the quick starts, by folder of `openapi/guides/programs`. */
import { execFile, spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { promisify } from "node:util";
import { projectRoot } from "../../../scripts/base/index.ts";
import type { MockWorldControl } from "../../../scripts/mock/control/index.ts";

export type Command = readonly [program: string, ...args: string[]];

export interface Toolchain {
  /** Whether `.ci/system-packages` cannot install the toolchain, because Debian has no package of it. CI then does not need it. */
  readonly isOptional?: boolean;
  /** Commands that succeed if the dependencies are installed. The executable of the first that succeeds is passed to `commands`. */
  readonly probes: readonly Command[];
  readonly build?: { readonly command: Command; readonly env?: Readonly<Record<string, string>> };
  readonly commands: (folder: string, program: string) => Record<"wallet" | "payouts" | "receiver", Command>;
}

const jars = "/usr/share/java/gson.jar:/usr/share/java/sqlite-jdbc.jar";
const compiledCommands = (folder: string) => {
  const executable = `${folder}/partner`;
  return { wallet: [executable], payouts: [executable, "payouts"], receiver: [executable] } satisfies Record<
    string,
    Command
  >;
};

export const toolchains: Readonly<Record<string, Toolchain>> = {
  python: {
    // Debian installs Flask for /usr/bin/python3, which may not be the first Python in the PATH.
    probes: ["python3", "/usr/bin/python3"].map((program) => [program, "-c", "import flask, sqlite3"]),
    commands: (folder, program) => ({
      wallet: [program, `${folder}/wallet.py`],
      payouts: [program, `${folder}/payouts.py`],
      receiver: [program, `${folder}/receiver.py`],
    }),
  },
  php: {
    probes: [["php", "-r", "curl_version(); bcadd('1', '1'); new PDO('sqlite::memory:');"]],
    commands: (folder) => ({
      wallet: ["php", `${folder}/wallet.php`],
      payouts: ["php", `${folder}/payouts.php`],
      receiver: ["php", `${folder}/receiver.php`],
    }),
  },
  java: {
    probes: [["javac", "-d", "/tmp", "-cp", jars, "--version"]],
    build: {
      command: [
        "sh",
        "-c",
        `ls ${jars.replaceAll(":", " ")} && javac -Xlint:all -Werror -cp ${jars} -d classes *.java`,
      ],
    },
    commands: (folder) => {
      const java = (name: string): Command => [
        "java",
        // These two options suit programs that run for less than a second.
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        `${jars}:${folder}/classes`,
        name,
      ];
      return { wallet: java("Wallet"), payouts: java("Payouts"), receiver: java("Receiver") };
    },
  },
  go: {
    probes: [["sh", "-c", "go version && ls /usr/share/gocode/src/github.com/mattn/go-sqlite3"]],
    build: {
      // Links the SQLite library of the system, so that SQLite need not be compiled.
      command: ["go", "build", "-tags", "libsqlite3", "-o", "partner", "."],
      env: { GO111MODULE: "off", GOPATH: "/usr/share/gocode" },
    },
    commands: compiledCommands,
  },
  csharp: {
    isOptional: true,
    probes: [["dotnet", "--version"]],
    build: { command: ["dotnet", "publish", "--output", "bin"] },
    commands: (folder) => compiledCommands(`${folder}/bin`),
  },
  ruby: {
    probes: [["ruby", "-e", 'require "rack/handler/webrick"; require "sqlite3"']],
    commands: (folder) => ({
      wallet: ["ruby", `${folder}/wallet.rb`],
      payouts: ["ruby", `${folder}/payouts.rb`],
      receiver: ["ruby", `${folder}/receiver.rb`],
    }),
  },
};

export function programFor({ probes }: Toolchain): string | undefined {
  return probes.find(([program, ...args]) => spawnSync(program, args).status === 0)?.[0];
}

export const programsFolder = `${projectRoot}/openapi/guides/programs`;

export async function buildPrograms(
  language: string,
  folder: string,
  program: string,
): Promise<ReturnType<Toolchain["commands"]>> {
  const { build, commands } = toolchains[language] as Toolchain;
  cpSync(`${programsFolder}/${language}`, folder, { recursive: true });
  if (build !== undefined) {
    const [file, ...args] = build.command;
    await promisify(execFile)(file, args, { cwd: folder, env: { ...process.env, ...build.env } });
  }
  return commands(folder, program);
}

/** @returns what the program `wallet` prints, whatever its exit code: in most languages, it is 1 if the first call was not carried out. */
export async function walletOutput([file, ...args]: Command, url: string, key: string): Promise<string> {
  const env = { ...process.env, PARTNER_WALLET_BASE_URL: url, PARTNER_WALLET_API_KEY: key };
  const { stdout, stderr } = await promisify(execFile)(file, args, { env, timeout: 30_000 }).catch((error) => error);
  return stdout + stderr;
}

export async function makeSpender(
  world: MockWorldControl,
  url: string,
  key: string,
  amounts: readonly string[],
): Promise<void> {
  world.clock.freeze("2026-04-10T09:00:00Z");
  world.users.create("user-1042", { verified: true, funds: { eur: "1.00" } });
  for (const amount of amounts) {
    const body = JSON.stringify({ sourceExternalUserId: "user-1042", currency: "eur", amount });
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const { status } = await fetch(`${url}/v1/transfer`, { method: "POST", headers, body });
    if (status !== 201) throw new Error(`A transfer of ${amount} has the status ${status}.`);
  }
  await world.clock.advance("1 minute");
}
