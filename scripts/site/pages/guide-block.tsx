/** Blocks are generated parts of guides, such as `{{values TransactionType}}`. */
import type { ComponentChildren } from "preact";
import { type Contract, findSensitiveNames, type JsonSchema } from "../../contract/model/index.ts";
import { allAreas, readStatementSources } from "../../contract/sources/index.ts";
import { limitations, type ProofKind, proofKinds } from "../../prove/index.ts";
import { CodeBlock } from "../components/code-block.tsx";
import { CodesOf, ErrorsWithoutCode, ErrorTable } from "../components/codes.tsx";
import { Delivery, WebhookTable } from "../components/events.tsx";
import { LookupTable } from "../components/lookup-table.tsx";
import { ProvenanceClasses, weakMark } from "../components/marks.tsx";
import { MockCountries, MockDelays, MockNetworks } from "../components/mock-values.tsx";
import { OperationTable } from "../components/operation-table.tsx";
import { useHrefs, usePage } from "../components/page-context.ts";
import { InlineProse, Prose } from "../components/prose.tsx";
import { QuestionNotes } from "../components/questions.tsx";
import { GuideSample, Receiver } from "../components/samples.tsx";
import { StateResults } from "../components/state-results.tsx";
import { list, Table } from "../components/table.tsx";
import { readProgram } from "../content/guides.ts";
import { expectedResponseOf, type Journey, operationOfStep, type Step } from "../content/journeys.ts";
import { findTarget, type SiteContent } from "../content/site.ts";
import { LifecycleDiagram } from "../diagrams/lifecycle-diagram.tsx";
import { SequenceDiagram } from "../diagrams/sequence-diagram.tsx";
import { firstCall } from "../samples/index.ts";

/** A block renders nothing if an argument names something that does not exist. The check of the guides reports such a block. */
export const blocks: Record<string, (words: string[], site: SiteContent) => ComponentChildren> = {
  journey: ([workflowId], { journeys }) => {
    const journey = journeys.find((candidate) => candidate.workflowId === workflowId);
    return journey && <JourneySteps journey={journey} />;
  },
  sample: ([operationId, anchor], { contract }) => {
    const operation = contract.operations.find(({ name }) => name === operationId);
    return operation && <GuideSample operation={operation} anchor={anchor} />;
  },
  receiver: ([name], { contract }) => {
    const webhook = contract.webhooks.find((candidate) => candidate.name === name);
    return webhook && <Receiver webhook={webhook} />;
  },
  "first-call": ([language = ""], site) => {
    const code = firstCall(site)?.[language];
    return code && <CodeBlock code={code} language={language} />;
  },
  values: ([schema = ""], { contract }) => knownValuesOf(schema, contract) && <KnownValues schema={schema} />,
  lifecycle: ([name], { contract }) => {
    const resource = contract.resources.find((candidate) => candidate.name === name);
    return resource?.states.map((state) => <LifecycleDiagram key={state.name} resource={resource} state={state} />);
  },
  codes: (ids, site) => areAllFound(ids, (id) => findTarget(site, "operation", id)) && <CodesOf operationIds={ids} />,
  "error-table": () => <ErrorTable />,
  "errors-without-code": () => <ErrorsWithoutCode />,
  "webhook-table": () => <WebhookTable />,
  "lookup-table": (repeatRules, { contract }) =>
    areAllFound(repeatRules, (rule) => contract.operations.find(({ lookup }) => lookup?.repeat === rule)) && (
      <LookupTable operations={contract.operations} rules={repeatRules} />
    ),
  results: ([name], { contract }) => {
    const resource = contract.resources.find((candidate) => candidate.name === name);
    return resource?.states.map((state) => <StateResults key={state.name} state={state} />);
  },
  delivery: () => <Delivery />,
  questions: (ids, { questions }) => areAllFound(ids, (id) => questions[id]) && <QuestionNotes ids={ids} />,
  operations: (words, { areas }) => {
    const area = areas.find(({ name }) => name === words.join(" "));
    return area && <OperationTable operations={area.operations} />;
  },
  "sensitive-fields": (_, { contract }) =>
    list(findSensitiveNames(contract.root), (name) => <code>{name}</code>, { class: "names" }),
  conditions: ([name, ...conditionNames]) => {
    const kind = proofKinds.find((candidate) => candidate.name === name);
    const areConditionsKnown = conditionNames.every((name) =>
      kind?.conditions.some((condition) => condition.name === name),
    );
    return kind && areConditionsKnown && <Conditions kind={kind} conditionNames={conditionNames} />;
  },
  input: ([name]) => {
    const { input = [] } = proofKinds.find((candidate) => candidate.name === name) ?? {};
    return input.length > 0 && <CodeBlock code={input.join("\n")} language="text" />;
  },
  "not-proven": () => list(limitations, (text) => text),
  program: ([path = ""]) => {
    const code = readProgram(path);
    const [folder = "", file = ""] = path.split("/");
    return code && <CodeBlock code={code} language={folder} label={file} />;
  },
  "provenance-classes": () => <ProvenanceClasses />,
  "statement-sources": () => <StatementSources />,
  "until-published": () => <UntilPublished />,
  "mock-countries": () => <MockCountries />,
  "mock-networks": () => <MockNetworks />,
  "mock-delays": () => <MockDelays />,
  policy: ([file = "", ...words], { policies }) => {
    const heading = `${words.join(" ")}\n`;
    const section = policies[file]?.split(/^## /m).find((part) => part.startsWith(heading));
    return section && <Prose text={section.slice(heading.length)} />;
  },
  contacts: () => <Contacts />,
  "bill-of-materials": () => <BillOfMaterials />,
};

function areAllFound(words: readonly string[], find: (word: string) => unknown): boolean {
  return words.length > 0 && words.every((word) => find(word) !== undefined);
}

export function GuideBlock({ call }: { call: string }) {
  const { site } = usePage();
  const [name = "", ...words] = call.replace(/[{}]/g, "").trim().split(/\s+/);
  return <div>{blocks[name]?.(words, site)}</div>;
}

function Contacts() {
  const { support, repository, status } = usePage().site.publishing;
  const contacts = Object.entries({ Support: support, Source: repository, Incidents: status });
  return (
    list(
      contacts.flatMap(([words, href]) => (href === null ? [] : [{ words, href }])),
      ({ words, href }) => (
        <>
          {words}: <a href={href}>{href.replace("mailto:", "")}</a>
        </>
      ),
    ) ?? <p>No address is published yet. Ask whoever gave you the package or the address of these pages.</p>
  );
}

function StatementSources() {
  const { areas } = usePage().site;
  const sources = readStatementSources();
  const columns = Object.fromEntries(
    sources.map((source) => [
      source.name,
      ({ name }: { name: string }) => (source.sections[name] ?? []).join(", ") || "only what concerns all areas",
    ]),
  );
  return (
    <>
      {list(sources, ({ name, kind, seen, sections }) => (
        <>
          <b>{name}</b>: {kind}; seen on {seen}. About all areas: {(sections[allAreas] ?? []).join(", ")}.
        </>
      ))}
      <Table rows={areas} columns={{ Area: ({ name }) => name, ...columns }} />
    </>
  );
}

function UntilPublished() {
  if (usePage().site.publishing.registry !== null) return null;
  return <p>No registry has the package yet, and anybody could claim its name there: install this file.</p>;
}

function BillOfMaterials() {
  const hrefs = useHrefs();
  const { hasSbom } = usePage().site;
  return list(
    [
      ["sbom.cdx.json", "the software bill of materials of the package, in CycloneDX"],
      ["dependencies.md", "every dependency, what it is for, and its licence"],
    ] as const,
    ([path, words]) => (
      <>
        {hasSbom ? <a href={hrefs.file(path)}>{path}</a> : <code>{path}</code>}: {words}
        {!hasSbom && ". A release has it beside these pages; this build is none"}.
      </>
    ),
  );
}

function Conditions({ kind, conditionNames }: { kind: ProofKind; conditionNames: readonly string[] }) {
  return (
    <Table
      rows={kind.conditions.filter(
        (condition) => conditionNames.length === 0 || conditionNames.includes(condition.name),
      )}
      columns={{
        [`prove ${kind.name} --only …`]: (condition) => <code>{condition.name}</code>,
        "What happens": ({ meaning }) => meaning,
      }}
    />
  );
}

function JourneySteps({ journey }: { journey: Journey }) {
  return (
    <section id={`journey-${journey.workflowId}`}>
      <SequenceDiagram journey={journey} />
      {list(
        journey.steps,
        (step) => (
          <InlineProse text={callOf(step) + step.description} />
        ),
        { element: "ol", class: "steps" },
      )}
    </section>
  );
}

function callOf(step: Step): string {
  const { source, operationId } = operationOfStep(step);
  const { status, code } = expectedResponseOf(step);
  if (source === "mock") return "With the control interface of the mock: ";
  return `[](operation:${operationId}) (${status}${code === "" ? "" : `, [](error:${code})`}): `;
}

export function KnownValues({ schema }: { schema: string }) {
  return (
    <Table
      rows={Object.entries(knownValuesOf(schema, usePage().site.contract) ?? {})}
      columns={{
        Value: ([name]) => <code>{name}</code>,
        Meaning: ([, { meaning, provenance }]) => <InlineProse text={meaning + weakMark(provenance)} />,
      }}
    />
  );
}

function knownValuesOf(schema: string, { root }: Contract): JsonSchema["x-open-enum"] {
  return (root.child("components", "schemas", schema).value as JsonSchema | undefined)?.["x-open-enum"];
}
