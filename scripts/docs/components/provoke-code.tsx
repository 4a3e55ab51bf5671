/** How the mock is made to answer a P-code. */
import type { ErrorCode } from "../../contract/index.ts";
import { answerWith, preferenceFor } from "../samples/answers.ts";
import { type CodePair, causesOfPair } from "./code-pairs.ts";
import { listWords } from "./field-words.ts";
import { Link } from "./link.tsx";
import { usePage } from "./page-context.ts";

interface Props {
  error: ErrorCode;
  pairs: readonly CodePair[];
  /** The pair whose call stands in the column of samples. */
  shown: CodePair;
}

/** By itself, where the contract says what leads to the code, and with a header in any case. */
export function ProvokeCode({ error: { code }, pairs, shown }: Props) {
  const { site } = usePage();
  const isCaused = pairs.some((pair) => {
    const { conditions, invalid } = causesOfPair(pair, site);
    return conditions.length + invalid.length > 0;
  });
  const headers = new Set(pairs.map(({ operation }) => preferenceFor(answerWith(operation, code))));
  return (
    <>
      {isCaused && (
        <p>
          The mock answers {code} by itself where the table says what leads to it, as the service is expected to do.
        </p>
      )}
      <p>
        To get it at once, whatever is sent: the <a href={`#sample-${code}`}>sample</a> calls{" "}
        <Link to="operation" name={shown.operation.operationId} /> with a header for the mock
        {pairs.length > 1 && ", which works on every operation of the table"}:{" "}
        <code>Prefer: {listWords([...headers], "or")}</code>. The service does not know the header. More ways are in{" "}
        <Link to="guide" name="testing-with-the-mock" />.
      </p>
    </>
  );
}
