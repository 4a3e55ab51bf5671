/** Checks the contract with the rule sets of IBM and OWASP, which takes long. */
import { tmpdir } from "node:os";
import { x } from "tinyexec";
import { describe, expect, it } from "vitest";
import { bundleFile, projectRoot } from "../../../scripts/base/index.ts";

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

/**
 * Rules that require statements which the specification lacks: limits of texts, integers, lists and rates, formats of integers, responses to
 * invalid requests, responses with the status 429 or 500, and `x-internal`.
 */
const owaspRulesAboutUnstated = [
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

// The bundle `latest` is a subset of `test` (test/contract/bundle/edition.test.ts).
describe("the bundle test", () => {
  const file = bundleFile("test", "json");

  it("breaks no rule of IBM's validator except IBM's own conventions", async () => {
    // Runs in another folder, because the tool uses the .spectral.yaml of the working directory.
    const options = { nodeOptions: { cwd: tmpdir() } };
    const program = `${projectRoot}/test/peers/node_modules/.bin/lint-openapi`;
    const { stdout } = await x(program, ["--json", "--errors-only", file], options);
    const { error } = JSON.parse(stdout) as { error: { results: { rule: string }[] } };
    const brokenRules = new Set(error.results.map(({ rule }) => rule));
    expect([...brokenRules].filter((rule) => !ibmConventions.includes(rule))).toEqual([]);
    expect(brokenRules.size).toBeGreaterThan(0);
  });

  it("breaks no rule of OWASP's rule set except those that require unstated facts", async () => {
    const ruleset = `${projectRoot}/test/peers/consumers/owasp.spectral.yaml`;
    const args = ["lint", file, "--ruleset", ruleset, "--format", "json", "--quiet"];
    const { stdout } = await x(`${projectRoot}/node_modules/.bin/spectral`, args);
    const results = JSON.parse(stdout) as { code: string }[];
    const brokenRules = new Set(results.map(({ code }) => code));
    expect([...brokenRules].filter((rule) => !owaspRulesAboutUnstated.includes(rule))).toEqual([]);
    expect(brokenRules.size).toBeGreaterThan(0);
  });
});
