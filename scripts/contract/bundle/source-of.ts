import { keysOf, referencesIn, type SourceLocation } from "../model/index.ts";
import { lineOf, type Sources } from "../sources/index.ts";

/** Where the value at a pointer of the bundle is written. For what bundling has added: where the enclosing value is written. */
export function sourceOf(pointer: string, sources: Sources): SourceLocation {
  const [root, section = "", name, ...innerKeys] = keysOf(pointer);
  const isComponent = ({ nextTarget: target }: SourceLocation) =>
    target.name === name && target.child("in").exists === (section === "parameters");
  const references = () => sources.paths.flatMap((file) => referencesIn(sources.linkedLocation(file)));
  const component = root === "components" ? references().find(isComponent)?.nextTarget : undefined;
  let location = component ?? sources.linkedLocation(sources.rootFile);
  for (const key of component === undefined ? keysOf(pointer) : innerKeys) {
    const inner = location.at(key);
    if (!inner.exists) break;
    location = inner;
  }
  return location;
}

/** The place for messages, such as `openapi/schemas/order.yaml:12:3`. */
export function placeOf(pointer: string, sources: Sources): string {
  const { file, line, column } = lineOf(sourceOf(pointer, sources));
  return `${sources.nameOf(file)}:${line}:${column}`;
}
