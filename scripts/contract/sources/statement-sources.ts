import { type Provenance, provenances } from "../model/index.ts";
import { Sources } from "./sources.ts";
import { listOf, mapWith, text, textList, valueOfForm } from "./value-of-form.ts";

/** An entry of `openapi/sources.yaml`, whose first lines describe the fields. */
export interface StatementSource {
  readonly name: string;
  readonly provenance: Exclude<Provenance, "proposed">;
  readonly kind: string;
  /** The day on which the source was read, as YYYY-MM-DD. */
  readonly seen: string;
  /** Headings of the source by area of the contract. Headings that concern every area are under {@link allAreas}. */
  readonly sections: Readonly<Record<string, readonly string[]>>;
}

export const allAreas = "Everywhere";

/** @throws {UsageError} if the file cannot be read, or an entry is malformed or names an unknown area. */
export function readStatementSources(sources: Sources = new Sources()): StatementSource[] {
  const tags = sources.location(sources.rootFile).child("tags").items();
  return valueOfForm(
    sources.location(sources.layout.statements),
    formWith([allAreas, ...tags.flatMap((tag) => tag.text("name") ?? [])]),
  );
}

function formWith(areas: readonly string[]): object {
  const sections = mapWith({}, Object.fromEntries(areas.map((area) => [area, { ...textList, minItems: 1 }])));
  const source = mapWith({
    name: text,
    provenance: { enum: provenances.filter((provenance) => provenance !== "proposed") },
    kind: text,
    seen: { description: "the day on which it was read, as YYYY-MM-DD", type: "string", format: "date" },
    sections: { ...sections, description: "lists of headings by area", minProperties: 1 },
  });
  return listOf(source);
}

/**
 * Returns a text for each source that has the provenance and sections about the area, such as "interface specification: User, Create User
 * Account".
 */
export function sectionsOf(area: string, provenance: Provenance, sources: readonly StatementSource[]): string[] {
  const matchingSources = sources.filter((source) => source.provenance === provenance);
  return matchingSources.flatMap(({ name, sections: { [area]: headings = [] } }) => {
    return headings.length > 0 ? [`${name}: ${headings.join(", ")}`] : [];
  });
}
