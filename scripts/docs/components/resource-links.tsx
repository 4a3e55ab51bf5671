/** What in the interface concerns a resource: the calls that show, create or move it, and the webhooks that tell of it. */
import type { Effect, Operation, Resource } from "../../contract/index.ts";
import { editionMark, OperationList } from "./edition.tsx";
import { Codes, WeakerMark } from "./effects.tsx";
import { wordsOf } from "./field-words.ts";
import { Link } from "./link.tsx";
import { usePage } from "./page-context.ts";
import { Table } from "./table.tsx";
import { When } from "./webhook-tables.tsx";

/** Every operation that shows, creates or moves a resource. */
export function ResourceOperations({ resource }: { resource: Resource }) {
  const { operations } = usePage().site.contract;
  const rows = operations
    .map((operation) => ({
      operation,
      effects: operation.effects.filter((effect) => effect.resource === resource.name),
    }))
    .filter(({ operation, effects }) => effects.length > 0 || resource.details.includes(operation.operationId));
  if (rows.length === 0) return <p class="absent">No operation shows or changes it.</p>;
  return (
    <OperationList operations={rows.map(({ operation }) => operation)}>
      <Table class="resource-operations" head={["Operation", "What it does to it"]}>
        {rows.map(({ operation, effects }) => (
          <tr key={operation.operationId} {...editionMark(operation)}>
            <th scope="row">
              <Link to="operation" name={operation.operationId} />
            </th>
            <td>
              {resource.details.includes(operation.operationId) && <p>Shows it.</p>}
              {effects.map((effect) => (
                <EffectOnIt key={effect.place.id} effect={effect} operation={operation} />
              ))}
            </td>
          </tr>
        ))}
      </Table>
    </OperationList>
  );
}

function EffectOnIt({ effect, operation }: { effect: Effect; operation: Operation }) {
  const { kind, state, to, later, provenance } = effect;
  return (
    <p>
      {kind === "creates" ? "Creates it" : `Moves ${state === undefined ? "it" : `its ${wordsOf(state)}`}`}
      {to.length > 0 && (kind === "creates" ? " with " : " to ")}
      <Codes values={to} joint="or" />
      {later && ", after the response"}.{" "}
      <WeakerMark provenance={provenance} than={operation.provenance ?? "proposed"} />
    </p>
  );
}

/** The webhooks that tell of a resource. */
export function ResourceWebhooks({ resource }: { resource: Resource }) {
  const { webhooks } = usePage().site.contract;
  return (
    <ul>
      {webhooks
        .filter(({ event }) => event?.resource === resource.name)
        .map((webhook) => (
          <li key={webhook.name}>
            <Link to="webhook" name={webhook.name} />, sent <When webhook={webhook} />
          </li>
        ))}
    </ul>
  );
}
