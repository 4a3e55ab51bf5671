/** Says where a value breaks its schema. */

import { ruleOf } from "../answer/violations.ts";
import type { SchemaError } from "../plan/plan.ts";

/** What Ajv adds about the parts of a choice, and says better of one of them. */
const ofChoices = ["oneOf", "anyOf", "allOf", "if"];

/**
 * One line for each place, without values.
 *
 * @param errors of a validator.
 */
export function findingsOf(errors: readonly SchemaError[] | null | undefined): string[] {
  const places = new Map<string, SchemaError[]>();
  for (const error of errors ?? []) {
    places.set(error.instancePath, [...(places.get(error.instancePath) ?? []), error]);
  }
  if (places.size === 0) return ["The body breaks the contract."];
  return [...places].map(([path, found]) => {
    const said = found.filter(({ keyword }) => !ofChoices.includes(keyword));
    const texts = new Set((said.length === 0 ? found : said).map(ruleOf));
    return `${path === "" ? "The body" : path.slice(1).replaceAll("/", ".")} ${[...texts].join(" or ")}`;
  });
}
