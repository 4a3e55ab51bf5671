/** The rule about provenance marks. */
import {
  markOn,
  type Place,
  type Provenance,
  provenances,
  type Subject,
  type Visit,
  walkSchema,
  weakest,
} from "../../contract/model/index.ts";
import type { Judge } from "../rule.ts";

export const provenanceRules: Record<string, Judge> = {
  provenance({ subjects, catalogue, files }, check) {
    const values = files.extensions.at("x-provenance", "schema", "enum").items();
    const remedy = `Add x-provenance, one of ${values.map(({ value }) => value).join(", ")}`;
    for (const { label, place } of subjects) {
      check(place.own("x-provenance").exists, place, `${label} does not say where it comes from`, remedy);
    }
    for (const place of catalogue) {
      check(place.own("x-provenance").exists, place, "The P-code does not say where it comes from", remedy);
    }
    const marks = new Marks();
    for (const subject of subjects) marks.ofSubject(subject);
    for (const { place, weakens } of marks.found.values()) {
      if (catalogue.some(({ file }) => file === place.file)) continue;
      const problem = `The mark ${place.value} is not weaker than what encloses it, wherever it is used`;
      check(weakens, place, problem, "Remove it, or mark what encloses it as surer");
    }
  },
};

/** The marks on parts of operations and webhooks, and whether each of them weakens the enclosing provenance somewhere. */
class Marks {
  /** By the id of their node. */
  readonly found = new Map<string, { place: Place; weakens: boolean }>();

  ofSubject(subject: Subject): void {
    const { place, provenance: own, parameters, requestBody, responses } = subject;
    if (own === undefined) return;
    for (const parameter of parameters) {
      this.#chain(parameter.place, own);
      this.#schema(parameter.schema, parameter.effective);
    }
    for (const holder of requestBody === undefined ? responses : [requestBody, ...responses]) {
      this.#chain(holder.place, own);
      for (const { schema, examples } of holder.bodies) {
        this.#schema(schema, holder.effective);
        for (const example of examples) this.#chain(example.place, holder.effective);
      }
    }
    const entries = [...place.own("x-effects").items(), ...place.own("x-triggers").items()];
    for (const entry of [...entries, ...["x-event", "x-webhook-path", "x-dedupe-key"].map((key) => place.own(key))]) {
      this.#record(entry.own("provenance"), own);
    }
  }

  #schema(outermost: Place, enclosing: Provenance): void {
    const visit = (schema: Place, { enclosing: outer, provenance }: Visit) => {
      this.#record(schema.own("x-provenance"), outer);
      for (const [, value] of schema.own("x-open-enum").entries()) this.#record(value.own("provenance"), provenance);
    };
    walkSchema(outermost, visit, { enclosing });
  }

  /** Records the marks on a node and on the targets of its references. */
  #chain(node: Place, enclosing: Provenance): void {
    this.#record(node.own("x-provenance"), enclosing);
    if (node.target.id !== node.id) this.#chain(node.target, weakest(enclosing, markOn(node)));
  }

  /** Records a mark. The rule extension-value reports an invalid value. */
  #record(place: Place, enclosing: Provenance): void {
    const mark = provenances.find((known) => known === place.value);
    if (mark === undefined) return;
    const weakens = weakest(enclosing, mark) !== enclosing || (this.found.get(place.id)?.weakens ?? false);
    this.found.set(place.id, { place, weakens });
  }
}
