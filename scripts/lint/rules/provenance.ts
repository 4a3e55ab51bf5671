import { type Place, type Provenance, provenances, type Subject, walkSchema, weakest } from "../../contract/index.ts";
import type { Rule } from "../rule.ts";

export const provenance: Rule = {
  name: "provenance",
  states:
    "Every operation, webhook and P-code carries `x-provenance`. Any other mark is weaker than what encloses it, at one place of use at least; that of an effect, trigger, event, path or dedupe key in its entry. `extension-value` judges the values.",
  why: "A reader must always be able to tell what is stated, what was seen and what was designed here. A mark can only weaken: one that does not weaken claims more than anybody has stated, or says nothing.",
  wrong: `
post:
  operationId: createTransfer
  x-provenance: reference
  parameters:
    - name: currency
      in: query
      x-provenance: specification`,
  right: `
post:
  operationId: createTransfer
  x-provenance: reference
  parameters:
    - name: currency
      in: query`,
  judge(contract, check) {
    const { subjects, catalogue, extensions } = contract;
    const values = extensions.at("x-provenance", "schema", "enum").items();
    const remedy = `Add x-provenance, one of ${values.map(({ value }) => value).join(", ")}`;
    for (const { label, place } of subjects) {
      check(place.own("x-provenance").exists, place, `${label} does not say where it comes from`, remedy);
    }
    for (const place of catalogue) {
      check(place.own("x-provenance").exists, place, "The P-code does not say where it comes from", remedy);
    }
    const marks = new Marks();
    for (const subject of subjects) marks.ofSubject(subject);
    for (const { place, weakens } of marks.all) {
      if (catalogue.some(({ file }) => file === place.file)) continue;
      const problem = `The mark ${place.value} is not weaker than what encloses it, wherever it is used`;
      check(weakens, place, problem, "Remove it, or mark what encloses it as surer");
    }
  },
};

/** The marks on parts of operations and webhooks, and whether each weakens anything anywhere. */
class Marks {
  readonly #found = new Map<string, { place: Place; weakens: boolean }>();

  get all(): { place: Place; weakens: boolean }[] {
    return [...this.#found.values()];
  }

  ofSubject(subject: Subject): void {
    const { place, provenance: own, parameters, requestBody, answers } = subject;
    if (own === undefined) return;
    for (const parameter of parameters) this.#schema(parameter.schema, this.#enter(parameter.place, own));
    for (const holder of requestBody === undefined ? answers : [requestBody, ...answers]) {
      const enclosing = this.#enter(holder.place, own);
      for (const { schema, examples } of holder.bodies) {
        this.#schema(schema, enclosing);
        for (const example of examples) this.#enter(example.place, enclosing);
      }
    }
    const entries = [...place.own("x-effects").items(), ...place.own("x-triggers").items()];
    for (const entry of [...entries, ...["x-event", "x-webhook-path", "x-dedupe-key"].map((key) => place.own(key))]) {
      this.#note(entry.own("provenance"), own);
    }
  }

  #schema(outermost: Place, enclosing: Provenance): void {
    walkSchema(outermost, (schema, { way }) => {
      const outer = weakest(enclosing, ...way.map((above) => markAt(above.own("x-provenance"))));
      const inner = this.#note(schema.own("x-provenance"), outer);
      for (const [, value] of schema.own("x-open-enum").entries()) this.#note(value.own("provenance"), inner);
    });
  }

  /** Notes the marks on a node and on what it refers to; returns its effective provenance. */
  #enter(node: Place, enclosing: Provenance): Provenance {
    const own = this.#note(node.own("x-provenance"), enclosing);
    return node.target.id === node.id ? own : this.#enter(node.target, own);
  }

  #note(place: Place, enclosing: Provenance): Provenance {
    const mark = markAt(place);
    if (mark === undefined) return enclosing;
    const effective = weakest(enclosing, mark);
    const weakens = effective !== enclosing || (this.#found.get(place.id)?.weakens ?? false);
    this.#found.set(place.id, { place, weakens });
    return effective;
  }
}

/** A mark; undefined where there is none, or where it has another value, which extension-value reports. */
function markAt({ value }: Place): Provenance | undefined {
  return provenances.find((known) => known === value);
}
