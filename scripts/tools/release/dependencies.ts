import { existsSync, readFileSync } from "node:fs";
import { projectRoot } from "../../base/index.ts";
import { bundledPackages } from "../packaging/index.ts";

export interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Whether partners receive the code: installed as a dependency, or bundled into the mock. */
  readonly isShipped: boolean;
  /** Whether npm installs the package only for development. If the package is also shipped, the mock contains its code. */
  readonly isDevelopment: boolean;
  readonly hasInstallScript: boolean;
}

const permissiveLicences = "MIT ISC Apache-2.0 BSD-2-Clause BSD-3-Clause 0BSD".split(" ");
const licencesForTools = [
  ...permissiveLicences,
  ..."BlueOak-1.0.0 CC0-1.0 MPL-2.0 PSF-2.0 Python-2.0 Unlicense".split(" "),
];

interface Lock {
  packages: Record<string, { version?: string; license?: string; dev?: true; hasInstallScript?: true }>;
}

export function readDependencies(): Dependency[] {
  const { packages }: Lock = JSON.parse(readFileSync(`${projectRoot}/package-lock.json`, "utf8"));
  return Object.entries(packages)
    .filter(([path]) => path !== "")
    .map(([path, { version = "", license = licenceIn(path), dev = false, hasInstallScript = false }]) => {
      const name = path.replace(/^.*node_modules\//, "");
      const isShipped = !dev || isBundled(path, Object.keys(packages));
      return { name, version, licence: license, isShipped, isDevelopment: dev, hasInstallScript };
    })
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}

/**
 * Whether the mock contains the code of an installed package. If packages need different versions of a package, npm installs one version at
 * the top, and another below the package that needs it:
 *
 * - `node_modules/ajv`: bundled.
 * - `node_modules/@redocly/openapi-core/node_modules/js-yaml`: bundled, because both packages are.
 * - `node_modules/js-yaml`: not bundled, because the version above replaces it in the bundle.
 * - `node_modules/json-schema-ref-parser/node_modules/js-yaml`: not bundled, because json-schema-ref-parser is not.
 *
 * @param paths the paths of all packages, as in package-lock.json.
 */
function isBundled(path: string, paths: readonly string[]): boolean {
  const isReplaced = paths.some((other) => other.endsWith(`/${path}`) && hasOnlyBundledNames(other));
  return hasOnlyBundledNames(path) && !isReplaced;
}

function hasOnlyBundledNames(path: string): boolean {
  const [, ...names] = path.split(/\/?node_modules\//);
  return names.every((name) => bundledPackages.includes(name));
}

/** The licences in `licenses`, a key of old package.json files; empty if there are none, or the package is not installed. */
function licenceIn(path: string): string {
  const file = `${projectRoot}/${path}/package.json`;
  if (!existsSync(file)) return "";
  const { licenses = [] }: { licenses?: { type: string }[] } = JSON.parse(readFileSync(file, "utf8"));
  return licenses.map(({ type }) => type).join(" OR ");
}

export function dependencyProblems(
  dependencies: readonly Dependency[],
  requestedVersions: Readonly<Record<string, string>>,
): string[] {
  const versionRanges = Object.entries(requestedVersions).filter(
    ([, version]) => !/^(npm:.+@)?\d+\.\d+\.\d+$/.test(version),
  );
  const refusedDependencies = dependencies.filter(({ licence, isShipped }) => {
    const licenceNames = licence.replace(/[()]/g, "").split(" OR ");
    return !licenceNames.some((licenceName) =>
      (isShipped ? permissiveLicences : licencesForTools).includes(licenceName),
    );
  });
  return [
    ...versionRanges.map(([name, version]) => `package.json asks for ${name} ${version}. Name one version.`),
    ...refusedDependencies.map(
      ({ name, version, licence }) =>
        `${name}@${version} has the licence "${licence}". Do without it, or agree to the licence in scripts/tools/release/dependencies.ts.`,
    ),
  ];
}

export function dependencyReport(dependencies: readonly Dependency[]): string {
  const shippedDependencies = dependencies.filter((dependency) => dependency.isShipped);
  const scripts = dependencies.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  const licences = dependencies.map(({ licence }) => licence).sort();
  const counts = [...new Set(licences)].map(
    (name) => `${name} ${licences.filter((licence) => licence === name).length}`,
  );
  const wayOfUse = ({ name, isDevelopment }: Dependency) =>
    [
      ...(isDevelopment ? [] : ["dependency"]),
      ...(bundledPackages.includes(name) ? ["its code is in the mock"] : []),
    ].join("; ");
  return `# Dependencies

## Shipped

| Package | Version | Licence | How |
| --- | --- | --- | --- |
${shippedDependencies.map((dependency) => `| ${dependency.name} | ${dependency.version} | ${dependency.licence} | ${wayOfUse(dependency)} |\n`).join("")}
## For building and testing

${dependencies.length - shippedDependencies.length} packages, with the licences ${counts.join(", ")}.

Install scripts: ${scripts.length} (${scripts.join(", ")}). None runs, here or at a partner: \`.npmrc\` turns them off, and nothing that is shipped has one.

Telemetry: none. The build and the tests pass without a network (\`.ci/offline\`).
`;
}
