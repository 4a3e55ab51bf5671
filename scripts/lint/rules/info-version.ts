import type { Rule } from "../rule.ts";

export const infoVersion: Rule = {
  name: "info-version",
  states: "The version of the contract is the version of the package.",
  why: "The docs show the one, and partners install the other.",
  wrong: `
# package.json: "version": "0.2.0"
info:
  version: 0.1.0`,
  right: `
# package.json: "version": "0.2.0"
info:
  version: 0.2.0`,
  judge({ root, packageVersion }, check) {
    const version = root.at("info", "version");
    check(
      version.value === packageVersion,
      version,
      `The contract has the version ${version.value}, package.json has ${packageVersion}`,
      "Give both the same version",
    );
  },
};
