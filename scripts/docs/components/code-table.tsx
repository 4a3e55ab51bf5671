/** The P-codes of answers as a table. */
import {
  type Answer,
  type CodeRef,
  type ErrorCode,
  type Marks,
  markOn,
  type Provenance,
  weakest,
} from "../../contract/index.ts";
import { WeakerMark } from "./effects.tsx";
import { Link } from "./link.tsx";
import { OperationLinks } from "./operation-links.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";
import { QuestionNotes } from "./questions.tsx";
import { Table } from "./table.tsx";

/** A P-code with the answer that carries it. */
export interface CodeRow {
  ref: CodeRef;
  answer: Answer;
}

/** Every P-code of some answers, in their order. */
export function codeRowsOf(answers: readonly Answer[]): CodeRow[] {
  return answers.flatMap((answer) => answer.codeRefs.map((ref) => ({ ref, answer })));
}

/** Code, status, meaning and what to do. The mark beside a code says where it comes from that this operation answers it. */
export function CodeTable({ rows, enclosing }: { rows: readonly CodeRow[]; enclosing: Provenance }) {
  return (
    <Table class="codes" head={["Code", "Status", "Meaning", "What to do"]}>
      {rows.map(({ ref, answer }) => (
        <tr key={ref.place.id}>
          <th scope="row">
            <CodeLink code={ref.code} /> <PairMark row={{ ref, answer }} enclosing={enclosing} />
          </th>
          <td>{answer.key}</td>
          <td>
            <MeaningOf code={ref.code} />
            <QuestionNotes ids={questionsOf(ref)} />
          </td>
          <td>
            <ResolutionOf code={ref.code} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** A link to the page of a P-code. */
export function CodeLink({ code }: { code: string }) {
  return (
    <Link to="error" name={code}>
      {code}
    </Link>
  );
}

/** How sure it is that the operation answers a code, where that is less sure than the operation. */
export function PairMark({ row: { ref, answer }, enclosing }: { row: CodeRow; enclosing: Provenance }) {
  const own = weakest(enclosing, markOn(answer.place), markOn(answer.place.target), ref.provenance);
  return <WeakerMark provenance={own} than={enclosing} />;
}

/** The open questions on the pair of an operation and a code. */
export function questionsOf({ place }: CodeRef): string[] {
  return ((place.value ?? {}) as Marks)["x-open-questions"] ?? [];
}

export function MeaningOf({ code }: { code: string }) {
  return <InlineProse text={useErrorCode(code)?.meaning ?? ""} />;
}

function ResolutionOf({ code }: { code: string }) {
  const { resolution = "", resolvedBy = [] } = useErrorCode(code) ?? {};
  return (
    <>
      <InlineProse text={resolution} />
      {resolvedBy.length > 0 && (
        <span class="resolved-by">
          {" "}
          Call: <OperationLinks operationIds={resolvedBy} joint="or" />.
        </span>
      )}
    </>
  );
}

function useErrorCode(code: string): ErrorCode | undefined {
  return usePage().site.contract.errorCodes.find((error) => error.code === code);
}
