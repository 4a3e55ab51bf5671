/** The content of the site. */
import { readFileSync } from "node:fs";
import {
  type Contract,
  type Edition,
  type OpenApiDocument,
  type OpenQuestions,
  type Operation,
  projectRoot,
  type Registers,
  readContract,
  type SampleValues,
  type Webhook,
} from "../../contract/model/index.ts";
import type { Publishing } from "../../contract/sources/index.ts";
import type { Guide } from "./guides.ts";
import type { Journey } from "./journeys.ts";
import type { MockControl } from "./mock-control.ts";
import type { MockValues } from "./mock-values.ts";
import type { PageRef, Target } from "./pages.ts";
import { usedQuestions } from "./question-locations.ts";

/** An area of the interface: a tag of the contract. */
export interface Area {
  name: string;
  description: string;
  operations: Operation[];
  webhooks: Webhook[];
}

/** Content in addition to the contract. */
interface BesideContract {
  guides: Guide[];
  journeys: Journey[];
  /** The text of CHANGELOG.md, including contract changes since the last version. */
  changelog: string;
  /** Empty by default: the pages show no commands for external events. */
  mockControl: MockControl;
  /** Empty by default. */
  mockValues: MockValues;
  /** Empty by default: the samples send the examples as they are. */
  sampleValues: SampleValues[];
  /** Where the package and its support are found; all null by default. */
  publishing: Publishing;
  /** The command that installs the package. */
  install: string;
  /** Whether the bill of materials and the licences of the package stand beside the pages, as in a release; not by default. */
  hasSbom: boolean;
}

/** The input besides the contract. */
export type SiteSources = Partial<BesideContract> & { registers: Registers };

/** The whole content of the site. */
export interface SiteContent extends BesideContract {
  contract: Contract;
  areas: Area[];
  /** The questions referenced in the contract, in the order of the register. */
  questions: OpenQuestions;
  conditions: Registers["conditions"];
  /** The policies of this repository by name, as Markdown: `SUPPORT`. */
  policies: Record<string, string>;
}

/**
 * Collects the content of the site.
 *
 * @param document the whole contract: the annotated document of the edition test.
 */
export function createSite(document: OpenApiDocument, sources: SiteSources): SiteContent {
  const { registers, ...others } = sources;
  const contract = readContract(document, registers);
  return {
    ...{ guides: [], journeys: [], changelog: "" },
    mockControl: { operations: [], externalEvents: {} },
    mockValues: { countries: [], networks: [], delays: {} },
    sampleValues: [],
    publishing: { registry: null, repository: null, support: null, status: null },
    install: "npm install partner-wallet-api",
    hasSbom: false,
    ...others,
    contract,
    areas: areasOf(contract),
    questions: usedQuestions(document, registers.questions),
    conditions: registers.conditions,
    policies: Object.fromEntries(["SECURITY", "SUPPORT"].map((name) => [name, readProjectFile(`${name}.md`)])),
  };
}

/** The text of a file of this repository, by its path below the root. */
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

/** The kinds of targets that a text can name: `operation:createUserAccount`. */
export const targetKinds = ["operation", "webhook", "error", "question", "guide", "lifecycle", "area"] as const;
export type TargetKind = (typeof targetKinds)[number];

/** The page heading of each subject, by its name. */
const headings: Record<Exclude<TargetKind, "question">, (site: SiteContent, name: string) => string | undefined> = {
  operation: ({ contract }, name) => contract.operations.find((operation) => operation.name === name)?.summary,
  webhook: ({ contract }, name) => contract.webhooks.find((webhook) => webhook.name === name)?.summary,
  error: ({ contract }, name) => contract.errorCodes.find(({ code }) => code === name)?.code,
  guide: ({ guides }, name) => guides.find((guide) => guide.name === name)?.title,
  lifecycle: ({ contract }, name) => contract.resources.find((resource) => resource.name === name)?.name,
  area: ({ areas }, name) => areas.find((area) => area.name === name)?.name,
};

/** The page, and the anchor in it, that a link refers to by kind and name; undefined if there is no such page. */
export function findTarget(site: SiteContent, kind: TargetKind, name: string): Target | undefined {
  const [subject = "", anchor] = name.split("#");
  if (kind !== "question") {
    if (headings[kind](site, subject) === undefined) return undefined;
    return { kind, name: subject, ...(anchor !== undefined && { anchor }) };
  }
  const rank = site.questions[name]?.rank;
  return rank === undefined ? undefined : { kind: "questions-of", name: rank, anchor: name.toLowerCase() };
}

/** The heading of a page's subject. */
export function nameOfPage(site: SiteContent, ref: PageRef): string {
  if (!("name" in ref)) return "";
  return (ref.kind === "questions-of" ? undefined : headings[ref.kind](site, ref.name)) ?? ref.name;
}

/** The title of the interface. */
export function apiTitle({ contract }: SiteContent): string {
  return contract.document.info.title;
}

/** The first edition with an operation: `latest` has no proposed ones. */
export function editionOf({ provenance }: Pick<Operation, "provenance">): Edition {
  return provenance === "proposed" ? "test" : "latest";
}
