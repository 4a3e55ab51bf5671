import { UsageError } from "../../base/index.ts";
import { isMap } from "../model/index.ts";
import { Sources } from "./sources.ts";

/** A value is null if the address does not exist yet. */
export interface Publishing {
  /** "npm" for npm's default registry, or the https address of another registry. */
  readonly registry: string | null;
  readonly repository: string | null;
  readonly support: string | null;
  readonly status: string | null;
}

const address = { form: "an https address", pattern: /^https:\/\/\S+$/ };
const forms: Record<keyof Publishing, { form: string; pattern: RegExp }> = {
  registry: { form: "npm or an https address", pattern: /^(npm|https:\/\/\S+)$/ },
  repository: address,
  support: { form: "an https or mailto address", pattern: /^(https:\/\/|mailto:)\S+$/ },
  status: address,
};

/** @throws {UsageError} if the file cannot be read, or a key is missing, unknown or malformed. */
export function readPublishing(sources: Sources = new Sources()): Publishing {
  const { publishing } = sources.layout;
  const file = sources.nameOf(publishing);
  const values = sources.read<Record<string, unknown>>(publishing);
  if (!isMap(values)) throw new UsageError(`${file} must be a map.`);
  const unknownKey = Object.keys(values).find((key) => !Object.hasOwn(forms, key));
  if (unknownKey !== undefined) {
    throw new UsageError(`${file} has the key "${unknownKey}". Known keys: ${Object.keys(forms).join(", ")}.`);
  }
  for (const [key, { form, pattern }] of Object.entries(forms)) {
    if (values[key] === undefined) throw new UsageError(`${file} needs the key ${key}: null or ${form}.`);
    if (values[key] !== null && !pattern.test(String(values[key]))) {
      throw new UsageError(`${file}: ${key} must be null or ${form}.`);
    }
  }
  return { ...values } as unknown as Publishing;
}

/**
 * The command that installs the package from the registry; without a registry, from the site.
 *
 * @param options.siteUrl ends with a slash.
 */
export function installCommand(
  { registry }: Publishing,
  { name, version, siteUrl }: { name: string; version: string; siteUrl: string },
): string {
  if (registry === null) return `npm install ${siteUrl}${name}-${version}.tgz`;
  return `npm install ${name}${registry === "npm" ? "" : ` --registry ${registry}`}`;
}
