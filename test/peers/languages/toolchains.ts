/** The toolchains that build and run the programs of the quick starts, by folder of `openapi/guides/programs`. */
import { spawnSync } from "node:child_process";

type Command = readonly [program: string, ...args: string[]];

export interface Toolchain {
  /** The Debian packages that the programs need; undefined if Debian lacks such packages. */
  readonly packages: string | undefined;
  /** Commands that succeed if the dependencies are installed. The executable of the first that succeeds runs the programs. */
  readonly probes: readonly Command[];
  readonly build?: { readonly command: Command; readonly env?: Readonly<Record<string, string>> };
  readonly commands: (folder: string, program: string) => Record<"wallet" | "payouts" | "receiver", Command>;
}

const jars = "/usr/share/java/gson.jar:/usr/share/java/sqlite-jdbc.jar";
const compiled = (folder: string) => {
  const partner = `${folder}/partner`;
  return { wallet: [partner], payouts: [partner, "payouts"], receiver: [partner] } satisfies Record<string, Command>;
};

export const toolchains: Readonly<Record<string, Toolchain>> = {
  python: {
    packages: "python3-flask",
    // The Debian package belongs to /usr/bin/python3, which may not be the first Python in the PATH.
    probes: ["python3", "/usr/bin/python3"].map((program) => [program, "-c", "import flask, sqlite3"]),
    commands: (folder, program) => ({
      wallet: [program, `${folder}/wallet.py`],
      payouts: [program, `${folder}/payouts.py`],
      receiver: [program, `${folder}/receiver.py`],
    }),
  },
  php: {
    packages: "php-cli php-curl php-bcmath php-sqlite3",
    probes: [["php", "-r", "curl_version(); bcadd('1', '1'); new PDO('sqlite::memory:');"]],
    commands: (folder) => ({
      wallet: ["php", `${folder}/wallet.php`],
      payouts: ["php", `${folder}/payouts.php`],
      receiver: ["php", `${folder}/receiver.php`],
    }),
  },
  java: {
    packages: "default-jdk-headless libgoogle-gson-java libxerial-sqlite-jdbc-java",
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
        "-XX:TieredStopAtLevel=1",
        "-cp",
        `${jars}:${folder}/classes`,
        name,
      ];
      return { wallet: java("Wallet"), payouts: java("Payouts"), receiver: java("Receiver") };
    },
  },
  go: {
    packages: "golang-go golang-github-mattn-go-sqlite3-dev",
    probes: [["sh", "-c", "go version && ls /usr/share/gocode/src/github.com/mattn/go-sqlite3"]],
    build: {
      // Links the SQLite library of the system, which saves its compilation.
      command: ["go", "build", "-tags", "libsqlite3", "-o", "partner", "."],
      env: { GO111MODULE: "off", GOPATH: "/usr/share/gocode" },
    },
    commands: compiled,
  },
  csharp: {
    packages: undefined,
    probes: [["dotnet", "--version"]],
    build: { command: ["dotnet", "publish", "--output", "bin"] },
    commands: (folder) => compiled(`${folder}/bin`),
  },
  ruby: {
    packages: "ruby ruby-rack ruby-webrick ruby-sqlite3",
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
