import { expect, it } from "vitest";
import { UsageError } from "../../../scripts/base/index.ts";
import { diskFiles, Sources } from "../../../scripts/contract/sources/index.ts";
import { bundleCheckedSources } from "../../../scripts/tools/build/index.ts";

const { rootFile } = new Sources();

it("a key without value, which bundling cannot read, is reported with its line", async () => {
  const read = (file: string) =>
    file.endsWith("schemas/order.yaml")
      ? diskFiles.read(file)?.replace(/x-open-enum:\n( {4}.*\n)+/, "x-open-enum:\n")
      : diskFiles.read(file);
  const sources = new Sources(rootFile, { ...diskFiles, read });
  const bundling = bundleCheckedSources(sources);
  await expect(bundling).rejects.toThrow(UsageError);
  await expect(bundling).rejects.toThrow(/^openapi\/schemas\/order\.yaml:\d+:\d+ {2}error {2}/m);
  await expect(bundling).rejects.toHaveProperty("cause", expect.any(TypeError));
});

it("an error of the program stays what it is if lint finds nothing", async () => {
  const mistake = new RangeError("A mistake.");
  const readReleases = () => {
    throw mistake;
  };
  await expect(bundleCheckedSources(new Sources(rootFile, { ...diskFiles, readReleases }))).rejects.toBe(mistake);
});
