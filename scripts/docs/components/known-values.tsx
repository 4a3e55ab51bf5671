/** The known values of an open set, with their meanings. */
import type { JsonSchema } from "../../contract/index.ts";
import { ProvenanceMark } from "./marks.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";
import { Table } from "./table.tsx";

/** @param schema the name of the schema of the set. */
export function KnownValues({ schema }: { schema: string }) {
  const { value } = usePage().site.contract.root.own("components", "schemas", schema);
  const values = Object.entries((value as JsonSchema | undefined)?.["x-open-enum"] ?? {});
  return (
    <Table head={["Value", "Meaning"]}>
      {values.map(([name, { meaning, provenance }]) => (
        <tr key={name}>
          <th scope="row">
            <code>{name}</code>
          </th>
          <td>
            <InlineProse text={meaning} /> {provenance !== undefined && <ProvenanceMark provenance={provenance} />}
          </td>
        </tr>
      ))}
    </Table>
  );
}
