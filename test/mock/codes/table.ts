/** The table of operations and codes, as Markdown. */
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { pairsOf, reasonForFault } from "./provocations.ts";

/** A row for each operation: what arises by itself, and what by a fault only, with the reasons below. */
export function tableOf({ operations }: Plan): string {
  const pairs = operations.flatMap((operation) =>
    pairsOf(operation).map((pair) => ({ operation, pair, reason: reasonForFault(operation, pair) })),
  );
  const alone = pairs.filter(({ reason }) => reason === undefined).length;
  const rows = operations.map((operation) => {
    const own = pairs.filter((one) => one.operation === operation);
    const cell = (isAlone: boolean) =>
      own
        .filter(({ reason }) => (reason === undefined) === isAlone)
        .map(({ pair }) => pair)
        .join(" ");
    return `| ${operation.operationId} | ${cell(true)} | ${cell(false)} |`;
  });
  const reasons = new Map(
    pairs.flatMap(({ operation, pair, reason }) =>
      reason === undefined ? [] : [[reason, /^P50/.test(pair) ? pair : `${operation.operationId} ${pair}`] as const],
    ),
  );
  return [
    "# Operation × code",
    "",
    `What the stateful mock answers in the edition \`test\`: ${operations.length} operations document ${pairs.length} refusals and notices.`,
    `${alone} arise by themselves from what was sent and what has happened before, ${pairs.length - alone} by a fault only.`,
    "`table.test.ts` provokes each of them and writes this file (`npx vitest run test/mock/codes -u`).",
    "",
    "| Operation | By itself | By a fault only |",
    "|---|---|---|",
    ...rows,
    "",
    ...[...reasons].map(([reason, name]) => `- ${name}: ${reason}.`),
    "",
  ].join("\n");
}
