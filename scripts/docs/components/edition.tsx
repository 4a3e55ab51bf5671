/** What only the edition test has. The switch in the header selects what lists show; without a script they show everything. */
import type { ComponentChildren } from "preact";
import type { Operation } from "../../contract/index.ts";
import { editionOf } from "../site/site.ts";
import { counted } from "../text/counted.ts";

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
      <p class="absent" hidden data-edition="latest" data-pagefind-ignore>
        {counted(hidden.length, isAll ? "operation" : "more operation")}, whose path is proposed,{" "}
        {hidden.length === 1 ? "is" : "are"} in the edition test only.
      </p>
    </>
  );
}
