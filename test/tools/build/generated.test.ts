import { beforeAll, expect, it } from "vitest";
import { projectRoot } from "../../../scripts/base/index.ts";
import { findStale, generate } from "../../../scripts/tools/build/generate.ts";
import { bundles, sources } from "../../support/contract.ts";

let generated: Record<string, string>;
beforeAll(async () => {
  generated = await generate(await bundles(), sources);
});

it("the committed files equal the build output", () => {
  expect(findStale(generated), 'Run "npm run build" and commit these files of generated/').toEqual([]);
});

it("no file contains a path of this machine or a host that is not reserved", () => {
  const foreignHosts = Object.entries(generated).flatMap(([path, text]) => {
    const hosts = [...text.matchAll(/https?:\/\/(\w[\w.-]*)/g)].map(([, host]) => host ?? "");
    const foreignHostsOfFile = hosts.filter(
      (host) => !/(^|\.)(example|json-schema\.org|localhost|127\.0\.0\.1)$/.test(host),
    );
    return [...(text.includes(projectRoot) ? [projectRoot] : []), ...foreignHostsOfFile].map(
      (text) => `${path}: ${text}`,
    );
  });
  expect(foreignHosts).toEqual([]);
});
