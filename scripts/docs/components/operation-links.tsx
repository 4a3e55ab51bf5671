/** Links to several operations. */
import { Link } from "./link.tsx";

/** Links to operations as a list in words. */
export function OperationLinks({ operationIds, joint }: { operationIds: readonly string[]; joint: "and" | "or" }) {
  return (
    <>
      {operationIds.map((operationId, index) => (
        <>
          {index > 0 && (index === operationIds.length - 1 ? ` ${joint} ` : ", ")}
          <Link to="operation" name={operationId} />
        </>
      ))}
    </>
  );
}
