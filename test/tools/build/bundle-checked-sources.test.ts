import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot, readManifest, UsageError } from "../../../scripts/base/index.ts";
import { diskFiles, type SourceFiles, Sources } from "../../../scripts/contract/sources/index.ts";
import { bundleCheckedSources } from "../../../scripts/tools/build/index.ts";

const folder = join(projectRoot, "test/lint/clean");
const mistake = new RangeError("A mistake.");

/** Bundles a small contract, in which a file can be edited and the reader of released versions can fail. */
function bundleSmall(edit: [file: string, replaced: string, replacement: string], files: Partial<SourceFiles> = {}) {
  const edits = [edit, ["openapi.yaml", "version: 1.2.3", `version: ${readManifest().version}`]] as const;
  const read = (path: string) =>
    edits.reduce(
      (text, [file, replaced, replacement]) => (path.endsWith(file) ? text?.replace(replaced, replacement) : text),
      diskFiles.read(path),
    );
  return bundleCheckedSources(new Sources(join(folder, "openapi.yaml"), { ...diskFiles, read, ...files }));
}

const failing: Partial<SourceFiles> = {
  readReleases: () => {
    throw mistake;
  },
};

it("a key without value is reported with its line", async () => {
  const bundling = bundleSmall(["LoanStatus.yaml", "x-open-enum:", "x-open-enum:\nnot:"]);
  await expect(bundling).rejects.toThrow(UsageError);
  await expect(bundling).rejects.toThrow(/schemas\/LoanStatus\.yaml:3:\d+: #\/x-open-enum has no value/);
});

it("an error of the program is the cause of what lint finds", async () => {
  const bundling = bundleSmall(["LoanStatus.yaml", "type: string", "type: string\nminimum: 5"], failing);
  await expect(bundling).rejects.toThrow(UsageError);
  await expect(bundling).rejects.toThrow(/schemas\/LoanStatus\.yaml:\d+:\d+ {2}error {2}/m);
  await expect(bundling).rejects.toHaveProperty("cause", mistake);
});

it("an error of the program stays what it is if lint finds nothing", async () => {
  await expect(bundleSmall(["LoanStatus.yaml", "", ""], failing)).rejects.toBe(mistake);
});
