/** What must be true before an operation can succeed, with the calls that make it true. */
import type { Operation, Requirement } from "../../contract/index.ts";
import { CodeLink, codeRowsOf, PairMark } from "./code-table.tsx";
import { Places } from "./expressions.tsx";
import { OperationLinks } from "./operation-links.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";

/** Every condition of an operation: whom it is about, what makes it true, and the P-code that comes otherwise. */
export function Requirements({ operation }: { operation: Operation }) {
  return (
    <ul class="requirements">
      {operation.requires.map((requirement) => (
        <li key={requirement.condition}>
          <RequirementWords requirement={requirement} operation={operation} />
        </li>
      ))}
    </ul>
  );
}

function RequirementWords({ requirement, operation }: { requirement: Requirement; operation: Operation }) {
  const { site } = usePage();
  const { condition, of } = requirement;
  const { meaning = condition, code = "", any: isAny = false } = site.conditions[condition] ?? {};
  const row = codeRowsOf(operation.answers).find(({ ref }) => ref.code === code);
  const resolvers = site.contract.errorCodes.find((error) => error.code === code)?.resolvedBy ?? [];
  const others = resolvers.filter((operationId) => operationId !== operation.operationId);
  return (
    <>
      <InlineProse text={meaning} /> (<Places expressions={of} joint={isAny ? "or" : "and"} />
      ).
      {others.length > 0 && (
        <>
          {" "}
          Made true by <OperationLinks operationIds={others} joint="or" />.
        </>
      )}
      {row !== undefined && (
        <>
          {" "}
          Otherwise <CodeLink code={code} />. <PairMark row={row} enclosing={operation.provenance ?? "proposed"} />
        </>
      )}
    </>
  );
}
