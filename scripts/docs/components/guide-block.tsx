/** The blocks of guides that are derived from the contract: `{{values TransactionType}}`. */
import type { ComponentChildren } from "preact";
import { findSensitiveNames } from "../../client/tables.ts";
import { operationSamples } from "../samples/index.ts";
import type { BlockName } from "../site/check-guides.ts";
import type { EditionSite } from "../site/site.ts";
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

/** What each block shows, by its name. Its arguments are the words behind the name. */
const blocks: Record<BlockName, (words: string[], site: EditionSite) => ComponentChildren> = {
  journey: ([workflowId = ""], { journeys }) => {
    const journey = journeys.find((candidate) => candidate.workflowId === workflowId);
    return journey === undefined ? <NotInEdition what="This journey" /> : <JourneySteps journey={journey} />;
  },
  sample: ([operationId = "", name], site) => {
    const operation = site.contract.operations.find((candidate) => candidate.operationId === operationId);
    if (operation === undefined) return <NotInEdition what="This call" />;
    const samples = operationSamples(operation, site);
    const sample = name === undefined ? samples[0] : samples.find((candidate) => candidate.name === name);
    return sample === undefined ? <NotInEdition what="This example" /> : <SampleSection sample={sample} />;
  },
  values: ([schema = ""]) => <KnownValues schema={schema} />,
  lifecycle: ([resource = ""], { contract }) => {
    const found = contract.resources.find(({ name }) => name === resource);
    return found === undefined ? <NotInEdition what="This lifecycle" /> : <Lifecycles resource={found} />;
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

/** A block. @param call as the guide writes it, with the braces; `checkGuides` has found its name and arguments right. */
export function GuideBlock({ call }: { call: string }) {
  const { site } = usePage();
  const [name = "", ...words] = call.replace(/[{}]/g, "").trim().split(/\s+/);
  return <div class="block">{blocks[name as BlockName](words, site)}</div>;
}

/** Stands for what an edition does not have; that a name is right is tested against the edition that has everything. */
function NotInEdition({ what }: { what: string }) {
  return <p class="absent">{what} is not in this edition.</p>;
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
