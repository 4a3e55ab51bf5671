import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { projectRoot } from "../../../scripts/base/index.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const basicCommands = ["bash", "sh", "env", "grep", "dirname", "tar", "gzip"].map((name) => {
  const { stdout } = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" });
  return { name, path: stdout.trim() };
});

/**
 * Runs a script of .ci. Its PATH has some basic commands and the given ones, each the text of a script for sh. `LOG` in this text stands
 * for a file, whose lines are returned.
 */
function runScript(script: string, commands: Record<string, string>) {
  const folder = makeFolder();
  const [bin, log] = [join(folder, "bin"), join(folder, "log")];
  mkdirSync(bin);
  writeFileSync(log, "");
  for (const { name, path } of basicCommands) symlinkSync(path, join(bin, name));
  symlinkSync(process.execPath, join(bin, "node"));
  for (const [name, body] of Object.entries(commands)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body.replaceAll("LOG", log)}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const { status, stdout, stderr } = spawnSync(script, { encoding: "utf8", env: { PATH: bin } });
  return { status, output: stdout + stderr, log: readFileSync(log, "utf8").trim().split("\n").filter(Boolean) };
}

// Imitates the image of the workflow: its commands, and its apt, which has no package "chromium" and fails for an unknown name.
const otherCommands = { ls: "exit 0", python3: "exit 0", php: "exit 0", ruby: "exit 0" };
const commands = ["redis-server", "ip", "initdb", "javac", "go", "google-chrome"];
const image: Record<string, string> = {
  ...otherCommands,
  ...Object.fromEntries(commands.map((name) => [name, "exit 0"])),
};
const apt = {
  id: "echo 1001",
  sudo: 'exec "$@"',
  "apt-cache": '[ "$2" = chromium ] || echo "  Candidate: 1.0"',
  "apt-get": 'case " $* " in *" chromium "*) exit 100;; esac\necho "$*" >> LOG',
};
const script = `${projectRoot}/.ci/system-packages`;

it("installs nothing on a machine that has everything", () => {
  expect(runScript(script, { ...image, ...apt })).toEqual({ status: 0, output: "", log: [] });
});

it("installs only the missing packages", () => {
  const { status, log } = runScript(script, {
    ...image,
    ...apt,
    ls: 'case "$*" in *jackson*|*kin-openapi*) exit 2;; esac',
  });
  const packages = "libjackson2-databind-java golang-github-getkin-kin-openapi-dev";
  expect([status, log]).toEqual([0, ["update -qq", `install -y -qq ${packages}`]]);
});

it("takes the name that the distribution has for the browser", () => {
  const { "google-chrome": _, ...withoutBrowser } = image;
  const { status, log } = runScript(script, { ...withoutBrowser, ...apt });
  expect([status, log[1]]).toEqual([0, "install -y -qq chromium-browser"]);
});

it("names a package that the distribution does not have, and installs the others", () => {
  const { "google-chrome": _, go: __, ...withoutGo } = image;
  const { status, output, log } = runScript(script, {
    ...withoutGo,
    ...apt,
    "apt-cache": 'case "$2" in *chromium*) ;; *) echo "  Candidate: 1.0";; esac',
  });
  expect([status, log[1]]).toEqual([0, "install -y -qq golang-go"]);
  expect(output).toContain("no package chromium or chromium-browser");
});

it("changes nothing on a machine without apt-get", () => {
  const { status, output } = runScript(script, { ls: "exit 2" });
  expect(status).toBe(0);
  expect(output).toContain("there is no apt-get here: chromium|chromium-browser redis-server");
});

/** Runs .ci/publish in a folder with a package. @param registry what the registry already has under the version of this package. */
function publish(registry: "empty" | "this file" | "another file") {
  const folder = makeFolder();
  mkdirSync(join(folder, ".ci"));
  mkdirSync(join(folder, "release/1.0.0/package"), { recursive: true });
  writeFileSync(join(folder, ".ci/publish"), readFileSync(`${projectRoot}/.ci/publish`), { mode: 0o755 });
  writeFileSync(join(folder, "release/1.0.0/package/package.json"), '{ "name": "wallet", "version": "1.0.0" }');
  spawnSync("tar", ["-czf", "wallet-1.0.0.tgz", "package"], { cwd: join(folder, "release/1.0.0") });
  const hash = createHash("sha512").update(readFileSync(join(folder, "release/1.0.0/wallet-1.0.0.tgz")));
  const viewCommands = {
    empty: "exit 1",
    "this file": `echo sha512-${hash.digest("base64")}`,
    "another file": "echo sha512-AAAA",
  };
  const npm = `case "$1" in view) ${viewCommands[registry]};; *) echo "$*" >> LOG;; esac`;
  return runScript(join(folder, ".ci/publish"), { npm });
}

it("publishes a package that the registry does not have", () => {
  expect(publish("empty")).toMatchObject({ status: 0, log: ["publish ./release/1.0.0/wallet-1.0.0.tgz"] });
});

it("publishes nothing if the registry has this file, so that a failed release can be repeated", () => {
  expect(publish("this file")).toMatchObject({ status: 0, log: [] });
});

it("refuses to publish if the registry has other contents under this version", () => {
  const { status, output, log } = publish("another file");
  expect([status, log]).toEqual([1, []]);
  expect(output).toContain("wallet@1.0.0 is already published with other contents");
});
