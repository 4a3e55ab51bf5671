/** The blocks of guides that are derived from the contract: `{{values TransactionType}}`. */
import type { ComponentChildren } from "preact";
import { findSensitiveNames } from "../../client/tables.ts";
import { operationSamples } from "../samples/index.ts";
import type { BlockName } from "../site/check-guides.ts";
import type { SiteContent } from "../site/site.ts";
import { CodesOf, ErrorsWithoutCode, ErrorTable } from "./error-tables.tsx";
import { JourneySteps } from "./journey-steps.tsx";
import { KnownValues } from "./known-values.tsx";
import { Lifecycles } from "./lifecycles.tsx";
import { OperationTable } from "./operation-table.tsx";
import { usePage } from "./page-context.ts";
import { ProvenanceClasses } from "./provenance-classes.tsx";
import { QuestionNotes } from "./questions.tsx";
import { SampleSection } from "./samples.tsx";
import { DeliverySchedule, WebhookTable } from "./webhook-tables.tsx";

/** What each block shows, by its name. Its arguments are the words behind the name; `checkGuides` has found them right. */
const blocks: Record<BlockName, (words: string[], site: SiteContent) => ComponentChildren> = {
  journey: ([workflowId], { journeys }) => {
    const journey = journeys.find((candidate) => candidate.workflowId === workflowId);
    return journey && <JourneySteps journey={journey} />;
  },
  sample: ([operationId, name], site) => {
    const operation = site.contract.operations.find((candidate) => candidate.operationId === operationId);
    const samples = operation === undefined ? [] : operationSamples(operation, site);
    const sample = name === undefined ? samples[0] : samples.find((candidate) => candidate.name === name);
    return sample && <SampleSection sample={sample} />;
  },
  values: ([schema = ""]) => <KnownValues schema={schema} />,
  lifecycle: ([name], { contract }) => {
    const resource = contract.resources.find((candidate) => candidate.name === name);
    return resource && <Lifecycles resource={resource} />;
  },
  codes: (operationIds) => <CodesOf operationIds={operationIds} />,
  "error-table": () => <ErrorTable />,
  "errors-without-code": () => <ErrorsWithoutCode />,
  "webhook-table": () => <WebhookTable />,
  delivery: () => <DeliverySchedule />,
  questions: (ids) => <QuestionNotes ids={ids} />,
  operations: (words, { areas }) => {
    const area = areas.find(({ name }) => name === words.join(" "));
    return <OperationTable operations={area?.operations ?? []} />;
  },
  "sensitive-fields": (_, { contract }) => <NameList names={findSensitiveNames(contract.root)} />,
  "provenance-classes": () => <ProvenanceClasses />,
};

/** A block. @param call as the guide writes it, with the braces. */
export function GuideBlock({ call }: { call: string }) {
  const { site } = usePage();
  const [name = "", ...words] = call.replace(/[{}]/g, "").trim().split(/\s+/);
  return <div class="block">{blocks[name as BlockName](words, site)}</div>;
}

function NameList({ names }: { names: readonly string[] }) {
  return (
    <ul class="names">
      {names.map((name) => (
        <li key={name}>
          <code>{name}</code>
        </li>
      ))}
    </ul>
  );
}
