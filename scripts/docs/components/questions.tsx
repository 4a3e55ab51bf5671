/** Open questions as short notes beside what they concern. */

import { Link } from "./link.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";

/**
 * What is not known, each with a link to the whole entry, and with what the contract assumes at its first place on the page.
 */
export function QuestionNotes({ ids }: { ids: readonly string[] }) {
  const { site, shownQuestions } = usePage();
  const entries = ids.flatMap((id) => {
    const entry = site.questions[id];
    return entry === undefined ? [] : [{ id, ...entry, isShown: shownQuestions.has(id) }];
  });
  if (entries.length === 0) return null;
  for (const { id } of entries) shownQuestions.add(id);
  return (
    <ul class="questions">
      {entries.map(({ id, question, assumption, isShown }) => (
        <li key={id}>
          <Link to="question" name={id}>
            {question}
          </Link>{" "}
          {!isShown && (
            <span class="assumption">
              This contract assumes: <InlineProse text={assumption} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
