/** What stands below the name of an operation: how it is called, where, and how sure that is. */
import type { Address, Operation } from "../../contract/index.ts";
import { IrregularMark, ProvenanceMark } from "./marks.tsx";
import { MarksHint } from "./marks-hint.tsx";
import { InlineProse } from "./prose.tsx";

const addressWords: Record<Address, string> = {
  base_url: "On the main address.",
  deposit_base_url: "On the address of the crypto deposit details, a different host.",
};

/** Method, path, names, address and marks of an operation. */
export function OperationHead({ operation }: { operation: Operation }) {
  const {
    method,
    path,
    operationId,
    address,
    provenance = "proposed",
    stated,
    deprecated,
    node,
    sideEffects,
  } = operation;
  const irregularity = node["x-irregularity"];
  return (
    <div class="subject">
      <p class="call">
        <span class={`tag tag-${method}`}>{method.toUpperCase()}</span> <code data-copy>{path}</code>
      </p>
      <p class="names">
        <span class="address">{addressWords[address]}</span>{" "}
        <span>
          operationId <code data-copy>{operationId}</code>
        </span>{" "}
        <span>
          TypeScript client <code>wallet.{operationId}(…)</code>
        </span>
      </p>
      <p class="origin">
        <ProvenanceMark provenance={provenance} isLong />
        {stated.length > 0 && ` The specification states only its ${stated.join(" and ")}.`}
        {deprecated && (
          <>
            {" "}
            <span class="mark mark-deprecated">Deprecated</span>
          </>
        )}
      </p>
      <MarksHint subject="operation" />
      {irregularity !== undefined && (
        <p class="irregularity">
          <IrregularMark /> <InlineProse text={irregularity} />
        </p>
      )}
      {sideEffects && (
        <p class="irregularity">
          <IrregularMark /> Each call has a side effect, although its method is {method.toUpperCase()}: never repeat it
          automatically.
        </p>
      )}
    </div>
  );
}
