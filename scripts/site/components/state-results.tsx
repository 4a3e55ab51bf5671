import { resultsOf, type State } from "../../contract/model/index.ts";
import { codeList } from "../text/words.ts";
import { weakMark } from "./marks.tsx";
import { InlineProse } from "./prose.tsx";

/** Renders nothing if the contract does not state which values mean success. */
export function StateResults({ state }: { state: State }) {
  const results = resultsOf(state);
  if (results === undefined) return null;
  const valuesWith = (isSuccess: boolean) => Object.keys(results).filter((value) => results[value] === isSuccess);
  const sentences = [
    `Succeeded: ${codeList(valuesWith(true), "or")}.`,
    `Failed: ${codeList(valuesWith(false), "or")}.`,
    `Any other value, also one that is not listed here, says nothing yet: look it up, and do not treat it as failed.${weakMark(state.provenance)}`,
  ];
  return (
    <p>
      <InlineProse text={sentences.join(" ")} />
    </p>
  );
}
