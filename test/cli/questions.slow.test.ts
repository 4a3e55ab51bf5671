import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import { questionnaireCsv } from "../../scripts/site/index.ts";
import { runCommand } from "../support/command.ts";
import { contractOf, sources } from "../support/contract.ts";

it("writes the requested output", async () => {
  const file = join(tmpdir(), `questions-${process.pid}.csv`);
  const args = ["--import", "tsx", "scripts/cli/npm/questions.ts"];
  try {
    const { code, output } = await runCommand(
      "node",
      [...args, "--rank", "safety", "--format", "csv", "--out", file],
      projectRoot,
    );
    expect({ code, output }).toEqual({ code: 0, output: "" });
    expect(readFileSync(file, "utf8")).toBe(
      questionnaireCsv(sources.registers().questions, await contractOf("test"), "safety"),
    );
  } finally {
    rmSync(file, { force: true });
  }
  const { code, output } = await runCommand(
    "node",
    [...args, "--out", join(tmpdir(), "no-such-folder", "q.md")],
    projectRoot,
  );
  expect(code).toBe(2);
  expect(output).toContain("cannot be written (ENOENT).");
  expect(output).not.toContain("    at ");
});

it("ends quietly when its reader closes the pipe", async () => {
  const { code, output } = await runCommand(
    "sh",
    ["-c", "node --import tsx scripts/cli/npm/questions.ts | head -1; exit 0"],
    projectRoot,
  );
  expect([code, output.trim().split("\n")]).toEqual([0, ["# Questions on the interface for partners"]]);
});
