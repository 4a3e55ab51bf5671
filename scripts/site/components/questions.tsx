import type { ComponentChildren } from "preact";
import { assumesNothing, type Contract, type Operation, type Webhook } from "../../contract/model/index.ts";
import { questionLocations } from "../content/question-locations.ts";
import { formatCount } from "../text/words.ts";
import { Link } from "./link.tsx";
import { plainText } from "./markdown.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";
import { list } from "./table.tsx";

export function QuestionNotes({ ids }: { ids: readonly string[] }) {
  const { contract, questions } = usePage().site;
  return list(
    ids.flatMap((id) => (questions[id] === undefined ? [] : [{ id, ...questions[id] }])),
    ({ id, question, rank, assumption }) => (
      <>
        <Link to="question" name={id}>
          {plainText(question)}
        </Link>{" "}
        {rank === "money" && isParticular(id, contract) && !assumesNothing({ assumption }) && (
          <span class="assumption">
            Assumed: <InlineProse text={assumption} />
          </span>
        )}
      </>
    ),
    { class: "questions" },
  );
}

export function PageQuestions({ ids, origin }: { ids: readonly string[]; origin?: ComponentChildren }) {
  const { questions } = usePage().site;
  const shownIds = Object.keys(questions).filter((id) => ids.includes(id));
  if (shownIds.length === 0 && origin === undefined) return null;
  return (
    <details class="open-questions" id="questions" open={shownIds.some((id) => questions[id]?.rank === "money")}>
      <summary>{shownIds.length === 0 ? "Source" : formatCount(shownIds.length, "assumption")}</summary>
      {origin && <p class="origin">{origin}</p>}
      <QuestionNotes ids={shownIds} />
    </details>
  );
}

/** A question about many subjects is included only if the subject itself names it. */
export function questionsOf(subject: Operation | Webhook, contract: Contract): string[] {
  return [...questionLocations(contract)].flatMap(([id, locations]) => {
    const isNamed = isParticular(id, contract) || subject.openQuestions.includes(id);
    return isNamed && locations.some((location) => location.subject === subject) ? [id] : [];
  });
}

/** A question about few operations and webhooks is shown on the page of each. */
function isParticular(id: string, contract: Contract): boolean {
  return (questionLocations(contract).get(id)?.length ?? 0) <= 4;
}
