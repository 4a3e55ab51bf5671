/** What a missing mark on a part of a page means. */
import { findTarget } from "../site/site.ts";
import { Link } from "./link.tsx";
import { usePage } from "./page-context.ts";

const guide = "provenance-and-editions";

export function MarksHint({ subject }: { subject: "operation" | "webhook" }) {
  const { site } = usePage();
  return (
    <p class="note">
      Parts without a mark are as sure as the {subject}
      {findTarget(site, "guide", guide) !== undefined && (
        <>
          :{" "}
          <Link to="guide" name={guide}>
            how to read the marks
          </Link>
        </>
      )}
      .
    </p>
  );
}
