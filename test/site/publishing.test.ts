import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import { readPublishing } from "../../scripts/contract/sources/index.ts";
import { installCommand } from "../../scripts/site/index.ts";
import { memorySources } from "../support/memory-sources.ts";

const readPublishingText = (text: string) => readPublishing(memorySources({ "../publishing.yaml": text }));

const noAddresses = { registry: null, repository: null, support: null, status: null };

test("every value is null or an address", () => {
  expect(readPublishingText("registry: null\nrepository: null\nsupport: null\nstatus: null\n")).toEqual(noAddresses);
  expect(
    readPublishingText("registry: npm\nrepository: null\nsupport: mailto:a@b.example\nstatus: null\n").registry,
  ).toBe("npm");
  expect(() => readPublishing(memorySources({}))).toThrow("publishing.yaml cannot be read");
});

test.runIf(readPublishing().support === null)("no time is promised while nobody is named who keeps it", () => {
  const promise = /\b(within|working days?|weeks?|months?|hours)\b|npm audit signatures/;
  for (const file of ["SECURITY.md", "SUPPORT.md"]) {
    expect(readFileSync(`${projectRoot}/${file}`, "utf8"), file).not.toMatch(promise);
  }
});

test("the package is installed from the site, the default registry or another one", () => {
  const packageFacts = { name: "wallet", version: "1.2.3", siteUrl: "https://docs.example/" };
  const commands = [null, "npm", "https://packages.example"].map((registry) =>
    installCommand({ ...noAddresses, registry }, packageFacts),
  );
  expect(commands).toEqual([
    "npm install https://docs.example/wallet-1.2.3.tgz",
    "npm install wallet",
    "npm install wallet --registry https://packages.example",
  ]);
});
