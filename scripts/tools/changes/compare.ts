import type { Edition } from "../../base/index.ts";
import { originsOf } from "../../contract/bundle/index.ts";
import {
  type Contract,
  emptyRegisters,
  isCode,
  type OpenApiDocument,
  type Provenance,
  readContract,
  readDelivery,
  readResources,
  SourceLocation,
} from "../../contract/model/index.ts";
import type { Element, Kind } from "./element.ts";
import { editionsOfAny, elementsOf } from "./elements.ts";
import { isOfAnotherForm } from "./forms.ts";
import { judgeAdded, judgeChanged, judgeChoice, judgePresence, judgeRemoved } from "./rules.ts";
import { breaking, type Severity, type Verdict } from "./verdicts.ts";

export interface Change {
  /** The id in `openapi/exemptions.yaml`: `createTransfer/request/amount required`. */
  readonly id: string;
  readonly severity: Severity;
  /** Whether {@link provenance} is `proposed`. Such parts may change at any time, so even an incompatible change counts as additive. */
  readonly proposed: boolean;
  /**
   * The name of the operation, webhook, P-code, resource or schema (if renamed, the former name); `service`; or `webhooks`, for their
   * delivery.
   */
  readonly subject: string;
  readonly kind: Kind | "type";
  readonly element: string;
  /** The name of the property that the element is, or that contains it; absent if there is none. */
  readonly property?: string;
  /** The sentence for partners. Starts with the element's name. Reports put the subject before it. */
  readonly sentence: string;
  /** The earlier provenance of the element. For an added element: the earlier provenance of its parent, or its own if it has no parent. */
  readonly provenance: Provenance;
  readonly editions: readonly Edition[];
}

/**
 * Compares two documents of the edition `test`. The extensions for programs (machine-data.ts) are compared only if both documents are
 * annotated, see {@link bundleAnnotated}.
 *
 * @returns the differences, grouped by element: what was changed or added, in the order of the later contract; what was removed, in the
 * order of the earlier one; and the removed types.
 */
export function compareContracts(before: OpenApiDocument, after: OpenApiDocument): Change[] {
  const earlier = readEarlierContract(before);
  const contract = readAnnotated(after);
  const elements = elementsOf(contract, formerNames(earlier.contract, contract));
  const isOnlyOneAnnotated = resourcesKey in before !== resourcesKey in after;
  const [versionBefore, versionAfter] = isOnlyOneAnnotated
    ? [toVersion(withoutAnnotations(earlier.elements)), toVersion(withoutAnnotations(elements))]
    : [toVersion(earlier.elements), toVersion(elements)];
  return [
    ...[...versionAfter.elements.values()].flatMap((element) => changesOf(element, versionBefore, versionAfter)),
    ...[...versionBefore.elements.values()].flatMap((element) => removalOf(element, versionBefore, versionAfter)),
    ...removedTypes(before, after, earlier.elements),
  ];
}

interface Version {
  readonly elements: Elements;
  /** See {@link idsNeverSent}. */
  readonly unsentIds: ReadonlySet<string>;
}

const toVersion = (elements: Elements): Version => ({ elements, unsentIds: idsNeverSent(elements) });

function changesOf(element: Element, before: Version, after: Version): Change[] {
  const { id, parent } = element;
  const elementBefore = before.elements.get(id);
  const [wasAbsent, isAbsent] = [before.unsentIds.has(id), after.unsentIds.has(id)];
  if (isAbsent && (wasAbsent || elementBefore === undefined)) return [];
  if (elementBefore !== undefined) {
    const judge = wasAbsent === isAbsent ? judgeChanged : judgePresence;
    return [...judge(elementBefore, element)].map(([fact, verdict]) => toChange(elementBefore, fact, verdict));
  }
  const holder = before.elements.get(parent);
  if ((parent !== "" && holder === undefined) || isOfAnotherForm(element, holder)) return [];
  // The parent's provenance counts, since partners relied on the parent before the element was added.
  const { provenance } = holder ?? element;
  const verdict = lacksAlternatives(element, before.elements) ? judgeChoice(true, element) : judgeAdded(element);
  return [toChange({ ...element, provenance }, "added", verdict)];
}

/** Empty if the element was not removed, was never sent, or its removal follows from another change. */
function removalOf(element: Element, before: Version, after: Version): Change[] {
  const { id, parent } = element;
  const holder = after.elements.get(parent);
  const isPart = parent !== "" && holder === undefined;
  if (after.elements.has(id) || isPart || before.unsentIds.has(id)) return [];
  if (after.unsentIds.has(parent) || isOfAnotherForm(element, holder)) return [];
  const verdict = lacksAlternatives(element, after.elements) ? judgeChoice(false, element) : judgeRemoved(element);
  return [toChange(element, "removed", verdict)];
}

/** Whether an element is an alternative of a value that has no alternatives in `others`. */
function lacksAlternatives({ kind, parent }: Element, others: Elements): boolean {
  if (kind !== "alternative") return false;
  return ![...others.values()].some((other) => other.kind === kind && other.parent === parent);
}

type Elements = ReadonlyMap<string, Element>;

/** Fields that are never sent: read-only fields of requests, write-only fields of responses, and the fields inside them. */
function idsNeverSent(elements: Elements): ReadonlySet<string> {
  const absentIds = new Set<string>();
  for (const { id, parent, direction, keywords } of elements.values()) {
    if (keywords[direction === "request" ? "readOnly" : "writeOnly"] === true || absentIds.has(parent))
      absentIds.add(id);
  }
  return absentIds;
}

/** The key under which an annotated document contains `openapi/resources.yaml`. */
export const resourcesKey = "x-resources";

function readAnnotated(document: OpenApiDocument): Contract {
  const register = SourceLocation.ofDocument(document).child(resourcesKey);
  return readContract(document, {
    ...emptyRegisters,
    delivery: readDelivery(register),
    resources: readResources(register, () => undefined),
  });
}

/** Cached, because tests compare an earlier contract many times. */
const earlierContracts = new WeakMap<OpenApiDocument, { contract: Contract; elements: Elements }>();

function readEarlierContract(document: OpenApiDocument): { contract: Contract; elements: Elements } {
  const cachedResult = earlierContracts.get(document);
  if (cachedResult !== undefined) return cachedResult;
  const contract = readAnnotated(document);
  const readResult = { contract, elements: elementsOf(contract) };
  earlierContracts.set(document, readResult);
  return readResult;
}

const machineKinds: readonly Kind[] = [
  ...(["condition", "effect", "trigger", "lookup"] as const),
  ...(["resource", "external event", "lifecycle", "step", "delivery"] as const),
];

function withoutAnnotations(elements: Elements): Elements {
  const keptElements = [...elements].flatMap(([id, element]): [string, Element][] => {
    if (machineKinds.includes(element.kind)) return [];
    if (element.kind !== "code" || element.parent !== "") return [[id, element]];
    const { actor, retry, resolvedBy, ...facts } = element.facts;
    return [[id, { ...element, facts, texts: [] }]];
  });
  return new Map(keptElements);
}

/** P-codes are excluded, because they are compared as elements. */
function removedTypes(before: OpenApiDocument, after: OpenApiDocument, elementsBefore: Elements): Change[] {
  const namesAfter = Object.keys(after.components?.schemas ?? {});
  const removedNames = Object.keys(before.components?.schemas ?? {}).filter(
    (name) => !namesAfter.includes(name) && !isCode(name),
  );
  if (removedNames.length === 0) return [];
  const origins = originsOf(before);
  return removedNames.map((name) => {
    const { provenance = "specification", in: users = [] } = origins.get(name) ?? {};
    const editions = editionsOfAny(users.map((user) => elementsBefore.get(user)?.editions ?? []));
    const type = {
      id: `schemas/${name}`,
      subject: name,
      kind: "type",
      name: "the type",
      provenance,
      editions,
    } as const;
    return toChange(type, "removed", breaking("is gone. Correct what imports it."));
  });
}

type ChangedPart = Pick<Element, "id" | "name"> &
  Pick<Change, "subject" | "kind" | "provenance" | "editions"> & { readonly property?: string | undefined };

function toChange(part: ChangedPart, fact: string, { severity, sentence }: Verdict): Change {
  const { id, subject, kind, name, property, provenance, editions } = part;
  const proposed = provenance === "proposed";
  return {
    id: `${id} ${fact}`,
    severity: proposed && severity === "breaking" ? "additive" : severity,
    proposed,
    subject,
    kind,
    element: name,
    ...(property !== undefined && { property }),
    sentence: `${name} ${sentence}`,
    provenance,
    editions,
  };
}

function formerNames(before: Contract, after: Contract): Map<string, string> {
  const formerNameByName = new Map<string, string>();
  const pairItems = <Item extends { name: string }>(
    itemsBefore: Item[],
    itemsAfter: Item[],
    keyOf: (item: Item) => string,
  ) => {
    for (const item of itemsAfter.filter(({ name }) => !itemsBefore.some((formerItem) => formerItem.name === name))) {
      const formerItem = itemsBefore.find((candidate) => keyOf(candidate) === keyOf(item));
      const isRenamed = formerItem !== undefined && !itemsAfter.some(({ name }) => name === formerItem.name);
      if (isRenamed) formerNameByName.set(item.name, formerItem.name);
    }
  };
  pairItems(before.operations, after.operations, ({ method, path }) => `${method} ${path}`);
  pairItems(before.webhooks, after.webhooks, ({ path }) => path);
  return formerNameByName;
}
