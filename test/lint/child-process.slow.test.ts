import { expect, it } from "vitest";
import { lintInChildProcess } from "../../scripts/lint/index.ts";
import { bundledContractOf, copyOf } from "../support/contract.ts";

it("lint in a child process reports a finding of the bundle at the line of the YAML file", async () => {
  const { places } = await bundledContractOf("test");
  const document = await copyOf("test");
  Object.assign(document.components?.schemas?.User as object, { type: "text" });
  const findings = await lintInChildProcess(Promise.resolve({ document, places }));
  expect(findings).toMatchObject([
    { rule: "oas3-schema", file: expect.stringMatching(/openapi\/schemas\/user\.yaml$/) },
  ]);
});

it("lint in a child process throws the error of the contract", async () => {
  const contract = Promise.reject(new Error("The bundle failed."));
  await expect(lintInChildProcess(contract)).rejects.toThrow("The bundle failed.");
});
