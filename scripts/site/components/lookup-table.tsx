/** How lost calls that move money or create something are looked up (`x-lookup`). */
import type { CopiedMembers, Lookup, LookupRecords, Operation } from "../../contract/model/index.ts";
import { Link } from "./link.tsx";
import { WeakMark } from "./marks.tsx";
import { editionMark } from "./operation-table.tsx";
import { InlineProse } from "./prose.tsx";
import { list, Table } from "./table.tsx";

/** The table of operations with `x-lookup`. */
export function LookupTable({ operations }: { operations: readonly Operation[] }) {
  const rows = operations.flatMap((operation) => (operation.lookup ? [{ operation, lookup: operation.lookup }] : []));
  return (
    <Table
      rows={rows}
      mark={({ operation }) => editionMark(operation)}
      columns={{
        Call: ({ operation, lookup }) => (
          <>
            <Link to="operation" name={operation.name} />
            <WeakMark provenance={lookup.location.text("provenance") as "proposed"} />
          </>
        ),
        "Look at": ({ lookup }) => <Places lookup={lookup} />,
        Certain: ({ lookup: { certain } }) => list(certain, (member) => <code>{member}</code>),
        Note: ({ lookup: { similar, otherwise } }) => <InlineProse text={similar === "" ? otherwise : similar} />,
      }}
    />
  );
}

function Places({ lookup: { records, webhook } }: { lookup: Lookup }) {
  const shown = records.map((record) => (
    <>
      <Link to="operation" name={record.in} />
      {record.of !== undefined && (
        <>
          {" "}
          of <code>{record.of}</code>
        </>
      )}
      : <Recognised record={record} />
    </>
  ));
  const told = webhook && (
    <>
      webhook <Link to="webhook" name={webhook.name} />: <Members same={webhook.same} />
    </>
  );
  return <>{list([...shown, ...(told === undefined ? [] : [told])], (part) => part)}</>;
}

function Recognised({ record: { type, sign, same, atLeast } }: { record: LookupRecords }) {
  return (
    <>
      {type !== undefined && (
        <>
          <code>type</code> <code>{type}</code>,{" "}
        </>
      )}
      {sign !== undefined && `a ${sign} amount, `}
      <Members same={same} />
      {Object.entries(atLeast).map(([path, member]) => (
        <>
          , <code>{path}</code> at least as large as <code>{member}</code>
        </>
      ))}
    </>
  );
}

/** The members of a record that repeat those of the request. */
function Members({ same }: { same: CopiedMembers }) {
  return (
    <>
      {Object.entries(same).map(([path, member], index) => (
        <span key={path}>
          {index > 0 && ", "}
          <code>{path}</code>
          {path !== member && (
            <>
              {" "}
              = <code>{member}</code>
            </>
          )}
        </span>
      ))}
    </>
  );
}
