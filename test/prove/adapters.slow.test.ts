import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lexer, type Tokens } from "marked";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import { proofKinds } from "../../scripts/prove/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface Adapter {
  readonly file: string;
  readonly probe: readonly string[];
  readonly command: readonly string[];
  /** Adds a `pay` function that writes its input to the state, and reports `sepa` as failed and `collect` as unclear. */
  readonly complete: (adapter: string) => string;
}

const adapters: Readonly<Record<string, Adapter>> = {
  py: {
    file: "payouts.py",
    probe: ["python3", "--version"],
    command: ["python3", "payouts.py"],
    complete: (adapter) => `def pay(base, key, state, row):
    with open(state, "a") as file:
        print(base, key, row["reference"], row["iban"], file=file)
    return {"sepa": "failed", "collect": "unclear"}.get(row["kind"], "paid")

${adapter}`,
  },
  "php-template": {
    file: "payouts.php",
    probe: ["php", "--version"],
    command: ["php", "payouts.php"],
    complete: (adapter) => `${adapter}
function pay($base, $key, $state, $row) {
    file_put_contents($state, "$base $key {$row['reference']} {$row['iban']}\\n", FILE_APPEND);
    return ["sepa" => "failed", "collect" => "unclear"][$row["kind"]] ?? "paid";
}
`,
  },
  ruby: {
    file: "payouts.rb",
    probe: ["ruby", "--version"],
    command: ["ruby", "payouts.rb"],
    complete: (adapter) => `def pay(base, key, state, row)
  File.write(state, "#{base} #{key} #{row["reference"]} #{row["iban"]}\\n", mode: "a")
  { "sepa" => "failed", "collect" => "unclear" }.fetch(row["kind"], "paid")
end

${adapter}`,
  },
  go: {
    file: "payouts.go",
    probe: ["go", "version"],
    command: ["go", "run", "payouts.go"],
    complete: (adapter) => `package main

import (
	"encoding/csv"
	"fmt"
	"log"
	"os"
)

func pay(base, key, state string, row []string) string {
	file, err := os.OpenFile(state, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil { log.Fatal(err) }
	defer file.Close()
	fmt.Fprintln(file, base, key, row[0], row[5])
	switch row[1] {
	case "sepa":
		return "failed"
	case "collect":
		return "unclear"
	}
	return "paid"
}

func main() {
${adapter}
}
`,
  },
  java: {
    file: "Payouts.java",
    probe: ["java", "--version"],
    command: ["java", "Payouts.java"],
    complete: (adapter) => `class Payouts {
${adapter}
    static String pay(String base, String key, String state, String[] row) throws Exception {
        var line = String.join(" ", base, key, row[0], row[5]) + "\\n";
        var options = new java.nio.file.OpenOption[] { java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND };
        java.nio.file.Files.writeString(java.nio.file.Path.of(state), line, options);
        return row[1].equals("sepa") ? "failed" : row[1].equals("collect") ? "unclear" : "paid";
    }
}
`,
  },
};

const tokens = lexer(readFileSync(`${projectRoot}/openapi/guides/proving.md`, "utf8"));
const shownAdapters = new Map(
  tokens.flatMap((token) => {
    const { type, lang = "", text } = token as Tokens.Code;
    return type === "code" ? [[lang, text] as const] : [];
  }),
);
const folder = temporaryFolder();

describe("the adapters of the guide", () => {
  it("are in these languages, and in C#, for which Debian has no package", () => {
    expect([...shownAdapters.keys()]).toEqual(expect.arrayContaining([...Object.keys(adapters), "csharp"]));
  });

  for (const [language, { file, probe, command, complete }] of Object.entries(adapters)) {
    const [program = "", ...args] = probe;
    const isMissing = spawnSync(program, args).status !== 0 && !process.env.CI;
    it.skipIf(isMissing)(
      `in ${language} give address, key, row and state, and print what is not paid${isMissing ? `; ${program} is not installed` : ""}`,
      () => {
        writeFileSync(join(folder, file), complete(shownAdapters.get(language) ?? ""));
        const input = join(folder, `${language}.csv`);
        const state = join(folder, `${language}.state`);
        const lines = proofKinds.find(({ name }) => name === "payouts")?.input ?? [];
        writeFileSync(input, `${lines.join("\n")}\n`);
        const [run = "", ...rest] = command;
        const env = {
          ...process.env,
          PARTNER_WALLET_BASE_URL: "http://127.0.0.1:4010",
          PARTNER_WALLET_API_KEY: "a-key",
          GO111MODULE: "off",
        };
        const { status, stdout, stderr } = spawnSync(run, [...rest, input, state], {
          cwd: folder,
          env,
          encoding: "utf8",
        });
        expect(stderr).toBe("");
        expect(status).toBe(0);
        expect(stdout).toBe("failed pay-3\nunclear pay-5\nfailed pay-6\n");
        const wantedLines = lines.slice(1).map((line) => {
          const values = line.split(",");
          return `http://127.0.0.1:4010 a-key ${values[0]} ${values[5]}`.trim();
        });
        const stateLines = readFileSync(state, "utf8").trim().split("\n");
        expect(stateLines.map((line) => line.trim())).toEqual(wantedLines);
      },
      120_000,
    );
  }
});
