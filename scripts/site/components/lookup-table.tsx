/** Explains how to find out what a call did if its response was lost, and whether it may be repeated. */
import type { CopiedMembers, Lookup, LookupRecords, Operation, Provenance } from "../../contract/model/index.ts";
import { Link } from "./link.tsx";
import { editionMark, repeatAdvice } from "./operation-table.tsx";
import { InlineProse } from "./prose.tsx";
import { list, Table } from "./table.tsx";

export function LookupTable({ operations, rules }: { operations: readonly Operation[]; rules: readonly string[] }) {
  const rows = operations.flatMap((operation) => {
    const { lookup } = operation;
    return lookup !== undefined && rules.includes(lookup.repeat) ? [{ operation, lookup }] : [];
  });
  return (
    <Table
      rows={rows}
      attributesOf={({ operation }) => editionMark(operation)}
      columns={{
        Call: ({ operation: { name }, lookup: { location } }) => (
          <Link to="operation" name={name} provenance={location.text("provenance") as Provenance} />
        ),
        "Look at": ({ lookup }) => list(placesOf(lookup), (text) => <InlineProse text={text} />),
        Certain: ({ lookup: { certain } }) => list(certain, (member) => <code>{member}</code>),
        "Repeat it": ({ operation }) => repeatAdvice(operation),
        Note: ({ lookup: { note } }) => <InlineProse text={note} />,
      }}
    />
  );
}

function placesOf({ records, shownBy, webhook }: Lookup): string[] {
  const recordPlaces = records.map((record) => {
    const owner = record.userMember === undefined ? "" : ` of \`${record.userMember}\``;
    return `[](operation:${record.listOperationId})${owner}: ${signsOf(record)}`;
  });
  const details = shownBy.map((name) => `[](operation:${name})`);
  const sameMembers = copiedMembers(webhook?.same ?? {});
  const events = webhook ? [`webhook [](webhook:${webhook.name})${sameMembers && `: ${sameMembers}`}`] : [];
  return [...recordPlaces, ...details, ...events];
}

function signsOf({ type, sign, same, atLeast }: LookupRecords): string {
  return [
    ...(type === undefined ? [] : [`\`type\` \`${type}\``]),
    ...(sign === undefined ? [] : [`a ${sign} amount`]),
    // The sign of a record is the sign of its `amount`. Other amounts in the record can have the opposite sign.
    copiedMembers(same, (path) => (/^amount./.test(path) ? " apart from its sign" : "")),
    ...Object.entries(atLeast).map(([path, member]) => `\`${path}\` at least as large as \`${member}\``),
  ].join(", ");
}

function copiedMembers(membersByPath: CopiedMembers, note: (path: string) => string = () => ""): string {
  return Object.entries(membersByPath)
    .map(([path, member]) => (path === member ? `\`${path}\`` : `\`${path}\`${note(path)} = \`${member}\``))
    .join(", ");
}
