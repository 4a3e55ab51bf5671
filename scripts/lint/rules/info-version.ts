import type { Rule } from "../rule.ts";

/**
 * The version of the contract is the version of the package.
 *
 * Why: partners see the one in the docs and install the other.
 */
export const infoVersion: Rule = {
  name: "info-version",
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
