import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validate } from "@scalar/openapi-parser";
import { generateSource } from "oazapfts";
import { generateApi } from "swagger-typescript-api";
import { x } from "tinyexec";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleFile, editions, projectRoot, readContract } from "../../../scripts/contract/model/index.ts";

const binaries = `${projectRoot}/test/peers/node_modules/.bin`;

/** Conventions of IBM's APIs, and rules for OpenAPI 3.0 (`$ref` without siblings). They do not apply to this contract. */
const ibmConventions = [
  "ibm-avoid-multiple-types",
  "ibm-enum-casing-convention",
  "ibm-integer-attributes",
  "ibm-no-array-responses",
  "ibm-no-consecutive-path-parameter-segments",
  "ibm-no-unsupported-keywords",
  "ibm-parameter-casing-convention",
  "ibm-path-segment-casing-convention",
  "ibm-property-casing-convention",
  "ibm-required-array-properties-in-response",
  "ibm-schema-keywords",
  "ibm-schema-type-format",
  "no-$ref-siblings",
];

/** Rules that require what the specification does not state: limits of texts, lists and rates, 429, 500, `x-internal`. */
const owaspUnstated = [
  "owasp:api4:2023-array-limit",
  "owasp:api4:2023-integer-format",
  "owasp:api4:2023-integer-limit",
  "owasp:api4:2023-rate-limit",
  "owasp:api4:2023-rate-limit-responses-429",
  "owasp:api4:2023-string-limit",
  "owasp:api4:2023-string-restricted",
  "owasp:api8:2023-define-error-responses-500",
  "owasp:api8:2023-define-error-validation",
  "owasp:api9:2023-inventory-access",
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "readers-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(editions)("the bundle %s is valid for Scalar's parser", async (edition) => {
  const text = readFileSync(bundleFile(edition, "json"), "utf8");
  expect(await validate(text)).toMatchObject({ valid: true, version: "3.1" });
});

// The bundle `latest` is a subset of `test` (test/contract/bundle/edition.test.ts).
describe("the bundle test", () => {
  const file = bundleFile("test", "json");
  const { operations } = readContract(JSON.parse(readFileSync(file, "utf8")));
  const missing = (isThere: (operationId: string) => boolean) =>
    operations.map(({ operationId }) => operationId).filter((operationId) => !isThere(operationId));

  it("gives swagger-typescript-api a method for every operation", async () => {
    const { files } = await generateApi({ input: file, output: false, silent: true });
    const generated = files.map(({ fileContent }) => fileContent).join("\n");
    expect(missing((operationId) => new RegExp(`\\b${operationId}: \\(`).test(generated))).toEqual([]);
  });

  it("gives oazapfts a function for every operation", async () => {
    const generated = await generateSource(file);
    expect(missing((operationId) => generated.includes(`export function ${operationId}(`))).toEqual([]);
  });

  it("gives openapi-zod-client an endpoint for every operation", async () => {
    const output = join(folder, "zod.ts");
    const args = [file, "--output", output, "--with-alias", "--with-deprecated"];
    const { exitCode, stderr } = await x(join(binaries, "openapi-zod-client"), args);
    expect(exitCode, stderr).toBe(0);
    const generated = readFileSync(output, "utf8");
    expect(missing((operationId) => generated.includes(`alias: "${operationId}"`))).toEqual([]);
  });

  it("breaks no rule of IBM's validator but its conventions", async () => {
    // Runs in another folder, because the tool uses the .spectral.yaml of the working directory.
    const options = { nodeOptions: { cwd: folder } };
    const { stdout } = await x(join(binaries, "lint-openapi"), ["--json", "--errors-only", file], options);
    const { error } = JSON.parse(stdout) as { error: { results: { rule: string }[] } };
    const broken = new Set(error.results.map(({ rule }) => rule));
    expect([...broken].filter((rule) => !ibmConventions.includes(rule))).toEqual([]);
    expect(broken.size).toBeGreaterThan(0);
  });

  it("breaks no rule of OWASP's rule set but those about what is not stated", async () => {
    const ruleset = `${projectRoot}/test/peers/consumers/owasp.spectral.yaml`;
    const args = ["lint", file, "--ruleset", ruleset, "--format", "json", "--quiet"];
    const { stdout } = await x(`${projectRoot}/node_modules/.bin/spectral`, args);
    const results = JSON.parse(stdout) as { code: string }[];
    const broken = new Set(results.map(({ code }) => code));
    expect([...broken].filter((rule) => !owaspUnstated.includes(rule))).toEqual([]);
    expect(broken.size).toBeGreaterThan(0);
  });
});
