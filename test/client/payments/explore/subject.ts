import {
  createCryptoWithdrawal,
  createSepaTransfer,
  createTransfer,
  getTransferDetails,
  getUserTransactionHistory,
} from "../../../../generated/client/operation-table.ts";
import type { Operation } from "../../../../scripts/client/src/base/operation.ts";
import type {
  Command,
  Engine,
  PaymentState,
  Policy,
  Replies,
  StoredPayment,
} from "../../../../scripts/client/src/payments/protocol.ts";
import { lastAttemptOf, limitsOf } from "./limits.ts";
import type { Bounds, Flaws, HiddenState, Reply, Subject, Turn, View } from "./model.ts";
import { failureOf, replyOf, shownText } from "./replies.ts";
import {
  canDeliverEvent,
  detailsOf,
  type Effect,
  effectsOf,
  eventOf,
  historiesOf,
  idOf,
  isLegible,
  referenceOf,
  requests,
  timeAt,
  type World,
} from "./service.ts";

const minute = 60_000;

export interface TestedFunctions {
  createEngine(policy: Policy): Engine;
  toPayment(row: StoredPayment): {
    readonly state: PaymentState;
    readonly id?: string | undefined;
    readonly contradictions: readonly unknown[];
  };
}

const operations: Readonly<Record<World["operation"], Operation>> = {
  fund: createTransfer,
  between: createTransfer,
  withdraw: createCryptoWithdrawal,
  sepa: createSepaTransfer,
};

type Task =
  | { readonly do: "begin" | "resume"; readonly payment: number }
  | {
      readonly do: "observe";
      readonly effect: number;
      readonly status: Effect["status"];
      readonly name: string;
      readonly body: object;
    }
  | { readonly do: "decide"; readonly payment: number; readonly decision: "happened" | "repeat" | "abandon" };

type Step = Reply<StoredPayment>;
type Row = StoredPayment;

/** Connects the engine to the model of the service and to a model of a store, and checks the properties that must hold. */
export function subjectOf(
  testedFunctions: TestedFunctions,
  world: World,
  { payments }: Bounds,
  policy: Policy,
  flaws: Flaws = {},
): Subject<Row> {
  const engine = testedFunctions.createEngine(policy);
  const operation = operations[world.operation];
  const paymentsByRow = new WeakMap<Row, ReturnType<TestedFunctions["toPayment"]>>();
  const toPayment = (row: Row) => {
    let payment = paymentsByRow.get(row);
    if (payment === undefined) {
      payment = testedFunctions.toPayment(row);
      paymentsByRow.set(row, payment);
    }
    return payment;
  };
  const repliesByEnding = new Map(world.callEndings.map((ending) => [ending, replyOf(ending, operation, flaws)]));
  const rowOf = (view: View<Row>, payment: number) =>
    view.rows.find(({ reference }) => reference === referenceOf(payment));
  const indexes = Array.from({ length: payments }, (_, index) => index);

  function turnsOf(view: View<Row>): Turn[] {
    const turns: (Turn & { task: Task })[] = [];
    for (const payment of indexes) {
      const row = rowOf(view, payment);
      const description = `${referenceOf(payment)} (${row === undefined ? "new" : toPayment(row).state})`;
      turns.push({ description: `looks at ${description}`, task: { do: row?.isOpen ? "resume" : "begin", payment } });
      const state = row && toPayment(row).state;
      const decisions =
        state === "unclear"
          ? (["happened", "repeat", "abandon"] as const)
          : state === "pending"
            ? (["abandon"] as const)
            : [];
      for (const decision of decisions)
        turns.push({
          description: `decides ${description}: ${decision}`,
          task: { do: "decide", payment, decision },
          isDecision: true,
        });
    }
    view.effects.forEach((effect, index) => {
      if (!canDeliverEvent(world, effect, view.now)) return;
      const { status } = effect;
      const task = { do: "observe", effect: index, status, ...eventOf(world, effect, index) } as const;
      turns.push({ description: `gets the event of transfer ${index + 1} (${status})`, task });
    });
    return turns;
  }

  function begin({ task }: Turn): Generator<unknown, unknown, unknown> {
    const turn = task as Task;
    if (turn.do === "observe") return engine.observe(turn.name, { ...turn.body });
    const reference = referenceOf(turn.payment);
    if (turn.do === "resume") return engine.resume(reference);
    if (turn.do === "decide") return engine.decide(reference, turn.decision);
    const body = requests[world.operation];
    const digests = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, `digest of ${value}`]));
    const title = world.operation === "sepa" ? { transferTitle: reference } : {};
    return engine.begin({
      reference,
      kind: world.operation,
      operation: operation.id,
      body: { ...body, ...title },
      digests,
    });
  }

  function repliesTo(request: unknown, view: View<Row>, { task }: Turn): Step[] {
    const command = request as Command;
    const replyWith = <Name extends Command["do"]>(_name: Name, reply: Replies[Name], description = ""): Step[] => [
      { value: reply, description },
    ];
    switch (command.do) {
      case "read":
        return replyWith("read", view.rows.find(({ reference }) => reference === command.reference) ?? null);
      case "withId":
        return replyWith("withId", view.rows.find(({ id }) => id === command.id) ?? null);
      case "equal": {
        const equalRows = view.rows.filter((row) => row[command.column] === command.key);
        // `view.rows` is sorted by reference already, as the reply must be.
        const sortedRows = [...equalRows.filter((row) => !row.isRefuted), ...equalRows.filter((row) => row.isRefuted)];
        return replyWith("equal", sortedRows.slice(0, command.limit));
      }
      case "write":
        return [write(command.payment, view, task as Task)];
      case "send":
        return sendTo(view, task as Task);
      case "history":
        return historiesOf(world, view.effects, view.now, command.user ?? "", command.month).map((item, index) => {
          const isFault = index > 0;
          if (item.kind === "records") {
            const description = `reads ${command.month}: ${item.records.length === 0 ? "no record" : item.records.map(({ id }) => `record ${Number(`${id}`.slice(-12)) + 1}`).join(", ")}`;
            return {
              value: { outcome: "read", records: item.records, isWhole: item.isWhole },
              description: isFault ? `${description} (left out)` : description,
              isFault,
            };
          }
          const status = item.kind === "refused" ? 400 : 503;
          const reply = failureOf(getUserTransactionHistory, {
            status,
            ...(item.kind === "refused" ? { code: item.code } : {}),
          });
          return { value: reply, description: `reads ${command.month}: ${item.kind}`, isFault };
        });
      case "details": {
        const details = detailsOf(world, view.effects, view.now, command.id);
        const reply =
          details === undefined
            ? failureOf(getTransferDetails, { status: 404 })
            : ({ outcome: "read", details } as const);
        return replyWith("details", reply, `reads the details of transfer ${Number(command.id.slice(-12)) + 1}`);
      }
      case "now": {
        const turn = task as Task;
        // The engine does not use the time at which a payment was created. With a constant, there are fewer states.
        const isCreation = turn.do === "begin" && rowOf(view, turn.payment) === undefined;
        if (isCreation) return replyWith("now", { now: timeAt(world, 0, 0), steady: view.now * minute });
        const leadMinutes = world.clocks.ofStore ?? view.hiddenState.clockLeadMinutes[view.process as 0 | 1];
        return replyWith("now", { now: timeAt(world, view.now, leadMinutes), steady: view.now * minute });
      }
      case "steady":
        return replyWith("steady", view.now * minute);
      case "wait":
        return replyWith("wait", null);
    }
  }

  const certainFailure = (request: unknown, { rows }: View<Row>): unknown => {
    const { payment } = request as Command & { do: "write" };
    const storedRow = rows.find(({ reference }) => reference === payment.reference);
    return !flaws.ignoresVersions && (storedRow?.version ?? 0) >= payment.version ? "changed" : undefined;
  };

  function write(payment: Row, view: View<Row>, task: Task): Step {
    const otherRows = view.rows.filter(({ reference }) => reference !== payment.reference);
    const storedRow = view.rows.find(({ reference }) => reference === payment.reference);
    const name = payment.reference.replaceAll("\n", " / ");
    if (!flaws.ignoresVersions && (storedRow?.version ?? 0) !== payment.version - 1)
      return { value: "changed", description: `cannot write ${name}: it has changed` };
    const columns = ["debit", "credit", "event"] as const;
    const isTaken = (otherRow: Row) =>
      (payment.id !== null && otherRow.id === payment.id) ||
      (!flaws.ignoresHolds &&
        payment.holds &&
        otherRow.holds &&
        columns.some((column) => payment[column] !== null && otherRow[column] === payment[column]));
    if (otherRows.some(isTaken))
      return { value: "taken", description: `cannot write ${name}: another has its identifier, or is sent` };
    const rows = [...otherRows, payment].sort((a, b) => (a.reference < b.reference ? -1 : 1));
    const change = task.do === "decide" ? { hiddenState: hiddenAfterDecision(view.hiddenState, task) } : {};
    return { value: "written", description: `writes ${name}: ${payment.state}`, rows, ...change };
  }

  const hiddenAfterDecision = (
    hiddenState: HiddenState,
    { payment, decision }: Task & { do: "decide" },
  ): HiddenState => ({
    ...hiddenState,
    decisions: withItem(hiddenState.decisions, payment, decision),
    repeats:
      decision === "repeat" && hiddenState.decisions[payment] === null
        ? withItem(hiddenState.repeats, payment, (hiddenState.repeats[payment] ?? 0) + 1)
        : hiddenState.repeats,
  });

  function sendTo(view: View<Row>, task: Task): Step[] {
    if (task.do === "observe") throw new Error("An event must not lead to a call.");
    return world.callEndings.flatMap((ending) =>
      effectsOf(world, ending, task.payment, view.now).map((effect): Step => {
        const id = idOf(view.effects.length);
        return {
          value: ending.hasIdentifier ? { outcome: "accepted", id } : repliesByEnding.get(ending),
          description: `sends ${referenceOf(task.payment)}: the service ${ending.description}${effect === undefined ? "" : shownText(effect, view.now)}`,
          isFault: ending.isFault,
          ...(effect === undefined ? {} : { effects: [...view.effects, effect] }),
          ...(ending.isRefusal
            ? {
                hiddenState: { ...view.hiddenState, refusals: withItem(view.hiddenState.refusals, task.payment, true) },
              }
            : {}),
        };
      }),
    );
  }

  /** Notes the event that a turn delivered, and counts it if the engine attributed it to no payment. Undefined for other turns. */
  function changeAtEnd({ task }: Turn, result: unknown, view: View<Row>): ReturnType<Subject["changeAtEnd"]> {
    const turn = task as Task;
    if (turn.do !== "observe") return undefined;
    const effects = view.effects.map((effect, index) =>
      index === turn.effect ? { ...effect, deliveredStatuses: [...effect.deliveredStatuses, turn.status] } : effect,
    );
    return {
      effects,
      ...(result === null
        ? { hiddenState: { ...view.hiddenState, unattributedEventCount: view.hiddenState.unattributedEventCount + 1 } }
        : {}),
    };
  }

  const violationOfError = ({ task }: Turn, error: unknown) =>
    (task as Task).do === "decide" && error instanceof TypeError ? undefined : `the engine throws: ${error}`;

  const limitOf = limitsOf(world, policy);

  function check(view: View<Row>): string | undefined {
    for (const payment of indexes) {
      const row = rowOf(view, payment);
      const ownEffects = view.effects.filter((effect) => effect.paymentIndex === payment);
      const violation = row && checkPayment(row, ownEffects, view, payment);
      if (violation === undefined) continue;
      const limit = limitOf(row, ownEffects, view);
      return limit === undefined ? `${referenceOf(payment)} ${violation}` : `limit: ${limit}`;
    }
    return undefined;
  }

  function checkPayment(
    row: Row,
    ownEffects: readonly Effect[],
    { hiddenState, isIdle }: View<Row>,
    payment: number,
  ): string | undefined {
    const { state, contradictions } = toPayment(row);
    const paidEffects = ownEffects.filter(({ status, isReturned }) => status !== "UNSUCCESSFUL" || isReturned);
    if (paidEffects.length > 1 + (hiddenState.repeats[payment] ?? 0)) return `is paid ${paidEffects.length} times`;
    const unreturnedEffects = paidEffects.filter(({ isReturned }) => !isReturned);
    if (state !== row.state) return `is stored as ${row.state} and is ${state}`;
    if (!row.isOpen && ["pending", "accepted", "unclear"].includes(state))
      return `is ${state}, and nobody goes on with it`;
    if (state === "refused" && unreturnedEffects.length > 0) return "is refused, and the money is or will be taken";
    if (state === "refused" && !hiddenState.refusals[payment]) return "is refused, and the service never refused it";
    if (state === "failed" && unreturnedEffects.length > 0) return "is failed, and the money is or will be taken";
    if (state === "failed" && ownEffects.length === 0) return "is failed, and nothing was created";
    if (state === "succeeded" && !ownEffects.some(({ status, isReturned }) => status === "SUCCESSFUL" || isReturned))
      return "is succeeded, and nothing was paid";
    if (state === "accepted" && ownEffects.length === 0 && hiddenState.decisions[payment] !== "happened")
      return "is accepted, and nothing was created";
    if (
      !isIdle ||
      contradictions.length > 0 ||
      row.isContradicted ||
      // An event from whose amount fees were deducted does not match.
      (hiddenState.unattributedEventCount > 0 &&
        (payments > 1 || policy.evidence === "identifiers" || world.fees === "deducted"))
    )
      return undefined;
    const deliveredEffects = (status: Effect["status"]) =>
      ownEffects.filter((effect) => isLegible(world, status) && effect.deliveredStatuses.includes(status));
    if (
      ["refused", "failed", "abandoned"].includes(state) &&
      deliveredEffects("SUCCESSFUL").some(({ isReturned }) => !isReturned)
    ) {
      return `is ${state}, an event said that it was paid, and nobody is told`;
    }
    const deliveredReturns = deliveredEffects("UNSUCCESSFUL").filter(({ isReturned }) => isReturned);
    if (state === "succeeded" && deliveredReturns.length > 0 && deliveredReturns.length === paidEffects.length) {
      return "is succeeded, an event said that it was returned, and nobody is told";
    }
    if (state === "succeeded" && deliveredEffects("SUCCESSFUL").length > 1)
      return "is succeeded, two events said so of two transfers, and nobody is told";
    return undefined;
  }

  function checkEnd(view: View<Row>): string | undefined {
    for (const payment of indexes) {
      const row = rowOf(view, payment);
      const ownEffects = view.effects.filter((effect) => effect.paymentIndex === payment);
      const violation = row === undefined ? "was never stored" : checkPaymentEnd(row, ownEffects, view, payment);
      if (violation === undefined) continue;
      const limit = limitOf(row, ownEffects, view);
      if (limit === undefined) return `${referenceOf(payment)} ${violation}`;
    }
    return undefined;
  }

  /** The violation of a payment that is not final, although evidence, time or a person should end it; undefined if there is none. */
  function checkPaymentEnd(
    row: Row,
    ownEffects: readonly Effect[],
    view: View<Row>,
    payment: number,
  ): string | undefined {
    const { state, id } = toPayment(row);
    // A history that is refused now, at the edge of a month, can be read a day later.
    const isRecordIgnored = (effect: Effect): boolean =>
      isRecordShown(view, effect) && [state, "sent"].includes(stateAfter(view, { do: "resume", payment }));
    if (state === "pending") {
      const isBlocked = view.rows.some(({ reference, holds }) => reference !== row.reference && holds);
      return isBlocked || stateAfter(view, { do: "resume", payment }) !== state ? undefined : "is pending for ever";
    }
    if (state === "accepted") {
      const isEnded = ownEffects.length > 0 && ownEffects.every(({ status }) => status !== "IN_PROGRESS");
      const knownEffect = ownEffects.find((effect) => idOf(view.effects.indexOf(effect)) === id);
      if (!isEnded || knownEffect === undefined) return undefined;
      // A person may have decided `happened` because of another attempt, and nothing shows that the other attempt had no effect.
      const isDecided = view.hiddenState.decisions[payment] === "happened";
      if (isDecided && knownEffect.status !== "SUCCESSFUL" && mayHaveRepeated(view, payment)) return undefined;
      if (isLegible(world, knownEffect.status)) return "is accepted for ever, though its details say how it ended";
      return hasOnlyEffect(view, payment) && policy.evidence === "matching" && isRecordIgnored(knownEffect)
        ? "is accepted for ever, though its record says how it ended"
        : undefined;
    }
    if (state !== "unclear") return undefined;
    if (stateAfter(view, { do: "decide", payment, decision: "abandon" }) !== "abandoned")
      return "is unclear, and a person cannot end it";
    // If the evidence may belong to another attempt, payment or program, a person has to decide.
    const onlyEffect = view.effects.find(({ differingMember }) => differingMember === undefined);
    if (onlyEffect === undefined || !hasOnlyEffect(view, payment) || policy.evidence === "identifiers")
      return undefined;
    // Evidence after the last time at which an attempt can have an effect may belong to another program.
    const { timeoutMs, maxSendDelayMs, allowanceMs } = policy;
    const latestTime = (lastAttemptOf(row)?.at ?? 0) + timeoutMs + maxSendDelayMs + allowanceMs;
    if (timeAt(world, onlyEffect.effectAt, world.clocks.service) > latestTime) return undefined;
    // The failure of one attempt does not show that the others had no effect.
    if (onlyEffect.status !== "SUCCESSFUL" && mayHaveRepeated(view, payment)) return undefined;
    // An event from whose amount fees were deducted does not match.
    const isEventComplete = !world.hasBareEvents && world.fees !== "deducted";
    return isRecordIgnored(onlyEffect) || (onlyEffect.deliveredStatuses.length > 0 && isEventComplete)
      ? "is unclear, though its record or its event was there"
      : undefined;
  }

  const mayHaveRepeated = ({ hiddenState }: View<Row>, payment: number): boolean =>
    policy.repeatAfterMs !== null || hiddenState.repeats[payment] !== 0;

  /** Whether this payment caused the only effect that can be attributed to it. */
  function hasOnlyEffect({ effects }: View<Row>, payment: number): boolean {
    const [onlyEffect, ...otherEffects] = effects.filter(({ differingMember }) => differingMember === undefined);
    return payments === 1 && onlyEffect?.paymentIndex === payment && otherEffects.length === 0;
  }

  /** Whether a history shows the record of the effect, with every member that must agree. */
  const isRecordShown = ({ now }: View<Row>, { recordAppearsAt }: Effect): boolean => {
    const { omission, recordDifference, recordsLackCurrency } = world;
    if (omission !== "never" || recordDifference !== "no" || recordsLackCurrency) return false;
    return recordAppearsAt !== null && recordAppearsAt <= now;
  };

  /** The state of a payment after one more turn, a day later and without a fault; `sent` if the turn sends the payment. */
  function stateAfter(view: View<Row>, task: Task): PaymentState | "sent" {
    const viewLater = { ...view, now: view.now + 24 * 60 };
    const turn: Turn = { description: "", task };
    const run = begin(turn);
    let { rows } = viewLater;
    for (let step = run.next(); !step.done; ) {
      if ((step.value as Command).do === "send") return "sent";
      const [reply] = repliesTo(step.value, { ...viewLater, rows }, turn) as [Step];
      rows = reply.rows ?? rows;
      step = run.next(reply.value);
    }
    const row = rowOf({ ...viewLater, rows }, task.do === "observe" ? 0 : task.payment);
    return row === undefined ? "pending" : toPayment(row).state;
  }

  function kindOf(request: unknown): ReturnType<Subject["kindOf"]> {
    const { do: name } = request as Command;
    if (name === "write") return "write";
    if (name === "send") return "call";
    if (name === "steady") return "clock";
    if (name === "wait") throw new Error("With lookForMs: 0 the engine must not wait.");
    return "read";
  }

  const rowsByOriginal = new WeakMap<Row, Row>();
  /**
   * Sets all versions to 1, so that states that differ only in versions count as equal. The engine compares a version only with versions
   * read in the same turn.
   */
  const withEqualVersions = (rows: readonly Row[]): readonly Row[] => {
    if (rows.every(({ version }) => version === 1)) return rows;
    return rows.map((row) => {
      const rowOfVersion1 = row.version === 1 ? row : (rowsByOriginal.get(row) ?? { ...row, version: 1 });
      rowsByOriginal.set(row, rowOfVersion1);
      return rowOfVersion1;
    });
  };

  const isTimeRequest = (request: unknown) => (request as Command).do === "now";
  const isOwnWrite = (request: unknown, { task }: Turn) => {
    const { reference } = (request as Command & { do: "write" }).payment;
    const turn = task as Task;
    return turn.do === "observe" ? !reference.includes("\n") : reference === referenceOf(turn.payment);
  };
  const attemptOf = (request: unknown) => lastAttemptOf((request as Command & { do: "write" }).payment)?.number;

  return {
    initialRows: [],
    withEqualVersions,
    isTimeRequest,
    isOwnWrite,
    attemptOf,
    writeReplies: ["written", "changed"],
    turnsOf,
    begin,
    kindOf,
    repliesTo,
    certainFailure,
    changeAtEnd,
    violationOfError,
    check,
    checkEnd,
  };
}

const withItem = <T>(list: readonly T[], position: number, value: T): T[] =>
  list.map((item, index) => (index === position ? value : item));
