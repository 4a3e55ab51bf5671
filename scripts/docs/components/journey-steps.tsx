/** A journey: its sequence diagram, and its steps in words. */
import { SequenceDiagram } from "../diagrams/index.ts";
import { expectedOf, type Journey, operationOfStep, type Step } from "../site/journeys.ts";
import { useDiagramHrefs } from "./lifecycles.tsx";
import { Link } from "./link.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";

export function JourneySteps({ journey }: { journey: Journey }) {
  const { contract } = usePage().site;
  const hrefOf = useDiagramHrefs();
  return (
    <section class="journey" id={`journey-${journey.workflowId}`}>
      <SequenceDiagram id={journey.workflowId} journey={journey} contract={contract} hrefOf={hrefOf} />
      <ol class="journey-steps">
        {journey.steps.map((step) => (
          <JourneyStep key={step.stepId} step={step} />
        ))}
      </ol>
    </section>
  );
}

function JourneyStep({ step }: { step: Step }) {
  const { source, operationId } = operationOfStep(step);
  const { status, code } = expectedOf(step);
  if (source === "mock") {
    return (
      <li>
        <InlineProse text={step.description} />{" "}
        <span class="outside">Done with the control interface of the mock.</span>
      </li>
    );
  }
  return (
    <li>
      <Link to="operation" name={operationId} /> ({status}
      {code !== "" && (
        <>
          {", "}
          <Link to="error" name={code}>
            {code}
          </Link>
        </>
      )}
      ): <InlineProse text={step.description} />
    </li>
  );
}
