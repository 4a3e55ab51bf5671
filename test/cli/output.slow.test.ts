import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import { serveInTest } from "../support/http.ts";

const entry = 'import { runProgram } from "./scripts/cli/package/program.ts"; await runProgram(process.argv.slice(1));';
const argsFor = (...args: string[]) => ["--import", "tsx", "--input-type=module", "--eval", entry, ...args];

it.skipIf(!existsSync("/dev/full"))("check reports that its report cannot be written, and exits with 2", async () => {
  const child = spawn(process.execPath, argsFor("check", "--from", "/dev/null"), {
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

it("logs --follow prints a long log whole", async () => {
  const sent = {
    at: "2026-04-10T07:00:00.000Z",
    method: "POST",
    path: "/transfers",
    status: 200,
    notes: ["x".repeat(1000)],
  };
  const requests = Array.from({ length: 3000 }, (_, number) => ({ number, ...sent }));
  const server = await serveInTest(({ url }, response) =>
    response.end(JSON.stringify(url?.endsWith("requests") ? requests : [])),
  );
  const child = spawn(process.execPath, argsFor("logs", "--follow", "--json", "--url", server.url), {
    cwd: projectRoot,
  });
  let text = "";
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.split("\n").length > requests.length || text.includes("dropped")) break;
  }
  child.kill();
  expect(
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(requests);
});

it("requests --json waits for a reader that begins late", async () => {
  const requests = Array.from({ length: 3000 }, (_, number) => ({ number, body: "x".repeat(1000) }));
  const server = await serveInTest((_, response) => response.end(JSON.stringify(requests)));
  const child = spawn(process.execPath, argsFor("requests", "--json", "--url", server.url), { cwd: projectRoot });
  const closed = once(child, "close");
  await once(child.stdout, "readable");
  await new Promise((resolve) => setTimeout(resolve, 500));
  const chunks: Buffer[] = await child.stdout.toArray();
  const lines = Buffer.concat(chunks).toString().trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual(requests);
  expect(await closed).toEqual([0, null]);
});
