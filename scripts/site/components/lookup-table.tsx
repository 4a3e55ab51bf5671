/** How to look up calls that move money or create something, after their response was lost (`x-lookup`). */
import type { CopiedMembers, Lookup, LookupRecords, Operation, Provenance } from "../../contract/model/index.ts";
import { Link } from "./link.tsx";
import { editionMark } from "./operation-table.tsx";
import { InlineProse } from "./prose.tsx";
import { list, Table } from "./table.tsx";

export function LookupTable({ operations }: { operations: readonly Operation[] }) {
  const rows = operations.flatMap((operation) => (operation.lookup ? [{ operation, lookup: operation.lookup }] : []));
  return (
    <Table
      rows={rows}
      mark={({ operation }) => editionMark(operation)}
      columns={{
        Call: ({ operation: { name }, lookup: { location } }) => (
          <Link to="operation" name={name} provenance={location.text("provenance") as Provenance} />
        ),
        "Look at": ({ lookup }) => list(placesOf(lookup), (text) => <InlineProse text={text} />),
        Certain: ({ lookup: { certain } }) => list(certain, (member) => <code>{member}</code>),
        Note: ({ lookup: { similar, otherwise } }) => <InlineProse text={similar === "" ? otherwise : similar} />,
      }}
    />
  );
}

function placesOf({ records, webhook }: Lookup): string[] {
  const shown = records.map((record) => {
    const owner = record.of === undefined ? "" : ` of \`${record.of}\``;
    return `[](operation:${record.in})${owner}: ${signsOf(record)}`;
  });
  return webhook ? [...shown, `webhook [](webhook:${webhook.name}): ${copied(webhook.same)}`] : shown;
}

function signsOf({ type, sign, same, atLeast }: LookupRecords): string {
  return [
    ...(type === undefined ? [] : [`\`type\` \`${type}\``]),
    ...(sign === undefined ? [] : [`a ${sign} amount`]),
    copied(same),
    ...Object.entries(atLeast).map(([path, member]) => `\`${path}\` at least as large as \`${member}\``),
  ].join(", ");
}

function copied(same: CopiedMembers): string {
  return Object.entries(same)
    .map(([path, member]) => (path === member ? `\`${path}\`` : `\`${path}\` = \`${member}\``))
    .join(", ");
}
