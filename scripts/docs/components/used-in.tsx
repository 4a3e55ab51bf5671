/** The journeys and guides that use something. */
import type { Guide } from "../site/guides.ts";
import type { Journey } from "../site/journeys.ts";
import { guideOfJourney } from "../site/uses.ts";
import { Link } from "./link.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";

/** Guides with their summaries, and journeys with the guides that show them. */
export function UsedIn({ journeys, guides }: { journeys: readonly Journey[]; guides: readonly Guide[] }) {
  return (
    <ul class="used-in">
      {journeys.map((journey) => (
        <li key={journey.workflowId}>
          Journey: <JourneyName journey={journey} />
        </li>
      ))}
      {guides.map(({ name, title }) => (
        <li key={name}>
          Guide:{" "}
          <Link to="guide" name={name}>
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function JourneyName({ journey }: { journey: Journey }) {
  const { site } = usePage();
  const guide = guideOfJourney(journey, site);
  if (guide === undefined) return <InlineProse text={journey.summary} />;
  return (
    <Link to="guide" name={guide.name}>
      {journey.summary}
    </Link>
  );
}
