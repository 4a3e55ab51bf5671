import { readFileSync } from "node:fs";
import { escapePattern, projectRoot, UsageError } from "../../base/index.ts";
import { parseYaml } from "../../contract/sources/index.ts";
import type { Change } from "./compare.ts";

export interface Exemption {
  /** The id of a change; `*` matches any characters. */
  readonly change: string;
  readonly reason: string;
  /** The last valid day, as YYYY-MM-DD (UTC). */
  readonly expires: string;
}

const file = "openapi/exemptions.yaml";

const patterns: Record<keyof Exemption, RegExp> = { change: /\S/, reason: /\S/, expires: /^\d{4}-\d\d-\d\d$/ };

/** @throws {UsageError} if the text is not a list, or an entry is malformed. */
export function readExemptions(text: string = readFileSync(`${projectRoot}/${file}`, "utf8")): Exemption[] {
  const entries: unknown = parseYaml(text) ?? [];
  if (!Array.isArray(entries))
    throw new UsageError(`${file} has to be a list of entries with change, reason and expires.`);
  entries.forEach((entry: unknown, index) => {
    const values = { ...(entry as Record<string, unknown>) };
    const isComplete = Object.entries(patterns).every(([key, pattern]) => {
      return typeof values[key] === "string" && pattern.test(values[key]);
    });
    const keyText = Object.keys(values).join(", ");
    if (isComplete && Object.keys(values).length === 3 && !Number.isNaN(Date.parse(String(values.expires)))) return;
    throw new UsageError(
      `${file}: entry ${index + 1} needs change, reason and expires, each a text, expires as "YYYY-MM-DD"; it has ${keyText || "nothing"}.`,
    );
  });
  return entries as Exemption[];
}

/**
 * @param today as YYYY-MM-DD.
 * @returns `otherChanges`: the changes without exemption; `exemptionByChange`: the exempt changes with their exemptions; `problems`: a
 * message for each exemption that has expired, or matches no breaking change.
 */
export function applyExemptions(
  changes: readonly Change[],
  exemptions: readonly Exemption[],
  today: string,
): { otherChanges: Change[]; exemptionByChange: ReadonlyMap<Change, Exemption>; problems: string[] } {
  const breakingChanges = changes.filter(({ severity }) => severity === "breaking");
  const exemptionByChange = new Map<Change, Exemption>();
  const problems = exemptions.flatMap((exemption) => {
    const { change, expires } = exemption;
    if (expires < today)
      return `${file}: the exemption of "${change}" expired on ${expires}. Remove it, or decide on it again.`;
    const pattern = new RegExp(`^${change.split("*").map(escapePattern).join(".*")}$`);
    const exemptChanges = breakingChanges.filter(({ id }) => pattern.test(id));
    for (const exemptChange of exemptChanges) exemptionByChange.set(exemptChange, exemption);
    return exemptChanges.length > 0 ? [] : `${file}: no breaking change is called "${change}". Remove the exemption.`;
  });
  return { otherChanges: changes.filter((change) => !exemptionByChange.has(change)), exemptionByChange, problems };
}
