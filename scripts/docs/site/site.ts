/** What the pages are made from. */
import {
  type Contract,
  type Edition,
  type OpenApiDocument,
  type OpenQuestions,
  type Operation,
  type Registers,
  readContract,
  type Webhook,
} from "../../contract/index.ts";
import type { Guide } from "./guides.ts";
import type { Journey } from "./journeys.ts";
import { usedQuestions } from "./marked-parts.ts";
import type { MockControl } from "./mock-control.ts";
import type { PageRef, Target } from "./pages.ts";

/** What the pages are made from, beside the contract. */
export interface SiteSources {
  registers: Registers;
  guides: Guide[];
  journeys: Journey[];
  /** The text of CHANGELOG.md. */
  changelog: string;
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

/** Everything that the pages show. */
export interface SiteContent {
  contract: Contract;
  areas: Area[];
  /** Those that the contract marks somewhere, in the order of the register. */
  questions: OpenQuestions;
  conditions: Registers["conditions"];
  guides: Guide[];
  journeys: Journey[];
  changelog: string;
  mockControl: MockControl;
}

/**
 * Collects what the pages show.
 *
 * @param document the whole contract: the annotated document of the edition test.
 */
export function createSite(document: OpenApiDocument, sources: SiteSources): SiteContent {
  const { registers, guides, journeys, changelog } = sources;
  const { mockControl = { operations: [], happenings: {} } } = sources;
  const contract = readContract(document, registers);
  const questions = usedQuestions(document, registers.questions);
  return {
    contract,
    areas: areasOf(contract),
    questions,
    conditions: registers.conditions,
    guides,
    journeys,
    changelog,
    mockControl,
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

/** What a text names; undefined where there is no such thing. */
export function findTarget(site: SiteContent, kind: TargetKind, name: string): Target | undefined {
  const { contract, questions, guides, areas } = site;
  if (kind === "question") {
    const rank = questions[name]?.rank;
    return rank === undefined ? undefined : { kind: "questions-of", name: rank, anchor: name.toLowerCase() };
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

/** The heading of a page's subject, as lists and links show it. */
export function nameOfPage(site: SiteContent, ref: PageRef): string {
  if (!("name" in ref)) return "";
  if (ref.kind === "operation")
    return site.contract.operations.find(({ name }) => name === ref.name)?.summary ?? ref.name;
  if (ref.kind === "webhook") return site.contract.webhooks.find(({ name }) => name === ref.name)?.summary ?? ref.name;
  if (ref.kind === "guide") return site.guides.find(({ name }) => name === ref.name)?.title ?? ref.name;
  return ref.name;
}

/** The title of the interface. */
export function apiTitle({ contract }: SiteContent): string {
  return contract.document.info.title;
}

/** The first edition that has an operation: `latest` leaves out those that are themselves proposed. */
export function editionOf({ provenance }: Pick<Operation, "provenance">): Edition {
  return provenance === "proposed" ? "test" : "latest";
}
