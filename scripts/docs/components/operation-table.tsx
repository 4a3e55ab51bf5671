/** Operations as a table. */
import type { Operation } from "../../contract/index.ts";
import { firstSentence } from "../text/first-sentence.ts";
import { editionMark, OperationList } from "./edition.tsx";
import { Link } from "./link.tsx";
import { ProvenanceMark } from "./marks.tsx";
import { InlineProse } from "./prose.tsx";
import { Table } from "./table.tsx";

/** Name, method, path, what it does and provenance of each operation. */
export function OperationTable({ operations }: { operations: readonly Operation[] }) {
  return (
    <OperationList operations={operations}>
      <Table class="operations" head={["Operation", "Method and path", "What it does", "Source"]}>
        {operations.map((operation) => (
          <tr key={operation.name} {...editionMark(operation)}>
            <th scope="row">
              <Link to="operation" name={operation.name} />
            </th>
            <td>
              <span class={`tag tag-${operation.method}`}>{operation.method.toUpperCase()}</span>{" "}
              <PathCode path={operation.path} />
            </td>
            <td>
              <InlineProse text={firstSentence(operation.description)} />
            </td>
            <td>
              <ProvenanceMark provenance={operation.provenance ?? "proposed"} />
            </td>
          </tr>
        ))}
      </Table>
    </OperationList>
  );
}

/** A path that can be broken over lines before each slash. */
function PathCode({ path }: { path: string }) {
  const [first = "", ...parts] = path.split(/(?=\/)/);
  return (
    <code>
      {first}
      {parts.map((part) => (
        <>
          <wbr />
          {part}
        </>
      ))}
    </code>
  );
}
