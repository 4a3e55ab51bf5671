import type { Policy } from "../../../../scripts/client/src/payments/protocol.ts";
import type { Bounds, Flaws } from "./model.ts";
import { callEndings, type World } from "./service.ts";
import { type Case, caseOf, equalCase, repeatAfter } from "./worlds.ts";

/** The removal of a rule, by replacing a text of a source file or by a flaw of the code around the engine. */
export interface Ablation {
  readonly rule: string;
  readonly file?: string;
  readonly original?: string;
  readonly replacement?: string;
  readonly secondEdit?: readonly [from: string, to: string];
  readonly flaws?: Flaws;
  /** The case in which a violation is found without the rule; undefined if the rule is not needed for safety. */
  readonly violatedCase?: Case;
}

const violatedCaseOf = (
  name: string,
  bounds: Partial<Bounds> = {},
  policy: Partial<Policy> = {},
  change: Partial<World> = {},
): Case => {
  const namedCase = caseOf([name], bounds, policy);
  return { ...namedCase, world: { ...namedCase.world, ...change } };
};
const paymentFile = "scripts/client/src/payments/payment.ts";
const attributionFile = "scripts/client/src/payments/attribution.ts";
const candidatesFile = "scripts/client/src/payments/candidates.ts";
const stepsFile = "scripts/client/src/payments/steps.ts";
const sendingFile = "scripts/client/src/payments/sending.ts";
const lostResponses = { callEndings: callEndings.lost };

export const ablations: readonly Ablation[] = [
  {
    rule: "1 refused after unknown is refused",
    file: paymentFile,
    original: '  if (openCount > 0) return "unclear";',
    replacement: '  if (openCount > 0) return attempts.at(-1)?.outcome === "refused" ? "refused" : "unclear";',
    violatedCase: violatedCaseOf("usual", { faults: 2, decisions: 1 }, {}, { recordDelays: [null] }),
  },
  {
    rule: "1 one failed attempt is a failed payment",
    file: paymentFile,
    original: 'countResults(data, "failed") >= openCount',
    replacement: 'countResults(data, "failed") > 0',
    violatedCase: violatedCaseOf(
      "transfers are in progress, then succeed or fail",
      { decisions: 1 },
      {},
      { ...lostResponses, recordDelays: [null] },
    ),
  },
  {
    rule: "1 identifiers and records are added up",
    file: paymentFile,
    original:
      "  Math.max(...countedColumns.map((column) => Object.values(evidence[column]).filter((one) => one === result).length));",
    replacement:
      "  countedColumns.map((column) => Object.values(evidence[column]).filter((one) => one === result).length).reduce((a, b) => a + b);",
    violatedCase: violatedCaseOf(
      "transfers are in progress, then succeed or fail",
      { decisions: 1 },
      {},
      { ...lostResponses, recordDelays: [0, 24] },
    ),
  },
  {
    rule: "1 abandoned is refused",
    file: paymentFile,
    original: 'return "abandoned";',
    replacement: 'return "refused";',
    violatedCase: violatedCaseOf("usual", { decisions: 1 }),
  },
  {
    rule: "2 401, 403, 429 are refusals",
    file: attributionFile,
    original: 'outcome === "refused" && problem.errorCode !== undefined && problem.documented === true;',
    replacement: 'outcome === "refused";',
    violatedCase: violatedCaseOf("usual"),
  },
  {
    rule: "3 an unknown outcome without a status is not-sent",
    file: sendingFile,
    original: 'if (outcome !== "not-sent") return',
    replacement: 'if (outcome !== "not-sent" && problem.status !== undefined) return',
    violatedCase: violatedCaseOf("usual"),
  },
  {
    rule: "4 no allowance in repeatAfter",
    file: stepsFile,
    original: "repeatAfterMs + maxCallMs(this.#policy) + allowanceMs",
    replacement: "repeatAfterMs + maxCallMs(this.#policy)",
    violatedCase: caseOf(["the clocks of the processes are 14 minutes apart", "records come late"], {}, repeatAfter),
  },
  {
    rule: "5 no held-up check",
    file: sendingFile,
    original: "steady + this.#policy.maxSendDelayMs;",
    replacement: "Infinity;",
    violatedCase: violatedCaseOf("usual", { faults: 0 }, repeatAfter),
  },
  {
    rule: "6 equal rows are read before the history",
    file: attributionFile,
    original: "    for (const source of sources) sides.push(",
    replacement: `    for (const source of sources)
      source.early = yield* this.#rows.equalRows(source.column, recordKeyOf(source, data.body));
    for (const source of sources) sides.push(`,
    secondEdit: ["yield* this.#rows.equalRows(column, key);", "source.early;"],
    // The violation: between the two reads, a person decides, and the equal payment is sent.
    violatedCase: equalCase({ callEndings: callEndings.ineffective, deliveriesPerEvent: 0 }),
  },
  {
    rule: "7 months in UTC only",
    file: "scripts/client/src/payments/matching.ts",
    original: "const zoneOffsetMs = 14 * 3_600_000;",
    replacement: "const zoneOffsetMs = 0;",
    violatedCase: violatedCaseOf("a month ends, zone +2", {}, repeatAfter),
  },
  {
    rule: "7 a refused month is evidence",
    file: attributionFile,
    original: "      reading.isWhole = false;",
    replacement: "      reading.isWhole &&= isRefusal(reply);",
    violatedCase: violatedCaseOf("a month ends in +2, the window is in UTC", {}, repeatAfter),
  },
  {
    rule: "7 a response that is not whole is evidence",
    file: attributionFile,
    original: "      reading.isWhole &&= reply.isWhole;",
    replacement: "",
    violatedCase: violatedCaseOf("a history can leave records out, and shows it", {}, repeatAfter),
  },
  {
    rule: "8 an event is of the first of several",
    file: candidatesFile,
    original: '  if (hasMore || candidates.length > 1) return { kind: "ambiguous", candidates };',
    replacement: "",
    violatedCase: violatedCaseOf("usual", { payments: 2, faults: 2, decisions: 1 }, {}, lostResponses),
  },
  {
    rule: "8 records are not compared by time",
    file: candidatesFile,
    original: "  if (timeOf(recordOrEvent) < firstAttemptAt - allowanceMs) return true;",
    replacement: "",
    secondEdit: ["!(time < at - allowanceMs) && ", ""],
    violatedCase: violatedCaseOf("another program paid the same an hour ago, its record comes late"),
  },
  {
    rule: "8 late evidence counts",
    file: candidatesFile,
    original: " && !((time || arrivedAt) > at + maxCallMs(policy) + allowanceMs);",
    replacement: ";",
    violatedCase: violatedCaseOf("another program pays the same meanwhile"),
  },
  {
    rule: "8 late evidence counts while a call is open",
    file: candidatesFile,
    original: "!isToRepeat(data)) return",
    replacement: 'data.attempts.every(({ outcome }) => outcome !== "sending")) return',
    violatedCase: violatedCaseOf("another program pays the same meanwhile", { kills: 1 }),
  },
  {
    rule: "8 records from before are not known",
    file: candidatesFile,
    original: "  return data.before[column]?.ids.includes(recordOrEvent.id as string) === true;",
    replacement: "  return false;",
    violatedCase: violatedCaseOf("another program paid the same 10 minutes ago"),
  },
  {
    rule: "9 contradictions are swallowed",
    file: paymentFile,
    original:
      "  return isContradiction ? withContradiction(changedData, column, id, result, stateBefore) : changedData;",
    replacement: "  return changedData;",
    violatedCase: violatedCaseOf("transfers are returned", { faults: 0 }),
  },
  {
    rule: "10 it repeats by itself",
    file: stepsFile,
    original: "repeatAfterMs !== null && elapsedMs",
    replacement: "elapsedMs",
    violatedCase: violatedCaseOf("records come late"),
  },
  {
    rule: "12 no hold",
    file: paymentFile,
    original: "holds: row.holds && mayBeSent",
    replacement: "holds: false && mayBeSent",
  },
  {
    rule: "3 any refused connection is the client's own",
    flaws: { believesAnyConnection: true },
    violatedCase: violatedCaseOf("usual", {}, {}, { callEndings: callEndings.elsewhere }),
  },
  {
    rule: "11 a write does not compare the version",
    flaws: { ignoresVersions: true },
    violatedCase: violatedCaseOf("usual"),
  },
];
