/** What stands below the name of an operation: how it is called, where, and how sure that is. */
import type { Address, Operation } from "../../contract/index.ts";
import { editionOf } from "../site/site.ts";
import { ProvenanceMark } from "./marks.tsx";
import { MarksHint } from "./marks-hint.tsx";

const addressWords: Record<Address, string> = {
  base_url: "On the main address.",
  deposit_base_url: "On the address of the crypto deposit details, a different host.",
};

/** Method, path, names, address and marks of an operation. */
export function OperationHead({ operation }: { operation: Operation }) {
  const { method, path, operationId, address, provenance = "proposed", stated, deprecated, sideEffects } = operation;
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
        {stated.length > 0 && ` The specification states its ${stated.join(" and ")}.`}
        {deprecated && (
          <>
            {" "}
            <span class="mark mark-deprecated">Deprecated</span>
          </>
        )}
      </p>
      {editionOf(operation) === "test" && (
        <p class="edition-note">
          Its path is proposed, so only the edition test has it: create the client with{" "}
          <code>{`createPartnerClient({ …, edition: "test" })`}</code>, and start the mock with{" "}
          <code>npx partner-wallet-api mock --edition test</code>.
        </p>
      )}
      <MarksHint subject="operation" />
      {sideEffects && (
        <p class="side-effects">
          Each call has a side effect, although its method is {method.toUpperCase()}: never repeat it automatically.
        </p>
      )}
    </div>
  );
}
