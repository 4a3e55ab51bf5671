import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/model/index.ts";

it.skipIf(!existsSync("/dev/full"))("check reports that its report cannot be written, and exits with 2", async () => {
  const entry =
    'import { runProgram } from "./scripts/cli/package/program.ts"; await runProgram(process.argv.slice(1));';
  const args = ["--import", "tsx", "--input-type=module", "--eval", entry, "check", "--from", "/dev/null"];
  const child = spawn(process.execPath, args, {
    cwd: projectRoot,
    stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
  });
  let errors = "";
  child.stderr?.on("data", (text) => {
    errors += text;
  });
  const [code] = await once(child, "close");
  expect([code, errors]).toEqual([2, "The report cannot be written (ENOSPC).\n"]);
});
