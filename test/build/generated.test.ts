/** What the build generates for each edition, compared with what is committed. */
import { beforeAll, expect, it } from "vitest";
import { generateEditions } from "../../scripts/build/generate.ts";
import { findStaleFiles } from "../../scripts/build/index.ts";
import { type Edition, editionFolder, editions, projectRoot } from "../../scripts/contract/index.ts";
import { bundles, sources } from "../support/contract.ts";

let generated: Record<Edition, Record<string, string>>;
beforeAll(async () => {
  generated = await generateEditions(await bundles(), sources.registers());
});

it("the committed files are what the sources give", () => {
  const stale = editions.flatMap((edition) =>
    findStaleFiles(editionFolder(edition), generated[edition]).map((path) => `${edition}/${path}`),
  );
  expect(stale, 'Run "npm run build" and commit these files of generated/').toEqual([]);
});

it("no file holds a path of this machine or a host that is not reserved", () => {
  const found = editions.flatMap((edition) =>
    Object.entries(generated[edition]).flatMap(([path, text]) => {
      const hosts = [...text.matchAll(/https?:\/\/(\w[\w.-]*)/g)].map(([, host]) => host ?? "");
      const foreign = hosts.filter((host) => !/(^|\.)(example|json-schema\.org|localhost)$/.test(host));
      return [...(text.includes(projectRoot) ? [projectRoot] : []), ...foreign].map(
        (text) => `${edition}/${path}: ${text}`,
      );
    }),
  );
  expect(found).toEqual([]);
});
