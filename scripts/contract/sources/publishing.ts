/** publishing.yaml: where the package is published, and addresses of its source, support and status page. */
import { projectRoot, UsageError } from "../model/index.ts";
import { readYaml } from "./read-yaml.ts";

/** The values of publishing.yaml. Each is null until it is known. */
export interface Publishing {
  /** "npm" for the default registry of npm, or the https address of another one. */
  readonly registry: string | null;
  /** https address of the source. */
  readonly repository: string | null;
  /** https or mailto address for questions. */
  readonly support: string | null;
  /** https address of the status page. */
  readonly status: string | null;
}

const forms: Record<keyof Publishing, RegExp> = {
  registry: /^(npm|https:\/\/\S+)$/,
  repository: /^https:\/\/\S+$/,
  support: /^(https:\/\/|mailto:)\S+$/,
  status: /^https:\/\/\S+$/,
};

/**
 * Reads where the package is published.
 *
 * @param file absolute path; `publishing.yaml` of the repository by default.
 * @throws {UsageError} when the file cannot be read, or a key is missing, unknown or malformed.
 */
export function readPublishing(file = `${projectRoot}/publishing.yaml`): Publishing {
  const values = { ...readYaml<Record<string, unknown>>(file, "The setting") };
  const unknown = Object.keys(values).find((key) => !Object.hasOwn(forms, key));
  if (unknown !== undefined) {
    throw new UsageError(`${file} has the key "${unknown}". Known keys: ${Object.keys(forms).join(", ")}.`);
  }
  for (const [key, form] of Object.entries(forms)) {
    if (values[key] !== null && !form.test(String(values[key]))) {
      throw new UsageError(`${file}: ${key} must be null or have the form ${form.source}.`);
    }
  }
  return values as unknown as Publishing;
}

/**
 * The command that installs the package.
 *
 * @param options `name` and `version` of the package; `siteUrl`: the address of the site, with a slash at the end, which serves the package
 * until a registry has it.
 */
export function installCommand(
  { registry }: Publishing,
  { name, version, siteUrl }: { name: string; version: string; siteUrl: string },
): string {
  if (registry === null) return `npm install ${siteUrl}${name}-${version}.tgz`;
  return `npm install ${name}${registry === "npm" ? "" : ` --registry ${registry}`}`;
}
