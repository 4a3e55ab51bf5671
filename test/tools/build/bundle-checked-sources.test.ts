import { expect, it } from "vitest";
import { UsageError } from "../../../scripts/base/index.ts";
import { diskFiles, Sources } from "../../../scripts/contract/sources/index.ts";
import { bundleCheckedSources } from "../../../scripts/tools/build/index.ts";

const { rootFile } = new Sources();

const order = (file: string, ...edit: [RegExp, string]) =>
  file.endsWith("schemas/order.yaml") ? diskFiles.read(file)?.replace(...edit) : diskFiles.read(file);

it("a key without value is reported with its line", async () => {
  const read = (file: string) => order(file, /x-open-enum:\n( {4}.*\n)+/, "x-open-enum:\n");
  const bundling = bundleCheckedSources(new Sources(rootFile, { ...diskFiles, read }));
  await expect(bundling).rejects.toThrow(UsageError);
  await expect(bundling).rejects.toThrow(
    /^openapi\/schemas\/order\.yaml:\d+:\d+: #\/OrderStatus\/x-open-enum has no value/,
  );
});

it("an error of the program is the cause of what lint finds", async () => {
  const mistake = new RangeError("A mistake.");
  const readReleases = () => {
    throw mistake;
  };
  const read = (file: string) => order(file, /^OrderStatus:\n/m, "OrderStatus:\n  minimum: text\n");
  const bundling = bundleCheckedSources(new Sources(rootFile, { ...diskFiles, read, readReleases }));
  await expect(bundling).rejects.toThrow(UsageError);
  await expect(bundling).rejects.toThrow(/^openapi\/schemas\/order\.yaml:\d+:\d+ {2}error {2}/m);
  await expect(bundling).rejects.toHaveProperty("cause", mistake);
});

it("an error of the program stays what it is if lint finds nothing", async () => {
  const mistake = new RangeError("A mistake.");
  const readReleases = () => {
    throw mistake;
  };
  await expect(bundleCheckedSources(new Sources(rootFile, { ...diskFiles, readReleases }))).rejects.toBe(mistake);
});
