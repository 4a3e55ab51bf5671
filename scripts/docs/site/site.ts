/** What the pages of an edition are made from. */
import {
  absentMarker,
  absentSuffix,
  type Contract,
  type Edition,
  type MarkAbsent,
  markQuestions,
  type OpenApiDocument,
  type OpenQuestions,
  type Operation,
  type Registers,
  readContract,
  valueAt,
  type Webhook,
} from "../../contract/index.ts";
import type { Guide } from "./guides.ts";
import { type Journey, possibleJourneys } from "./journeys.ts";
import { usedQuestions } from "./marked-parts.ts";
import type { MockControl } from "./mock-control.ts";
import type { PageRef, Target } from "./pages.ts";
import { homesOfQuestions } from "./question-places.ts";
import { shownResources } from "./shown-resources.ts";

/** The bundle of an edition, and its text in both formats. */
export interface SiteBundle {
  document: OpenApiDocument;
  yaml: string;
  json: string;
}

/** What the sites of both editions are made from. */
export interface SiteSources {
  registers: Registers;
  guides: Guide[];
  journeys: Journey[];
  /** The text of CHANGELOG.md. */
  changelog: string;
  /** What the edition test has beyond latest, as Markdown. */
  comparison: string;
  /** `openapi/scenario.yaml` as it was parsed. */
  scenario: unknown;
  /** The document with everything that is proposed; without it, an edition counts as whole. */
  wholeDocument?: OpenApiDocument;
  /** Without it, the pages show no commands for outside events. */
  mockControl?: MockControl;
}

/** An area of the interface: a tag of the contract. */
export interface Area {
  name: string;
  description: string;
  operations: Operation[];
  webhooks: Webhook[];
}

/** Everything that the pages of an edition show. */
export interface EditionSite {
  edition: Edition;
  bundle: SiteBundle;
  /** The model of the bundle; its resources are those of which the edition shows something. */
  contract: Contract;
  areas: Area[];
  /** Those that the edition marks somewhere, in the order of the register. */
  questions: OpenQuestions;
  /** The area whose page lists a question, by its id. */
  questionHomes: Map<string, string>;
  conditions: Registers["conditions"];
  guides: Guide[];
  journeys: Journey[];
  changelog: string;
  comparison: string;
  scenario: unknown;
  mockControl: MockControl;
  markAbsent: MarkAbsent;
  /** What stands in the whole contract where something stands in this edition, by its JSON pointer as a URI fragment. */
  inWhole(pointer: string): unknown;
}

/** Collects what the pages of an edition show. */
export function createSite(edition: Edition, bundle: SiteBundle, sources: SiteSources): EditionSite {
  const { registers, guides, journeys, changelog, comparison, scenario } = sources;
  const { mockControl = { operations: [], happenings: {} } } = sources;
  const contract = readContract(bundle.document, registers);
  contract.resources = shownResources(contract.resources, edition);
  const markAbsent = absentMarker(contract);
  const questions = markQuestions(usedQuestions(bundle.document, registers.questions), markAbsent);
  return {
    edition,
    bundle,
    contract,
    areas: areasOf(contract),
    questions,
    questionHomes: homesOfQuestions(questions, contract),
    conditions: registers.conditions,
    guides: guides.filter((guide) => guide.edition === undefined || guide.edition === edition),
    journeys: possibleJourneys(journeys, contract),
    changelog,
    comparison,
    scenario,
    mockControl,
    markAbsent,
    inWhole: (pointer) => valueAt(sources.wholeDocument ?? bundle.document, pointer),
  };
}

function areasOf({ document, operations, webhooks }: Contract): Area[] {
  return (document.tags ?? []).map(({ name, description = "" }) => ({
    name,
    description,
    operations: operations.filter(({ tag }) => tag === name),
    webhooks: webhooks.filter(({ tag }) => tag === name),
  }));
}

/** The kinds of targets that a text can name: `operation:createUserAccount`. */
export const targetKinds = ["operation", "webhook", "error", "question", "guide", "lifecycle", "area"] as const;
export type TargetKind = (typeof targetKinds)[number];

/** What a text names; undefined where the edition does not have it. */
export function findTarget(site: EditionSite, kind: TargetKind, name: string): Target | undefined {
  const { contract, questionHomes, guides, areas } = site;
  if (kind === "question") {
    const home = questionHomes.get(name);
    return home === undefined ? undefined : { kind: "questions-of", name: home, anchor: name.toLowerCase() };
  }
  const has: Record<Exclude<TargetKind, "question">, () => boolean> = {
    operation: () => contract.operations.some(({ operationId }) => operationId === name),
    webhook: () => contract.webhooks.some((webhook) => webhook.name === name),
    error: () => contract.errorCodes.some(({ code }) => code === name),
    guide: () => guides.some((guide) => guide.name === name),
    lifecycle: () => contract.resources.some((resource) => resource.name === name),
    area: () => areas.some((area) => area.name === name),
  };
  return has[kind]() ? { kind, name } : undefined;
}

/** The name that people know an operation by, followed by a remark where the edition does not have it. */
function nameOfOperation({ contract }: EditionSite, operationId: string): string {
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  if (operation !== undefined) return operation.summary;
  return (contract.absentOperations[operationId] ?? operationId) + absentSuffix;
}

/** The heading of a page's subject, as lists and links show it. */
export function nameOfPage(site: EditionSite, ref: PageRef): string {
  if (!("name" in ref)) return "";
  if (ref.kind === "operation") return nameOfOperation(site, ref.name);
  if (ref.kind === "webhook") return site.contract.webhooks.find(({ name }) => name === ref.name)?.summary ?? ref.name;
  if (ref.kind === "guide") return site.guides.find(({ name }) => name === ref.name)?.title ?? ref.name;
  return ref.name;
}

/** The title of the interface, without the edition that a bundle has behind it. */
export function apiTitle({ contract }: EditionSite): string {
  return contract.document.info.title.replace(/ \(\w+\)$/, "");
}
