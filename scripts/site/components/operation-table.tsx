import type { Operation, RepeatRule } from "../../contract/model/index.ts";
import { editionOf } from "../content/site.ts";
import { firstSentence } from "../text/words.ts";
import { Link } from "./link.tsx";
import { InlineProse } from "./prose.tsx";
import { Table } from "./table.tsx";

export function editionMark(operation: Operation): { "data-edition"?: "test" } {
  return editionOf(operation) === "test" ? { "data-edition": "test" } : {};
}

/** While `latest` is the chosen edition, the style sheet shows this note, and dims the entries marked with {@link editionMark}. */
export function EditionNote({ operations }: { operations: readonly Operation[] }) {
  if (!operations.some((operation) => editionOf(operation) === "test")) return null;
  return (
    <p class="quiet" hidden data-edition="latest">
      What is dimmed is only in the edition “test” of the contract, which is no test mode: its path is proposed.
    </p>
  );
}

export function OperationTable({ operations }: { operations: readonly Operation[] }) {
  return (
    <Table
      class="operations"
      rows={operations}
      attributesOf={editionMark}
      columns={{
        Operation: ({ name, effectiveProvenance: provenance }) => (
          <Link to="operation" name={name} provenance={provenance} />
        ),
        "Method and path": ({ method, path }) => (
          <>
            <Method method={method} /> <BreakableCode parts={path.split(/(?=\/)/)} />
          </>
        ),
        "May be repeated": repeatAdvice,
        "What it does": ({ description }) => <InlineProse text={firstSentence(description)} />,
      }}
    />
  );
}

const repeatWords: Readonly<Record<RepeatRule, string>> = {
  allowed: "Yes",
  "if-absent": "If a look finds no sign of it",
  never: "No: look for it",
};

/** Says whether a call with an unknown outcome may be repeated. */
export function repeatAdvice({
  lookup,
  method,
  hasSideEffects,
}: Pick<Operation, "lookup" | "method" | "hasSideEffects">): string {
  return repeatWords[lookup?.repeat ?? (method === "get" && !hasSideEffects ? "allowed" : "never")];
}

function Method({ method }: Pick<Operation, "method">) {
  return <span class={`tag tag-${method}`}>{method.toUpperCase()}</span>;
}

export function Call({ method, path }: Pick<Operation, "method" | "path">) {
  return (
    <p class="call">
      <Method method={method} /> <code data-copy>{path}</code>
    </p>
  );
}

export function BreakableCode({ parts }: { parts: readonly string[] }) {
  return <code>{parts.map((part, index) => [index > 0 && <wbr key={index} />, part])}</code>;
}
