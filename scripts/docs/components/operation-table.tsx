/** Lists of operations. What only the edition test has is marked, so that the switch in the header can hide it. */
import { type ComponentChildren, Fragment } from "preact";
import type { Operation } from "../../contract/index.ts";
import { editionOf } from "../site/site.ts";
import { counted, firstSentence } from "../text/words.ts";
import { Link } from "./link.tsx";
import { WeakMark } from "./marks.tsx";
import { InlineProse } from "./prose.tsx";
import { Table } from "./table.tsx";

/** The attribute of an entry of a list that the switch can hide. */
export function editionMark(operation: Operation): { "data-edition"?: "test" } {
  return editionOf(operation) === "test" ? { "data-edition": "test" } : {};
}

interface ListProps {
  operations: readonly Operation[];
  /** A list with an entry for each of the operations, marked by {@link editionMark}. */
  children: ComponentChildren;
}

/** A list of operations, and how many of them the switch hides. */
export function OperationList({ operations, children }: ListProps) {
  const hidden = operations.filter((operation) => editionOf(operation) === "test");
  if (hidden.length === 0) return <>{children}</>;
  const isAll = hidden.length === operations.length;
  return (
    <>
      {isAll ? <div data-edition="test">{children}</div> : children}
      <p class="absent" hidden data-edition="latest">
        {counted(hidden.length, isAll ? "operation" : "more operation")}, whose path is proposed,{" "}
        {hidden.length === 1 ? "is" : "are"} in the edition test only.
      </p>
    </>
  );
}

/** Name, method, path and what it does. */
export function OperationTable({ operations }: { operations: readonly Operation[] }) {
  return (
    <OperationList operations={operations}>
      <Table
        class="operations"
        rows={operations}
        mark={editionMark}
        columns={{
          Operation: ({ name, provenance = "proposed" }) => (
            <>
              <Link to="operation" name={name} />
              <WeakMark provenance={provenance} />
            </>
          ),
          "Method and path": ({ method, path }) => (
            <>
              <span class={`tag tag-${method}`}>{method.toUpperCase()}</span> <PathCode path={path} />
            </>
          ),
          "What it does": ({ description }) => <InlineProse text={firstSentence(description)} />,
        }}
      />
    </OperationList>
  );
}

/** A path that can be broken over lines before each slash. */
function PathCode({ path }: { path: string }) {
  const [first = "", ...parts] = path.split(/(?=\/)/);
  return (
    <code>
      {first}
      {parts.map((part, index) => (
        <Fragment key={index}>
          <wbr />
          {part}
        </Fragment>
      ))}
    </code>
  );
}
