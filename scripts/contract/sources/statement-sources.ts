import { UsageError } from "../../base/index.ts";
import { type Provenance, provenances } from "../model/index.ts";
import { refuse } from "./complete-value.ts";
import { Sources } from "./sources.ts";

/** See the comment in `openapi/sources.yaml`. */
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

/** @throws {UsageError} if the file cannot be read or is not a list, or an entry lacks a key or has a wrong value. */
export function readStatementSources(sources: Sources = new Sources()): StatementSource[] {
  const file = sources.nameOf(sources.layout.statements);
  const statementSources = sources.read<StatementSource[]>(sources.layout.statements);
  if (!Array.isArray(statementSources)) throw new UsageError(`${file} must be a list of sources.`);
  for (const source of sources.location(sources.layout.statements).items()) {
    const problem = problemOf(Object(source.value));
    if (problem !== undefined) refuse(source, problem);
  }
  return statementSources;
}

function problemOf({ name, provenance, kind, seen, sections }: Partial<StatementSource>): string | undefined {
  if (typeof name !== "string" || typeof kind !== "string") return "needs a name and a kind, each a text";
  if (provenance === undefined || !provenances.includes(provenance) || (provenance as Provenance) === "proposed") {
    return "needs a provenance: specification, reference or observed";
  }
  if (!/^\d{4}-\d\d-\d\d$/.test(seen ?? "")) return "needs the day on which it was seen, as YYYY-MM-DD";
  const lists = Object.values(Object(sections));
  const hasHeadings = lists.length > 0 && lists.every((headings) => Array.isArray(headings) && headings.length > 0);
  return hasHeadings ? undefined : "needs sections: lists of headings by area";
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
