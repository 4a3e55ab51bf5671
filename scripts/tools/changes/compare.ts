/** Compares two versions of the contract. */
import {
  type Contract,
  type Edition,
  editions,
  isCode,
  type OpenApiDocument,
  type Provenance,
  readContract,
} from "../../contract/model/index.ts";
import { type Element, elementsOf, type Kind } from "./elements.ts";
import { judgeAdded, judgeChanged, judgeRemoved, type Severity, type Verdict } from "./rules.ts";

/** A difference, in one element. */
export interface Change {
  /** Names it in `openapi/exemptions.yaml`: `createTransfer/request/amount required`. */
  readonly id: string;
  readonly severity: Severity;
  /** Whether what has changed was only proposed. It may change at any time, so an incompatible change of it counts as additive. */
  readonly proposed: boolean;
  /** operationId, key of a webhook, P-code or name of a schema, as it was. */
  readonly subject: string;
  readonly kind: Kind | "type";
  /** "field `amount` of the request". */
  readonly element: string;
  /** For a partner; it begins with the element and does not name the subject. */
  readonly sentence: string;
  readonly provenance: Provenance;
  /** The editions that have the element. */
  readonly editions: readonly Edition[];
}

/**
 * Compares two versions of the contract.
 *
 * @param before the published document of the edition that has everything, of the earlier version; likewise `after`.
 * @returns the differences in the order of the contract, those of one element together.
 */
export function compareContracts(before: OpenApiDocument, after: OpenApiDocument): Change[] {
  const [old, now] = [readContract(before), readContract(after)];
  const [elementsBefore, elementsAfter] = [elementsOf(old), elementsOf(now, formerNames(old, now))];
  const changes: Change[] = [];
  for (const element of elementsAfter.values()) {
    const known = elementsBefore.get(element.id);
    if (known !== undefined) {
      for (const [fact, verdict] of judgeChanged(known, element)) changes.push(toChange(known, fact, verdict));
    } else if (element.parent === "" || elementsBefore.has(element.parent)) {
      // A partner relied on what the container said before, not on the new element.
      const { provenance } = elementsBefore.get(element.parent) ?? element;
      changes.push(toChange({ ...element, provenance }, "added", judgeAdded(element)));
    }
  }
  for (const element of elementsBefore.values()) {
    const isPart = element.parent !== "" && !elementsAfter.has(element.parent);
    if (!elementsAfter.has(element.id) && !isPart) changes.push(toChange(element, "removed", judgeRemoved(element)));
  }
  return [...changes, ...goneTypes(before, after)];
}

/** The names of schemas are those of types that programs import. P-codes are elements. */
function goneTypes(before: OpenApiDocument, after: OpenApiDocument): Change[] {
  const left = Object.keys(after.components?.schemas ?? {});
  const gone = Object.keys(before.components?.schemas ?? {}).filter((name) => !left.includes(name) && !isCode(name));
  return gone.map((name) => ({
    ...{ id: `schemas/${name} removed`, severity: "breaking", proposed: false, subject: name, kind: "type" },
    ...{ element: "the type", sentence: "the type is gone. Correct what imports it.", provenance: "specification" },
    editions,
  }));
}

function toChange(element: Element, fact: string, { severity, sentence }: Verdict): Change {
  const { id, subject, kind, name, provenance, editions } = element;
  const proposed = provenance === "proposed";
  return {
    id: `${id} ${fact}`,
    severity: proposed && severity === "breaking" ? "additive" : severity,
    proposed,
    subject,
    kind,
    element: name,
    sentence: `${name} ${sentence}`,
    provenance,
    editions,
  };
}

/** The former names of operations that kept their method and path, and of webhooks that kept their path. */
function formerNames(before: Contract, after: Contract): Map<string, string> {
  const renamed = new Map<string, string>();
  const pair = <Item extends { name: string }>(old: Item[], now: Item[], keyOf: (item: Item) => string) => {
    const gone = old.filter(({ name }) => !now.some((item) => item.name === name));
    for (const item of now.filter(({ name }) => !old.some((former) => former.name === name))) {
      const former = gone.find((each) => keyOf(each) === keyOf(item));
      if (former !== undefined) renamed.set(item.name, former.name);
    }
  };
  pair(before.operations, after.operations, ({ method, path }) => `${method} ${path}`);
  pair(before.webhooks, after.webhooks, ({ path }) => path);
  return renamed;
}
