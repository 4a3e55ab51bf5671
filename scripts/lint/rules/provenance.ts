import {
  markOn,
  type Provenance,
  provenances,
  type SourceLocation,
  type Subject,
  type Visit,
  walkSchema,
  weakestProvenance,
} from "../../contract/model/index.ts";
import type { Judge } from "../rule.ts";

export const provenanceRules: Record<string, Judge> = {
  provenance({ subjects, catalogue, files, sources }, check) {
    const valueLocations = files.extensions.at("x-provenance", "schema", "enum").items();
    const remedy = `Add x-provenance, one of ${valueLocations.map(({ value }) => value).join(", ")}`;
    for (const { label, location } of subjects) {
      check(location.child("x-provenance").exists, location, `${label} has no x-provenance`, remedy);
    }
    for (const location of catalogue) {
      check(location.child("x-provenance").exists, location, "The P-code has no x-provenance", remedy);
    }
    const marks = new ProvenanceMarks();
    for (const subject of subjects) marks.addSubject(subject);
    for (const { location, isWeaker } of marks.entries.values()) {
      if (location.file === sources.layout.errors) continue;
      const problem = `The provenance ${location.value} is nowhere weaker than that of the enclosing element`;
      check(isWeaker, location, problem, "Remove it, or give the enclosing element a stronger provenance");
    }
  },
};

class ProvenanceMarks {
  /** `isWeaker`: whether the mark is weaker than the provenance of an enclosing element. */
  readonly entries = new Map<string, { location: SourceLocation; isWeaker: boolean }>();

  addSubject(subject: Subject): void {
    const { location, provenance: subjectProvenance, parameters, requestBody, responses } = subject;
    if (subjectProvenance === undefined) return;
    for (const parameter of parameters) {
      this.#addNode(parameter.location, subjectProvenance);
      this.#addSchema(parameter.schema, parameter.effectiveProvenance);
    }
    for (const holder of requestBody === undefined ? responses : [requestBody, ...responses]) {
      this.#addNode(holder.location, subjectProvenance);
      for (const { schema, examples } of holder.bodies) {
        this.#addSchema(schema, holder.effectiveProvenance);
        for (const example of examples) this.#addNode(example.location, holder.effectiveProvenance);
      }
    }
    const entries = [...location.child("x-effects").items(), ...location.child("x-triggers").items()];
    for (const entry of [
      ...entries,
      ...["x-event", "x-webhook-path", "x-dedupe-key"].map((key) => location.child(key)),
    ]) {
      this.#addMark(entry.child("provenance"), subjectProvenance);
    }
  }

  #addSchema(outermostSchema: SourceLocation, enclosingProvenance: Provenance): void {
    const visit = (schema: SourceLocation, { enclosingProvenance: outerProvenance, provenance }: Visit) => {
      this.#addMark(schema.child("x-provenance"), outerProvenance);
      for (const [, value] of schema.child("x-open-enum").entries())
        this.#addMark(value.child("provenance"), provenance);
    };
    walkSchema(outermostSchema, visit, { enclosingProvenance });
  }

  #addNode(node: SourceLocation, enclosingProvenance: Provenance): void {
    this.#addMark(node.child("x-provenance"), enclosingProvenance);
    if (node.target.id !== node.id) this.#addNode(node.target, weakestProvenance(enclosingProvenance, markOn(node)));
  }

  /** The rule `extension-value` reports an invalid mark. */
  #addMark(location: SourceLocation, enclosingProvenance: Provenance): void {
    const mark = provenances.find((candidate) => candidate === location.value);
    if (mark === undefined) return;
    const isWeaker =
      weakestProvenance(enclosingProvenance, mark) !== enclosingProvenance ||
      (this.entries.get(location.id)?.isWeaker ?? false);
    this.entries.set(location.id, { location, isWeaker });
  }
}
