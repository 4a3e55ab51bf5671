import type { Policy } from "../../../../scripts/client/src/payments/protocol.ts";
import type { Bounds } from "./explore.ts";
import { answers, type World } from "./service.ts";
import type { Flaws } from "./subject.ts";
import { type Case, caseOf, equalCase, repeatAfter } from "./worlds.ts";

/** Removes a rule, by replacing a text of a source file, or by a flaw of the code around the engine. */
export interface Ablation {
  readonly rule: string;
  readonly file?: string;
  readonly from?: string;
  readonly to?: string;
  /** A second text of the same file, and its replacement. */
  readonly secondEdit?: readonly [from: string, to: string];
  readonly flaws?: Flaws;
  /** The case in which a story shows that the rule is missing; undefined if the rule is not needed for safety. */
  readonly violatedCase?: Case;
}

const violatedUsual = (
  name: string,
  bounds: Partial<Bounds> = {},
  policy: Partial<Policy> = {},
  change: Partial<World> = {},
): Case => {
  const namedCase = caseOf([name], bounds, policy);
  return { ...namedCase, world: { ...namedCase.world, ...change } };
};
const payment = "scripts/client/src/payments/payment.ts";
const evidence = "scripts/client/src/payments/evidence.ts";
const candidates = "scripts/client/src/payments/candidates.ts";
const engine = "scripts/client/src/payments/engine.ts";
const lostResponses = { answers: answers.lost };

export const ablations: readonly Ablation[] = [
  {
    rule: "1 refused after unknown is refused",
    file: payment,
    from: '  if (openCount > 0) return "unclear";',
    to: '  if (openCount > 0) return attempts.at(-1)?.outcome === "refused" ? "refused" : "unclear";',
    violatedCase: violatedUsual("usual", { faults: 2, decisions: 1 }, {}, { recordDelays: [null] }),
  },
  {
    rule: "1 one failed attempt is a failed payment",
    file: payment,
    from: 'countResults(data, "failed") >= openCount',
    to: 'countResults(data, "failed") > 0',
    violatedCase: violatedUsual(
      "transfers are in progress, then succeed or fail",
      { decisions: 1 },
      {},
      { ...lostResponses, recordDelays: [null] },
    ),
  },
  {
    rule: "1 identifiers and records are added up",
    file: payment,
    from: "  Math.max(...columns.map((column) => Object.values(evidence[column]).filter((one) => one === result).length));",
    to: "  columns.map((column) => Object.values(evidence[column]).filter((one) => one === result).length).reduce((a, b) => a + b);",
    violatedCase: violatedUsual(
      "transfers are in progress, then succeed or fail",
      { decisions: 1 },
      {},
      { ...lostResponses, recordDelays: [0, 24] },
    ),
  },
  {
    rule: "1 abandoned is refused",
    file: payment,
    from: 'return "abandoned";',
    to: 'return "refused";',
    violatedCase: violatedUsual("usual", { decisions: 1 }),
  },
  {
    rule: "2 401, 403, 429 are refusals",
    file: evidence,
    from: 'outcome === "refused" && problem.errorCode !== undefined && problem.documented === true;',
    to: 'outcome === "refused";',
    violatedCase: violatedUsual("usual"),
  },
  {
    rule: "3 an unknown outcome without a status is not-sent",
    file: engine,
    from: 'reply.outcome === "not-sent" ||',
    to: 'reply.outcome === "not-sent" || problem.status === undefined ||',
    violatedCase: violatedUsual("usual"),
  },
  {
    rule: "4 no allowance in repeatAfter",
    file: engine,
    from: "repeatAfterMs + timeoutMs + maxSendDelayMs + allowanceMs",
    to: "repeatAfterMs + timeoutMs + maxSendDelayMs",
    violatedCase: caseOf(["the clocks of the processes are 14 minutes apart", "records come late"], {}, repeatAfter),
  },
  {
    rule: "5 no held-up check",
    file: engine,
    from: "steady + policy.maxSendDelayMs;",
    to: "Number.POSITIVE_INFINITY;",
    violatedCase: violatedUsual("usual", { faults: 0 }, repeatAfter),
  },
  {
    rule: "6 equal rows are read before the history",
    file: evidence,
    from: "      let isUnreadable = true;",
    to: `      let isUnreadable = true;
      source.early = yield* rows.equalRows(source.column, recordKeyOf(source, data.body));`,
    secondEdit: ["yield* rows.equalRows(column, key);", "source.early;"],
    // Between the two reads, a person decides, and the equal payment is sent.
    violatedCase: equalCase({ answers: answers.ineffective, events: 0 }),
  },
  {
    rule: "7 months in UTC only",
    file: "scripts/client/src/payments/matching.ts",
    from: "const zoneMs = 14 * 3_600_000;",
    to: "const zoneMs = 0;",
    violatedCase: violatedUsual("a month ends, zone +2", {}, repeatAfter),
  },
  {
    rule: "7 a refused month is evidence",
    file: evidence,
    from: "          isWhole = false;",
    to: "          isWhole &&= isRefusal(reply);",
    violatedCase: violatedUsual("a month ends in +2, the window is in UTC", {}, repeatAfter),
  },
  {
    rule: "7 a response that is not whole is evidence",
    file: evidence,
    from: "          isWhole &&= reply.isWhole;",
    to: "",
    violatedCase: violatedUsual("a history can leave records out, and shows it", {}, repeatAfter),
  },
  {
    rule: "8 an event is of the first of several",
    file: candidates,
    from: '  if (isMore || candidates.length > 1) return { kind: "ambiguous", candidates };',
    to: "",
    violatedCase: violatedUsual("usual", { payments: 2, faults: 2, decisions: 1 }, {}, lostResponses),
  },
  {
    rule: "8 records are not compared by time",
    file: candidates,
    from: "  if (timeOf(recordOrEvent) < firstAttemptAt - allowanceMs) return true;",
    to: "",
    violatedCase: violatedUsual("another program paid the same an hour ago, its record comes late"),
  },
  {
    rule: "8 records from before are not known",
    file: candidates,
    from: "  return data.before[column]?.ids.includes(recordOrEvent.id as string) === true;",
    to: "  return false;",
    violatedCase: violatedUsual("another program paid the same 10 minutes ago"),
  },
  {
    rule: "9 contradictions are swallowed",
    file: payment,
    from: "  return isContradiction ? withContradiction(changedData, column, id, result, stateBefore) : changedData;",
    to: "  return changedData;",
    violatedCase: violatedUsual("transfers are returned", { faults: 0 }),
  },
  {
    rule: "10 it repeats by itself",
    file: engine,
    from: "repeatAfterMs !== null && elapsedMs",
    to: "elapsedMs",
    violatedCase: violatedUsual("records come late"),
  },
  {
    rule: "12 no hold",
    file: payment,
    from: "holds: row.holds && mayBeSent",
    to: "holds: false && mayBeSent",
  },
  {
    rule: "3 any refused connection is the client's own",
    flaws: { believesAnyConnection: true },
    violatedCase: violatedUsual("usual", {}, {}, { answers: answers.elsewhere }),
  },
  {
    rule: "11 a write does not compare the version",
    flaws: { ignoresVersions: true },
    violatedCase: violatedUsual("usual"),
  },
];
