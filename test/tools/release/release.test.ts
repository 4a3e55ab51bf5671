import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../../scripts/base/index.ts";
import type { SiteContent } from "../../../scripts/site/content/site.ts";
import { changelogPage } from "../../../scripts/site/pages/about.tsx";
import { publishedManifest, publishedReadme } from "../../../scripts/tools/build/package.ts";
import { type Change, formatMarkdown, releasedVersions } from "../../../scripts/tools/changes/index.ts";
import {
  type Dependency,
  dependencyProblems,
  dependencyReport,
  readDependencies,
} from "../../../scripts/tools/release/dependencies.ts";
import {
  checkReadiness,
  datedChangelog,
  emptyExemptions,
  filesWithVersion,
  installLine,
  releaseVersion,
  tagProblems,
  unreleasedOf,
} from "../../../scripts/tools/release/prepare.ts";

const read = (path: string) => readFileSync(`${projectRoot}/${path}`, "utf8");
const manifest = JSON.parse(read("package.json"));

const makeChange = (severity: Change["severity"]): Change => ({
  id: "a",
  severity,
  proposed: false,
  subject: "createTransfer",
  kind: "field",
  element: "field `amount`",
  sentence: "field `amount` is removed.",
  provenance: "reference",
  editions: ["latest", "test"],
});

describe("the version", () => {
  it.each([
    ["patch", "0.1.0", [], "", "0.1.1"],
    ["patch", "0.1.0", [makeChange("additive")], "", "0.1.1"],
    ["patch", "1.0.0", [makeChange("additive")], "", "which need a minor version"],
    [
      "patch",
      "0.1.0",
      [makeChange("breaking")],
      "",
      "breaking changes of the contract (1), which need a minor version",
    ],
    [
      "patch",
      "0.1.0",
      [makeChange("additive"), makeChange("breaking")],
      "",
      "are breaking changes of the contract (1)",
    ],
    ["minor", "0.1.0", [makeChange("breaking")], "", "0.2.0"],
    ["minor", "1.2.3", [makeChange("breaking")], "", "which need a major version"],
    ["patch", "0.1.0", [], "- **Breaking**: `a` is `b`.", '"**Breaking**" in CHANGELOG.md, which need a minor version'],
    ["major", "1.2.3", [], "- **Breaking**: `a` is `b`.", "2.0.0"],
  ] as const)("of a %s after %s: case %#", (level, releasedVersion, changes, changelogText, expected) => {
    const makeVersion = () => releaseVersion(level, { releasedVersion, changes, changelogText });
    if (/^\d\./.test(expected)) expect(makeVersion()).toBe(expected);
    else expect(makeVersion).toThrow(expected);
  });
});

describe("the changelog", () => {
  const changelog = "# Changelog\n\n## Unreleased\n\n### Fixed\n\n- A.\n\n## 0.1.0 (2026-01-01)\n\n- B.\n";

  it("gets a date, the changes of the contract first, and an empty Unreleased section", () => {
    const datedText = datedChangelog(changelog, "0.2.0", "2026-02-03", [makeChange("breaking")]);
    expect(datedText).toBe(
      "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-03)\n\n### Breaking changes of the contract\n\n- `createTransfer`: field `amount` is removed.\n\n### Fixed\n\n- A.\n\n## 0.1.0 (2026-01-01)\n\n- B.\n",
    );
    expect([unreleasedOf(changelog), unreleasedOf(datedText)]).toEqual(["### Fixed\n\n- A.", ""]);
    expect(() => datedChangelog(datedText, "0.3.0", "2026-02-04", [])).toThrow("There is nothing to release");
  });

  it("of this repository is valid, and keeps all its text", () => {
    const text = read("CHANGELOG.md");
    const datedText = datedChangelog(text, "9.9.9", "2026-02-03", [makeChange("breaking")]);
    const added = `\n\n## 9.9.9 (2026-02-03)\n\n${formatMarkdown([makeChange("breaking")]).trim()}`;
    expect(datedText).toContain(added);
    expect(datedText.replace(added, "")).toBe(text);
    for (const version of releasedVersions()) expect(text).toContain(`\n## ${version} (`);
  });

  it("has no empty heading on the site", () => {
    const datedText = datedChangelog(changelog, "0.2.0", "2026-02-03", []);
    const { sections } = changelogPage({ changelog: datedText } as SiteContent).content();
    expect(sections?.map(([, title]) => title)).toEqual(["0.2.0 (2026-02-03)", "0.1.0 (2026-01-01)"]);
  });

  it("requires the heading Unreleased", () => {
    const misspeltChangelog = changelog.replace("Unreleased", "Unreleasd");
    expect(() => datedChangelog(misspeltChangelog, "0.2.0", "2026-02-03", [makeChange("breaking")])).toThrow(
      'CHANGELOG.md has no line "## Unreleased"',
    );
  });
});

it("a release removes the exemptions from their register, and keeps its comments", () => {
  const comments =
    read("openapi/exemptions.yaml")
      .match(/^#.*\n/gm)
      ?.join("") ?? "";
  const entry = '- change: a\n  reason: b\n  expires: "2027-01-01"\n';
  expect(emptyExemptions(comments + entry, 1)).toBe(`${comments}[]\n`);
  expect(emptyExemptions(comments + entry, 0)).toContain(entry);
});

it("a release sets the version in every file that has it", () => {
  const files = filesWithVersion("7.8.9", read);
  const lock = JSON.parse(files["package-lock.json"] ?? "");
  expect([lock.version, lock.packages[""].version, JSON.parse(files["package.json"] ?? "").version]).toEqual(
    Array(3).fill("7.8.9"),
  );
  expect(files["openapi/openapi.yaml"]).toMatch(/^ {2}version: 7\.8\.9$/m);
  expect(() => filesWithVersion("7.8.9", () => "")).toThrow("package.json names no version");
});

it("a release is refused on another branch than main, and with uncommitted changes", () => {
  expect(() => checkReadiness("main", "")).not.toThrow();
  expect(() => checkReadiness("topic", "")).toThrow("on the branch main; this is topic");
  expect(() => checkReadiness("", "")).toThrow("this is none");
  const statusWith = (count: number) => Array.from({ length: count }, (_, index) => ` M ${index}.ts`).join("\n");
  const message = "There are changes that are not committed (11):\n  M 0.ts\n";
  expect(() => checkReadiness("main", statusWith(11))).toThrow(message);
  expect(() => checkReadiness("main", statusWith(11))).toThrow("\n  M 9.ts\n  …\nCommit them first");
  expect(() => checkReadiness("main", statusWith(10))).toThrow("\n  M 9.ts\nCommit them first");
});

it("a release is published only from a complete, tagged commit", () => {
  const [changelog, readme] = ["## Unreleased\n\n## 0.2.0 (2026-02-03)\n\n- A.\n", `\n${installLine("0.2.0")}\n`];
  const readyCommit = { tags: ["other", "v0.2.0"], status: "", changelog, readme, isContractStored: true };
  expect(tagProblems("0.2.0", readyCommit)).toEqual([]);
  const wrongCommit = {
    tags: [],
    status: " M a.ts",
    changelog: "## Unreleased\n\n- B.\n",
    readme: "",
    isContractStored: false,
  };
  expect(tagProblems("0.2.0", wrongCommit)).toEqual([
    "There are changes that are not committed (1):\n  M a.ts",
    "This commit has no tag v0.2.0.",
    'CHANGELOG.md has entries under "Unreleased".',
    `README.md has no line "${installLine("0.2.0")}".`,
    "CHANGELOG.md has no section 0.2.0.",
    "openapi/released/0.2.0.json is not the contract of this commit.",
  ]);
});

describe("the package", () => {
  const publishing = {
    registry: "npm",
    repository: "https://source.example/wallet",
    support: "mailto:a@b.example",
    status: null,
  };

  it("names its repository, and has no fields that only this repository needs", () => {
    const publishedFields = publishedManifest(manifest, publishing);
    expect(publishedFields).toMatchObject({
      repository: { type: "git", url: "git+https://source.example/wallet.git" },
      homepage: "https://source.example/wallet#readme",
      bugs: { email: "a@b.example" },
      publishConfig: { access: "public", provenance: true },
      keywords: expect.arrayContaining(["openapi"]),
    });
    for (const key of ["private", "scripts", "devDependencies", "scarfSettings"])
      expect(publishedFields).not.toHaveProperty(key);
    const manifestForOtherRegistry = publishedManifest(manifest, {
      ...publishing,
      registry: "https://packages.example",
      support: null,
    });
    expect(manifestForOtherRegistry).toMatchObject({
      publishConfig: { registry: "https://packages.example" },
      bugs: { url: "https://source.example/wallet/issues" },
    });
    expect(manifestForOtherRegistry).not.toHaveProperty("publishConfig.ignore-scripts");
  });

  it("has a README whose links lead to the version, or are plain words", () => {
    const linksFor = (repository: string | null) =>
      publishedReadme(read("README.md"), "1.2.3", { ...publishing, repository }).match(/\]\([^)]*\)/g) ?? [];
    expect(linksFor(publishing.repository).length).toBeGreaterThan(5);
    expect(linksFor(publishing.repository).filter((link) => !/^\]\((https:|#)/.test(link))).toEqual([]);
    expect(linksFor(publishing.repository)).toContain("](https://source.example/wallet/blob/v1.2.3/CONTRIBUTING.md)");
    expect(linksFor(null).filter((link) => !/^\]\((https:|#)/.test(link))).toEqual([]);
  });

  it("has a README without the commands of a clone", () => {
    const packedReadme = publishedReadme(read("README.md"), "1.2.3", publishing);
    expect(read("README.md")).toContain("npm ci && npm start");
    expect(packedReadme).not.toMatch(/npm ci|<!--/);
    expect(packedReadme).toContain("\n## Install\n");
  });
});

it("the README installs the version of this repository from where publishing.yaml says", () => {
  expect(read("README.md").match(/^npm install .*$/gm)).toEqual([installLine(manifest.version)]);
});

describe("dependencies", () => {
  const dependencies = readDependencies();
  const { dependencies: shipped, devDependencies } = manifest;
  const { dependencies: peerDependencies } = JSON.parse(read("test/peers/package.json"));

  it("are pinned, have accepted licences, and few are shipped", () => {
    expect(dependencyProblems(dependencies, { ...shipped, ...devDependencies, ...peerDependencies })).toEqual([]);
    expect(dependencies.filter(({ isShipped }) => isShipped).map(({ name }) => name)).toEqual([
      ...["@redocly/openapi-core", "ajv", "ajv-formats", "js-yaml", "openapi-fetch", "openapi-typescript-helpers"],
    ]);
  });

  it("run no install scripts", () => {
    expect(read(".npmrc")).toMatch(/^ignore-scripts=true$/m);
    expect(dependencies.filter(({ isShipped, hasInstallScript }) => isShipped && hasInstallScript)).toEqual([]);
    const report = dependencyReport(dependencies);
    expect(report).toContain("None runs, here or at a partner");
    expect(report).toMatch(/openapi-fetch .*\| dependency; its code is in the mock \|\n/);
    const [, counts = ""] = /with the licences (.*)\.\n/.exec(report) ?? [];
    const numbers = counts.split(", ").map((count) => Number(/ (\d+)$/.exec(count)?.[1]));
    expect(numbers.reduce((sum, number) => sum + number, 0)).toBe(dependencies.length);
    const scriptCount = dependencies.filter(({ hasInstallScript: installScript }) => installScript).length;
    expect(report).toContain(`Install scripts: ${scriptCount} (`);
  });

  it("with a range or another licence are reported", () => {
    const copyleft: Dependency = {
      name: "left",
      version: "1.0.0",
      licence: "GPL-3.0",
      isShipped: false,
      isDevelopment: true,
      hasInstallScript: false,
    };
    const tool: Dependency = { ...copyleft, name: "tool", licence: "(MPL-2.0 OR GPL-3.0)" };
    expect(
      dependencyProblems([copyleft, tool, { ...tool, isShipped: true }], { range: "^1.0.0", early: "1.0.0-beta.1" }),
    ).toEqual([
      "package.json asks for range ^1.0.0. Name one version.",
      "package.json asks for early 1.0.0-beta.1. Name one version.",
      expect.stringContaining('left@1.0.0 has the licence "GPL-3.0"'),
      expect.stringContaining('tool@1.0.0 has the licence "(MPL-2.0 OR GPL-3.0)"'),
    ]);
  });
});
