import { isData, keysOf, type SourceLocation, subschemasOf } from "../model/index.ts";
import { positionText, reportedPosition, type Sources } from "../sources/index.ts";

/** Where the value at a pointer of the bundle is written. For what bundling has added: where the enclosing value is written. */
export function sourceOf(pointer: string, sources: Sources): SourceLocation {
  return sourceFinder(sources)(pointer);
}

/** {@link sourceOf} for several pointers. */
export function sourceFinder(sources: Sources): (pointer: string) => SourceLocation {
  const root = sources.linkedLocation(sources.rootFile);
  const components = referencedComponents(root);
  return (pointer) => {
    const [holder, section, name, ...innerKeys] = keysOf(pointer);
    const component = holder === "components" ? components.get(`${section}/${name}`) : undefined;
    let location = component ?? root;
    for (const key of component === undefined ? keysOf(pointer) : innerKeys) {
      const inner = location.at(key);
      if (!inner.exists) break;
      location = inner;
    }
    return location;
  };
}

/** The position for messages, such as `openapi/schemas/order.yaml:12:3`. */
export function positionOf(pointer: string, sources: Sources): string {
  return positionText(reportedPosition(sourceOf(pointer, sources)), sources);
}

/** The components that references from the root document reach, by section and name. */
function referencedComponents(root: SourceLocation): Map<string, SourceLocation> {
  const components = new Map<string, SourceLocation>();
  const visitedIds = new Set<string>();
  const visit = ([section, location]: Part): void => {
    if (visitedIds.has(location.id)) return;
    visitedIds.add(location.id);
    const { target } = location;
    const id = `${section}/${target.name}`;
    if (target !== location && !components.has(id)) components.set(id, target);
    for (const part of [[section, target] as const, ...partsOf(section, location)]) visit(part);
  };
  visit(["", root]);
  return components;
}

/** An object of the contract, and the section of the components that has such objects. */
type Part = readonly [section: string, location: SourceLocation];

const memberSections = ["parameters", "responses", "headers", "examples", "links", "callbacks"];

function partsOf(section: string, location: SourceLocation): Part[] {
  if (section === "schemas") return subschemasOf(location).map(({ schema }) => [section, schema]);
  return location.children().flatMap(([key, part]): Part[] => {
    if (key.startsWith("x-") || isData(key, part.value)) return [];
    if (key === "components") return part.children().flatMap(([inner, map]) => membersOf(inner, map));
    if (memberSections.includes(key)) return membersOf(key, part);
    return [[{ schema: "schemas", requestBody: "requestBodies" }[key] ?? "", part]];
  });
}

function membersOf(section: string, map: SourceLocation): Part[] {
  return map.children().map(([, member]) => [section, member]);
}
