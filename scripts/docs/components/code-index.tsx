/** P-codes as a short list. */
import type { ErrorCode } from "../../contract/index.ts";
import { CodeLink } from "./code-table.tsx";
import { InlineProse } from "./prose.tsx";

/** Each code with its meaning. */
export function CodeIndex({ codes }: { codes: readonly ErrorCode[] }) {
  return (
    <ul class="code-index">
      {codes.map(({ code, meaning }) => (
        <li key={code}>
          <CodeLink code={code} /> <InlineProse text={meaning} />
        </li>
      ))}
    </ul>
  );
}
