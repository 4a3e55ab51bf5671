/** Tables of P-codes: of the whole catalogue, and of some operations. */
import { type Answer, type ErrorCode, markOn, type Operation, weakest } from "../../contract/index.ts";
import { CodeLink } from "./code-table.tsx";
import { generalCodes } from "./general-answers.ts";
import { ProvenanceMark } from "./marks.tsx";
import { OperationLinks } from "./operation-links.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";
import { Table } from "./table.tsx";

/** Who has to act, in words. */
export const actorWords: Record<ErrorCode["actor"], string> = {
  developer: "Your developers",
  user: "The end user",
  operations: "Your operations team",
  service: "The service",
  nobody: "Nobody",
};

/** Whether a repetition helps, in words. */
export const retryWords: Record<ErrorCode["retry"], { short: string; long: string }> = {
  none: { short: "Not an error", long: "Not needed: this is not an error." },
  never: { short: "Never", long: "Never: a repetition does not help." },
  "after-change": { short: "After a change", long: "After the request or the state has changed." },
  later: { short: "Later", long: "Later: the same request may then succeed." },
  unknown: { short: "Unknown", long: "It is not known whether a repetition helps." },
};

/** All P-codes. */
export function ErrorTable() {
  const { errorCodes } = usePage().site.contract;
  return (
    <Table class="codes" head={["Code", "Status", "Meaning", "Who acts", "Retry"]}>
      {errorCodes.map(({ code, status, meaning, actor, retry, provenance = "proposed" }) => (
        <tr key={code}>
          <th scope="row">
            <CodeLink code={code} /> {provenance !== "specification" && <ProvenanceMark provenance={provenance} />}
          </th>
          <td>{status}</td>
          <td>
            <InlineProse text={meaning} />
          </td>
          <td>{actorWords[actor]}</td>
          <td>{retryWords[retry].short}</td>
        </tr>
      ))}
    </Table>
  );
}

/** The codes of some operations, without those that every operation returns. */
export function CodesOf({ operationIds }: { operationIds: readonly string[] }) {
  const { contract } = usePage().site;
  const general = generalCodes(contract);
  const operations = contract.operations.filter(({ operationId }) => operationIds.includes(operationId));
  const returning = (code: string) =>
    operations
      .filter(({ answers }) => answers.some(({ codes }) => codes.includes(code)))
      .map(({ operationId }) => operationId);
  const rows = contract.errorCodes.filter(({ code }) => !general.has(code) && returning(code).length > 0);
  return (
    <Table class="codes" head={["Code", "Meaning", "What to do", operations.length > 1 && "Returned by"]}>
      {rows.map(({ code, meaning, resolution }) => (
        <tr key={code}>
          <th scope="row">
            <CodeLink code={code} />
          </th>
          <td>
            <InlineProse text={meaning} />
          </td>
          <td>
            <InlineProse text={resolution} />
          </td>
          {operations.length > 1 && (
            <td>
              <OperationLinks operationIds={returning(code)} joint="and" />
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}

/** The codes by who has to act. */
export function CodesByActor() {
  const { errorCodes } = usePage().site.contract;
  const actors = (Object.keys(actorWords) as ErrorCode["actor"][]).map((actor) => ({
    actor,
    codes: errorCodes.filter((error) => error.actor === actor),
  }));
  return (
    <dl class="by-actor">
      {actors
        .filter(({ codes }) => codes.length > 0)
        .map(({ actor, codes }) => (
          <>
            <dt>{actorWords[actor]}</dt>
            <dd>
              <ul>
                {codes.map(({ code, meaning }) => (
                  <li key={code}>
                    <CodeLink code={code} /> <InlineProse text={meaning} />
                  </li>
                ))}
              </ul>
            </dd>
          </>
        ))}
    </dl>
  );
}

/** The responses of one kind: the same status for the same reason. */
interface CodelessKind {
  answer: Answer;
  returning: Operation[];
}

function codelessKinds(operations: readonly Operation[]): CodelessKind[] {
  const kinds = new Map<string, CodelessKind>();
  for (const operation of operations) {
    for (const answer of operation.answers) {
      if (answer.status < 400 || answer.codes.length > 0) continue;
      const key = `${answer.status} ${answer.description}`;
      const { returning } = kinds.get(key) ?? { returning: [] };
      kinds.set(key, { answer, returning: [...returning, operation] });
    }
  }
  return [...kinds.values()];
}

/** The responses from status 400 on that carry no P-code. */
export function ErrorsWithoutCode() {
  const { operations } = usePage().site.contract;
  return (
    <Table head={["Status", "Meaning", "Operations"]}>
      {codelessKinds(operations).map(({ answer, returning }) => (
        <tr key={answer.place.id}>
          <th scope="row">
            {answer.status} <WeakMark answer={answer} />
          </th>
          <td>
            <InlineProse text={answer.description} />
          </td>
          <td>
            {returning.length === operations.length ? (
              "Every operation"
            ) : (
              <OperationLinks operationIds={returning.map(({ operationId }) => operationId)} joint="and" />
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function WeakMark({ answer: { place } }: { answer: Answer }) {
  const provenance = weakest("specification", markOn(place), markOn(place.target));
  return provenance === "specification" ? null : <ProvenanceMark provenance={provenance} />;
}
