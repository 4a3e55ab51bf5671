import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { projectRoot } from "../../../scripts/base/index.ts";
import { start } from "../../../scripts/tools/processes/index.ts";
import type * as ReleaseModule from "../../../scripts/tools/release/index.ts";
import { runCommand } from "../../support/command.ts";
import { ProjectCopy } from "../../support/project-copy.ts";

const operationFile = "openapi/paths/loan/createLoan.yaml";
const options = { date: "2026-02-03", mustTry: false };
const address = "https://source.example/wallet";

let copy: ProjectCopy;
let releaseModule: typeof ReleaseModule;

const git = async (...args: string[]) => (await runCommand("git", args, copy.folder)).output.trim();
const commit = async () => {
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "Change");
};
const releasePath = (path: string) => join(copy.folder, "release", path);

const release = (...args: Parameters<typeof ReleaseModule.makeRelease>) =>
  releaseModule.makeRelease(...args).then(
    () => "released",
    (error: Error) => error.message,
  );

beforeAll(async () => {
  copy = new ProjectCopy();
  copy.replaceRedocly();
  const manifest = JSON.parse(copy.read("package.json"));
  copy.write("package.json", `${JSON.stringify({ ...manifest, version: "0.1.0" }, null, 2)}\n`);
  copy.write(
    "openapi/openapi.yaml",
    copy.read("openapi/openapi.yaml").replace(/^ {2}version: .*$/m, "  version: 0.1.0"),
  );
  copy.edit("openapi/extensions.yaml", "x-provenance:\n", "x-provenance:\n  published: true\n");
  copy.write("openapi/exemptions.yaml", "[]\n");
  copy.write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n- **Breaking**: The mock speaks another way.\n");
  copy.write(".gitignore", `${readFileSync(`${projectRoot}/.gitignore`, "utf8")}.ci/\n`);
  copy.createFolder("test/peers");
  copy.write("test/peers/package.json", "{}");
  await git("init", "--quiet", "--initial-branch=main");
  await git("config", "user.name", "Tester");
  await git("config", "user.email", "tester@users.example");
  copy.createFolder("openapi/released");
  const printArguments = ["--import", "tsx", "scripts/cli/npm/changes.ts", "--document"];
  copy.write("openapi/released/0.1.0.json", (await runCommand(process.execPath, printArguments, copy.folder)).output);
  await commit();
  releaseModule = (await import(join(copy.folder, "scripts/tools/release/index.ts"))) as typeof ReleaseModule;
  vi.spyOn(console, "log").mockImplementation(() => {});
}, 300_000);
afterAll(() => {
  vi.restoreAllMocks();
  copy.remove();
});

it("is refused with an incomplete publishing.yaml, uncommitted changes, another branch, or too small a version step", async () => {
  expect(await release("minor", options)).toContain("publishing.yaml has no registry, repository, support");
  const publishing = `registry: npm\nrepository: ${address}\nsupport: mailto:help@wallet.example\nstatus: null\n`;
  copy.write("publishing.yaml", publishing);
  expect(await release("minor", options)).toMatch(/not committed \(1\):\n {2}M publishing.yaml/);
  await commit();
  await git("switch", "--quiet", "--create", "other");
  expect(await release("minor", options)).toContain("on the branch main; this is other");
  await git("switch", "--quiet", "main");
  expect(await release("patch", options)).toContain('"**Breaking**" in CHANGELOG.md');
  copy.edit("openapi/schemas/LoanRequest.yaml", "type: number\n", "type: number\n    maximum: 100\n");
  await commit();
  expect(await release("patch", options)).toContain("createLoan/request/weight maximum");
  vi.stubEnv("npm_config_registry", "http://127.0.0.1:9");
  expect(await release("minor", { ...options, mustTry: true })).toContain("The npm registry does not respond.");
  vi.unstubAllEnvs();
  expect(await git("status", "--porcelain")).toBe("");
});

// This test runs before the test of a successful release, so that the latter need not repeat every step of the build.
it("changes nothing when it is interrupted after the commit", async () => {
  copy.createFolder("release/0.2.0/of-an-earlier-try");
  const args = ["--import", "tsx", "scripts/cli/npm/release.ts", "minor", "--untried"];
  // Some developers set NODE_ENV, which must not break a release. With this value, TypeScript also checks its own assertions.
  const program = start(process.execPath, args, { cwd: copy.folder, env: { NODE_ENV: "development" } });
  // The release builds a second time after its commit, and then prints this line.
  await program.waitFor(/Everything is up to date/, { limitMs: 120_000 });
  expect(await git("log", "-1", "--format=%s")).toBe("Release 0.2.0");
  // The signal is sent only to this process. If its child processes ended too, the current step would fail first.
  program.signal("SIGINT");
  expect(await program.exitCode).toBe(130);
  expect(program.output).toContain("the repository is unchanged");
  expect([await git("log", "-1", "--format=%s"), await git("status", "--porcelain")]).toEqual(["Change", ""]);
  expect(await git("tag", "--list")).toBe("");
  expect(existsSync(releasePath("0.2.0"))).toBe(false);
}, 300_000);

it("creates a version with everything to publish, and pushes nothing", async () => {
  copy.createFolder("release/0.2.0/of-an-earlier-try");
  expect(await release("minor", options)).toBe("released");
  expect(await git("tag", "--points-at", "HEAD")).toBe("v0.2.0");
  expect(await git("status", "--porcelain")).toBe("");
  const change = "- `createLoan`: field `weight` of the request has maximum 100 now.";
  const section = `## 0.2.0 (2026-02-03)\n\n### Breaking changes of the contract\n\n${change}`;
  expect(copy.read("CHANGELOG.md")).toContain(`\n${section}`);
  expect(copy.read("CHANGELOG.md")).toContain("\n\n- **Breaking**: The mock speaks");
  expect(copy.read("README.md")).toContain("\nnpm install partner-wallet-api\n");
  expect(JSON.parse(copy.read("openapi/released/0.2.0.json")).info.version).toBe("0.2.0");
  const paths = ["partner-wallet-api-0.2.0.tgz", "dependencies.md", "site/index.html", "site/0.2.0/index.html"];
  for (const path of paths) expect([path, existsSync(releasePath(`0.2.0/${path}`))]).toEqual([path, true]);
  expect(existsSync(releasePath("0.2.0/of-an-earlier-try"))).toBe(false);
  const page = (path: string) => readFileSync(releasePath(`0.2.0/site/${path}`), "utf8");
  expect(page("0.2.0/index.html")).toContain("These pages are of version 0.2.0.");
  expect(page("index.html")).not.toContain("These pages are of version");
  const { metadata, components } = JSON.parse(readFileSync(releasePath("0.2.0/sbom.cdx.json"), "utf8"));
  expect(metadata.component).toMatchObject({ name: "partner-wallet-api", version: "0.2.0" });
  const names = components.map(({ name }: { name: string }) => name);
  expect(names.sort()).toEqual([
    ...["@redocly/openapi-core", "ajv", "ajv-formats", "js-yaml", "openapi-fetch", "openapi-typescript-helpers"],
  ]);
}, 300_000);

it("keeps the pages of every version under its number", async () => {
  cpSync(`${projectRoot}/.ci/pages`, join(copy.folder, ".ci/pages"));
  const { code, output } = await runCommand("bash", [".ci/pages"], copy.folder);
  expect(code, output).toBe(0);
  expect(await git("ls-tree", "--name-only", "pages", "index.html", "0.2.0/index.html")).toBe(
    "0.2.0/index.html\nindex.html",
  );
  await git("remote", "add", "origin", copy.folder);
  await git("worktree", "remove", "--force", "public");
  expect((await runCommand("bash", [".ci/pages"], copy.folder)).code).toBe(0);
  expect(await git("rev-list", "--count", "pages")).toBe("1");
  expect(await git("status", "--porcelain")).toBe("");
});

it("can be repeated only from the tagged commit", async () => {
  copy.write("CHANGELOG.md", copy.read("CHANGELOG.md").replace("## Unreleased\n", "## Unreleased\n\n- More.\n"));
  await commit();
  const releasedFile = "openapi/released/0.2.0.json";
  const contract = copy.read(releasedFile);
  copy.write(releasedFile, `${contract}\n`);
  const failure = await releaseModule.makeArtifacts({ mustTry: false }).then(String, (error: Error) => error.message);
  copy.write(releasedFile, contract);
  expect(failure).toContain("This commit has no tag v0.2.0.");
  expect(failure).toContain('CHANGELOG.md has entries under "Unreleased".');
  expect(failure).toContain(`${releasedFile} is not the contract of this commit.`);
  expect(failure).not.toContain("README.md has no line");
});

it("changes nothing when a step fails", async () => {
  const head = await git("rev-parse", "HEAD");
  const line = copy.edit(operationFile, "operationId: createLoan", "operationID: createLoan");
  await commit();
  expect(await release("minor", options)).toContain(`${operationFile}:${line}`);
  expect([await git("log", "-1", "--format=%s"), await git("status", "--porcelain")]).toEqual(["Change", ""]);
  await git("reset", "--hard", "--quiet", head);
}, 300_000);

it("npm publish is refused in a clone, with or without dist/", async () => {
  const { code, output } = await runCommand("npm", ["publish", "--dry-run"], copy.folder);
  expect(output).toContain("npm run release makes and checks the one to publish");
  expect(code).not.toBe(0);
});
