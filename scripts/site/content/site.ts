import { readFileSync } from "node:fs";
import { type Edition, found, projectRoot } from "../../base/index.ts";
import {
  type Contract,
  type OpenApiDocument,
  type OpenQuestions,
  type Operation,
  type Registers,
  readContract,
  type Webhook,
} from "../../contract/model/index.ts";
import type { MockControl, MockValues, Publishing, SampleValues } from "../../contract/sources/index.ts";
import type { Guide } from "./guides.ts";
import type { Journey } from "./journeys.ts";
import type { Target } from "./pages.ts";
import { usedQuestions } from "./question-locations.ts";

export interface Area {
  name: string;
  description: string;
  operations: Operation[];
  webhooks: Webhook[];
}

interface OtherSources {
  guides: Guide[];
  journeys: Journey[];
  changelog: string;
  mockControl: MockControl;
  mockValues: MockValues;
  sampleValues: SampleValues[];
  publishing: Publishing;
  install: string;
  hasSbom?: boolean | undefined;
}

export type SiteSources = Partial<OtherSources> & { registers: Registers };

export interface SiteContent extends OtherSources {
  contract: Contract;
  areas: Area[];
  /** The questions that the contract references, in the order of `open-questions.yaml`. */
  questions: OpenQuestions;
  conditions: Registers["conditions"];
  policies: Record<string, string>;
}

/** `document` is the document of the edition `test`, with the `x-` keys that only this project's tools read. */
export function createSite(document: OpenApiDocument, sources: SiteSources): SiteContent {
  const { registers, ...otherSources } = sources;
  const contract = readContract(document, registers);
  return {
    guides: [],
    journeys: [],
    changelog: "",
    mockControl: { operations: [], externalEvents: {} },
    mockValues: { countries: [], networks: [], delays: {} },
    sampleValues: [],
    publishing: { registry: null, repository: null, support: null, status: null },
    install: "npm install partner-wallet-api",
    ...otherSources,
    contract,
    areas: areasOf(contract),
    questions: usedQuestions(document, registers.questions),
    conditions: registers.conditions,
    policies: Object.fromEntries(["SECURITY", "SUPPORT"].map((name) => [name, readProjectFile(`${name}.md`)])),
  };
}

export function readProjectFile(path: string): string {
  return readFileSync(`${projectRoot}/${path}`, "utf8");
}

function areasOf({ document, operations, webhooks }: Contract): Area[] {
  return (document.tags ?? []).map(({ name, description = "" }) => ({
    name,
    description,
    operations: operations.filter(({ tag }) => tag === name),
    webhooks: webhooks.filter(({ tag }) => tag === name),
  }));
}

export const targetKinds = ["operation", "webhook", "error", "question", "guide", "lifecycle", "area"] as const;
export type TargetKind = (typeof targetKinds)[number];

const titles: Record<TargetKind, (site: SiteContent, name: string) => string | undefined> = {
  operation: ({ contract }, name) => contract.operations.find((operation) => operation.name === name)?.summary,
  webhook: ({ contract }, name) => contract.webhooks.find((webhook) => webhook.name === name)?.summary,
  error: ({ contract }, name) => contract.errorCodes.find(({ code }) => code === name)?.code,
  guide: ({ guides }, name) => guides.find((guide) => guide.name === name)?.title,
  lifecycle: ({ contract }, name) => contract.resources.find((resource) => resource.name === name)?.name,
  area: ({ areas }, name) => areas.find((area) => area.name === name)?.name,
  question: ({ questions }, name) => questions[name]?.question,
};

export function findTarget(site: SiteContent, kind: TargetKind, name: string): Target | undefined {
  const [subject = "", anchor] = name.split("#");
  if (titles[kind](site, subject) === undefined) return undefined;
  if (kind !== "question") return { kind, name: subject, anchor };
  const { rank } = found(site.questions[name], `question ${name}`);
  return { kind: "questions-of", name: rank, anchor: name.toLowerCase() };
}

export function titleOfTarget(site: SiteContent, kind: TargetKind, name: string): string {
  return String(titles[kind](site, name.replace(/#.*/, "")));
}

export function apiTitle({ contract }: SiteContent): string {
  return contract.document.info.title;
}

export function editionOf({ provenance }: Pick<Operation, "provenance">): Edition {
  return provenance === "proposed" ? "test" : "latest";
}
