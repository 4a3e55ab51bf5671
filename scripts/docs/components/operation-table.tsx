/** Operations as a table. */
import type { Operation } from "../../contract/index.ts";
import { firstSentence } from "../text/first-sentence.ts";
import { Link } from "./link.tsx";
import { ProvenanceMark } from "./marks.tsx";
import { InlineProse } from "./prose.tsx";
import { Table } from "./table.tsx";

/** Name, method, path, what it does and provenance of each operation. */
export function OperationTable({ operations }: { operations: readonly Operation[] }) {
  return (
    <Table class="operations" head={["Operation", "Method and path", "What it does", "Source"]}>
      {operations.map(({ operationId, method, path, description, provenance = "proposed" }) => (
        <tr key={operationId}>
          <th scope="row">
            <Link to="operation" name={operationId} />
          </th>
          <td>
            <span class={`tag tag-${method}`}>{method.toUpperCase()}</span> <PathCode path={path} />
          </td>
          <td>
            <InlineProse text={firstSentence(description)} />
          </td>
          <td>
            <ProvenanceMark provenance={provenance} />
          </td>
        </tr>
      ))}
    </Table>
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
