import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { editionFolder, editions } from "../../../scripts/contract/model/index.ts";
import { bundles } from "../../support/contract.ts";

it.each(editions)("generated/%s equals what `npm run build` writes", async (edition) => {
  const { yaml, json, json30 } = (await bundles())[edition];
  const documents = { "openapi.yaml": yaml, "openapi.json": json, "openapi-3.0.json": json30 };
  const stale = Object.entries(documents).filter(
    ([name, text]) => readFileSync(`${editionFolder(edition)}/${name}`, "utf8") !== text,
  );
  expect(stale.map(([name]) => name)).toEqual([]);
});
