import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/contract/model/index.ts";
import { needs } from "./skipped-reporter.ts";

it.each(Object.keys(needs))("the reporter of skipped tests names an existing file: %s", (file) => {
  expect(existsSync(join(projectRoot, file))).toBe(true);
});
