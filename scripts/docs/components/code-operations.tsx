/** The operations that return a P-code, each with how sure that is and what leads to it. */
import type { ErrorCode } from "../../contract/index.ts";
import { type CodePair, causesOfPair, notTrueWords } from "./code-pairs.ts";
import { questionsOf } from "./code-table.tsx";
import { editionMark, OperationList } from "./edition.tsx";
import { Link } from "./link.tsx";
import { ProvenanceMark } from "./marks.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";
import { QuestionNotes } from "./questions.tsx";
import { Table } from "./table.tsx";

interface Props {
  error: ErrorCode;
  pairs: readonly CodePair[];
}

/** A table of the pairs. The column of the status is there where one differs from that of the catalogue. */
export function CodeOperations({ error, pairs }: Props) {
  const hasStatus = pairs.some(({ answer }) => answer.status !== error.status);
  return (
    <OperationList operations={pairs.map(({ operation }) => operation)}>
      <Table class="pairs" head={["Operation", "How sure it is", hasStatus && "Status", "What leads to it"]}>
        {pairs.map((pair) => (
          <tr key={pair.ref.place.id} {...editionMark(pair.operation)}>
            <th scope="row">
              <Link to="operation" name={pair.operation.operationId} />
            </th>
            <td>
              <ProvenanceMark provenance={pair.provenance} />
            </td>
            {hasStatus && <td>{pair.answer.key}</td>}
            <td>
              <PairCauses pair={pair} />
              <QuestionNotes ids={questionsOf(pair.ref)} />
            </td>
          </tr>
        ))}
      </Table>
    </OperationList>
  );
}

function PairCauses({ pair }: { pair: CodePair }) {
  const { site } = usePage();
  const { conditions, invalid } = causesOfPair(pair, site);
  const notTrue =
    conditions.length === 0 ? [] : [notTrueWords(conditions).replace(/^./, (letter) => letter.toUpperCase())];
  const causes = [...notTrue, ...invalid];
  if (causes.length === 0) return <span class="absent">Not stated</span>;
  return <InlineProse text={`${causes.join(". ")}.`} />;
}
