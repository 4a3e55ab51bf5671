import { dirname, resolve } from "node:path";
import type { Ref, SourceLocation } from "../model/index.ts";

/** Matches the end of a pointer to a subschema that describes the same value as its parent schema. */
const sameValueSuffix = /\/(?:(?:allOf|anyOf|oneOf)\/\d+|not|if|then|else)$/;

/** Selects the references that lead back to themselves, through other references or through parts of a schema such as `allOf`. */
export function circularReferences(references: readonly SourceLocation[]): SourceLocation[] {
  const referencesBySchema = new Map<string, SourceLocation[]>();
  for (const reference of references) {
    for (let schema = reference.id; ; schema = schema.replace(sameValueSuffix, "").replace(/#$/, "#/")) {
      referencesBySchema.set(schema, [...(referencesBySchema.get(schema) ?? []), reference]);
      if (!sameValueSuffix.test(schema)) break;
    }
  }
  const isCircular = (reference: SourceLocation): boolean => {
    const visitedReferences = new Set<SourceLocation>();
    const pendingReferences = [reference];
    for (
      let currentReference = pendingReferences.pop();
      currentReference !== undefined;
      currentReference = pendingReferences.pop()
    ) {
      for (const target of referencesBySchema.get(targetIdOf(currentReference)) ?? []) {
        if (target === reference) return true;
        if (!visitedReferences.has(target)) pendingReferences.push(target);
        visitedReferences.add(target);
      }
    }
    return false;
  };
  return references.filter(isCircular);
}

function targetIdOf({ file, value }: SourceLocation): string {
  const [path = "", pointer = ""] = (value as Ref).$ref.split("#");
  return `${path === "" ? file : resolve(dirname(file), path)}#${pointer || "/"}`;
}
