import { contract } from "../../../../generated/client/contract.ts";
import {
  createCryptoWithdrawal,
  createSepaTransfer,
  createTransfer,
  getTransferDetails,
  getUserTransactionHistory,
} from "../../../../generated/client/operation-table.ts";
import type { Operation } from "../../../../scripts/client/src/operation.ts";
import type {
  Command,
  Engine,
  FailedCall,
  PaymentState,
  Policy,
  Replies,
  StoredPayment,
} from "../../../../scripts/client/src/payments/protocol.ts";
import { readResponse } from "../../../../scripts/client/src/response.ts";
import type { Bounds, HiddenState, Reply, Subject, Turn, View } from "./explore.ts";
import {
  type Answer,
  detailsOf,
  type Effect,
  effectsOf,
  eventOf,
  historiesOf,
  idOf,
  isLegible,
  isTellable,
  referenceOf,
  requests,
  timeAt,
  type World,
} from "./service.ts";

const minute = 60_000;

/** The functions under test. */
export interface Tested {
  createEngine(policy: Policy): Engine;
  toPayment(row: StoredPayment): {
    readonly state: PaymentState;
    readonly id?: string | undefined;
    readonly contradictions: readonly unknown[];
  };
}

/** Faults that can be put into the code around the engine, to test that a story shows them. */
export interface Flaws {
  /** The store writes without comparing versions. */
  readonly ignoresVersions?: boolean;
  /** The store accepts several equal payments with `holds`. */
  readonly ignoresHolds?: boolean;
  /** The client reports every refused connection as `not-sent`, also one of the partner's own code. */
  readonly believesAnyConnection?: boolean;
}

export const policyOf = (change: Partial<Policy> = {}): Policy => ({
  edition: "test",
  lookForMs: 0,
  repeatAfterMs: null,
  allowanceMs: 15 * minute,
  timeoutMs: 30_000,
  maxSendDelayMs: 60_000,
  evidence: "matching",
  ...change,
});

const operations: Readonly<Record<World["operation"], Operation>> = {
  fund: createTransfer,
  between: createTransfer,
  withdraw: createCryptoWithdrawal,
  sepa: createSepaTransfer,
};

type Asks =
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
  tested: Tested,
  world: World,
  { payments }: Bounds,
  policy: Policy,
  flaws: Flaws = {},
): Subject<Row> {
  const engine = tested.createEngine(policy);
  const operation = operations[world.operation];
  const views = new WeakMap<Row, ReturnType<Tested["toPayment"]>>();
  const toPayment = (row: Row) => {
    let found = views.get(row);
    if (found === undefined) {
      found = tested.toPayment(row);
      views.set(row, found);
    }
    return found;
  };
  const sent = new Map(world.answers.map((answer) => [answer, replyOf(answer, operation, flaws)]));
  const rowOf = (view: View<Row>, payment: number) =>
    view.rows.find(({ reference }) => reference === referenceOf(payment));
  const indexes = Array.from({ length: payments }, (_, index) => index);

  function turnsOf(view: View<Row>): Turn[] {
    const turns: (Turn & { asks: Asks })[] = [];
    for (const payment of indexes) {
      const row = rowOf(view, payment);
      const says = `${referenceOf(payment)} (${row === undefined ? "new" : toPayment(row).state})`;
      turns.push({ says: `looks at ${says}`, asks: { do: row?.isOpen ? "resume" : "begin", payment } });
      const state = row && toPayment(row).state;
      const decisions =
        state === "unclear"
          ? (["happened", "repeat", "abandon"] as const)
          : state === "pending"
            ? (["abandon"] as const)
            : [];
      for (const decision of decisions)
        turns.push({
          says: `decides ${says}: ${decision}`,
          asks: { do: "decide", payment, decision },
          isDecision: true,
        });
    }
    view.effects.forEach((effect, index) => {
      if (!isTellable(world, effect, view.now)) return;
      const { status } = effect;
      const asks = { do: "observe", effect: index, status, ...eventOf(world, effect, index) } as const;
      turns.push({ says: `gets the event of transfer ${index + 1} (${status})`, asks });
    });
    return turns;
  }

  function begin({ asks }: Turn): Generator<unknown, unknown, unknown> {
    const turn = asks as Asks;
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

  function repliesTo(request: unknown, view: View<Row>, { asks }: Turn): Step[] {
    const command = request as Command;
    const value = <Name extends Command["do"]>(_name: Name, reply: Replies[Name], says = ""): Step[] => [
      { value: reply, says },
    ];
    switch (command.do) {
      case "read":
        return value("read", view.rows.find(({ reference }) => reference === command.reference) ?? null);
      case "withId":
        return value("withId", view.rows.find(({ id }) => id === command.id) ?? null);
      case "equal": {
        const found = view.rows.filter((row) => row[command.column] === command.key);
        // The rows are sorted by reference.
        const sorted = [...found.filter((row) => !row.isRefuted), ...found.filter((row) => row.isRefuted)];
        return value("equal", sorted.slice(0, command.limit));
      }
      case "write":
        return [write(command.payment, view, asks as Asks)];
      case "send":
        return sendTo(view, asks as Asks);
      case "history":
        return historiesOf(world, view.effects, view.now, command.user ?? "", command.month).map((one, index) => {
          const isFault = index > 0;
          if (one.is === "records") {
            const says = `reads ${command.month}: ${one.records.length === 0 ? "no record" : one.records.map(({ id }) => `record ${Number(`${id}`.slice(-12)) + 1}`).join(", ")}`;
            return {
              value: { outcome: "read", records: one.records, isWhole: one.isWhole },
              says: isFault ? `${says} (left out)` : says,
              isFault,
            };
          }
          const status = one.is === "refused" ? 400 : 503;
          const reply = failureOf(getUserTransactionHistory, {
            status,
            ...(one.is === "refused" ? { code: one.code } : {}),
          });
          return { value: reply, says: `reads ${command.month}: ${one.is}`, isFault };
        });
      case "details": {
        const details = detailsOf(world, view.effects, view.now, command.id);
        const reply =
          details === undefined
            ? failureOf(getTransferDetails, { status: 404 })
            : ({ outcome: "read", details } as const);
        return value("details", reply, `reads the details of transfer ${Number(command.id.slice(-12)) + 1}`);
      }
      case "now": {
        const turn = asks as Asks;
        // The engine does not use the time at which a payment was created. With a constant, there are fewer states.
        const isCreation = turn.do === "begin" && rowOf(view, turn.payment) === undefined;
        if (isCreation) return value("now", { now: timeAt(world, 0, 0), steady: view.now * minute });
        const ahead = world.clocks.ofStore ?? view.rest.ahead[view.process as 0 | 1];
        return value("now", { now: timeAt(world, view.now, ahead), steady: view.now * minute });
      }
      case "steady":
        return value("steady", view.now * minute);
      case "wait":
        return value("wait", null);
    }
  }

  const doomed = (request: unknown, { rows }: View<Row>): unknown => {
    const { payment } = request as Command & { do: "write" };
    const stored = rows.find(({ reference }) => reference === payment.reference);
    return !flaws.ignoresVersions && (stored?.version ?? 0) >= payment.version ? "changed" : undefined;
  };

  function write(payment: Row, view: View<Row>, asks: Asks): Step {
    const others = view.rows.filter(({ reference }) => reference !== payment.reference);
    const stored = view.rows.find(({ reference }) => reference === payment.reference);
    const name = payment.reference.replaceAll("\n", " / ");
    if (!flaws.ignoresVersions && (stored?.version ?? 0) !== payment.version - 1)
      return { value: "changed", says: `cannot write ${name}: it has changed` };
    const columns = ["debit", "credit", "event"] as const;
    const isTaken = (other: Row) =>
      (payment.id !== null && other.id === payment.id) ||
      (!flaws.ignoresHolds &&
        payment.holds &&
        other.holds &&
        columns.some((column) => payment[column] !== null && other[column] === payment[column]));
    if (others.some(isTaken))
      return { value: "taken", says: `cannot write ${name}: another has its identifier, or is sent` };
    const rows = [...others, payment].sort((a, b) => (a.reference < b.reference ? -1 : 1));
    const afterDecision = asks.do === "decide" ? { rest: decided(view.rest, asks) } : {};
    return { value: "written", says: `writes ${name}: ${payment.state}`, rows, ...afterDecision };
  }

  const decided = (rest: HiddenState, { payment, decision }: Asks & { do: "decide" }): HiddenState => ({
    ...rest,
    decisions: set(rest.decisions, payment, decision),
    repeats:
      decision === "repeat" && rest.decisions[payment] === null
        ? set(rest.repeats, payment, (rest.repeats[payment] ?? 0) + 1)
        : rest.repeats,
  });

  function sendTo(view: View<Row>, asks: Asks): Step[] {
    if (asks.do === "observe") throw new Error("An event must not lead to a call.");
    return world.answers.flatMap((answer) =>
      effectsOf(world, answer, asks.payment, view.now).map((effect): Step => {
        const id = idOf(view.effects.length);
        return {
          value: answer.isCreated ? { outcome: "accepted", id } : sent.get(answer),
          says: `sends ${referenceOf(asks.payment)}: the service ${answer.says}${effect === undefined ? "" : shownText(effect, view.now)}`,
          isFault: answer.isFault,
          ...(effect === undefined ? {} : { effects: [...view.effects, effect] }),
          ...(answer.isRefusal
            ? { rest: { ...view.rest, refusals: set(view.rest.refusals, asks.payment, true) } }
            : {}),
        };
      }),
    );
  }

  /** Counts the event that a turn delivered, and whether the engine attributed it to a payment. Undefined for other turns. */
  function ended({ asks }: Turn, result: unknown, view: View<Row>): ReturnType<Subject["ended"]> {
    const turn = asks as Asks;
    if (turn.do !== "observe") return undefined;
    const effects = view.effects.map((effect, index) =>
      index === turn.effect ? { ...effect, told: [...effect.told, turn.status] } : effect,
    );
    return { effects, ...(result === null ? { rest: { ...view.rest, strays: view.rest.strays + 1 } } : {}) };
  }

  const thrown = ({ asks }: Turn, error: unknown) =>
    (asks as Asks).do === "decide" && error instanceof TypeError ? undefined : `the engine throws: ${error}`;

  // A record shows neither the other user of a transfer nor the address of a withdrawal, so that such payments look equal.
  const isLike = (differs: string | undefined) =>
    differs === undefined || differs === "address" || (differs === "user" && world.operation === "between");
  const isAnother = world.others.some(({ at, differs }) => at === "meanwhile" && isLike(differs));

  /** The stated limit that the world has broken for a payment; undefined if there is none. */
  function limitOf(effects: readonly Effect[]): string | undefined {
    const after = policy.repeatAfterMs;
    if (isAnother && policy.evidence === "matching") return "another program pays the same to the same user";
    if (after === null) return undefined;
    if (world.omits === "unseen") return "a history leaves records out and does not show it";
    return effects.some(({ delay }) => delay === null || delay * minute > after)
      ? "a record comes later than repeatAfter"
      : undefined;
  }

  function check(view: View<Row>): string | undefined {
    for (const payment of indexes) {
      const row = rowOf(view, payment);
      const mine = view.effects.filter(({ of }) => of === payment);
      const wrong = row && checkPayment(row, mine, view, payment);
      if (wrong === undefined) continue;
      const limit = limitOf(mine);
      return limit === undefined ? `${referenceOf(payment)} ${wrong}` : `limit: ${limit}`;
    }
    return undefined;
  }

  function checkPayment(
    row: Row,
    mine: readonly Effect[],
    { rest, isQuiet }: View<Row>,
    payment: number,
  ): string | undefined {
    const { state, contradictions } = toPayment(row);
    const paid = mine.filter(({ status, isReturned }) => status !== "UNSUCCESSFUL" || isReturned);
    if (paid.length > 1 + (rest.repeats[payment] ?? 0)) return `is paid ${paid.length} times`;
    const live = paid.filter(({ isReturned }) => !isReturned);
    if (state !== row.state) return `is stored as ${row.state} and is ${state}`;
    if (!row.isOpen && ["pending", "accepted", "unclear"].includes(state))
      return `is ${state}, and nobody goes on with it`;
    if (state === "refused" && live.length > 0) return "is refused, and the money is or will be taken";
    if (state === "refused" && !rest.refusals[payment]) return "is refused, and the service never refused it";
    if (state === "failed" && live.length > 0) return "is failed, and the money is or will be taken";
    if (state === "failed" && mine.length === 0) return "is failed, and nothing was created";
    if (state === "succeeded" && !mine.some(({ status, isReturned }) => status === "SUCCESSFUL" || isReturned))
      return "is succeeded, and nothing was paid";
    if (state === "accepted" && mine.length === 0 && rest.decisions[payment] !== "happened")
      return "is accepted, and nothing was created";
    if (
      !isQuiet ||
      contradictions.length > 0 ||
      row.isContradicted ||
      (rest.strays > 0 && (payments > 1 || policy.evidence === "identifiers"))
    )
      return undefined;
    const told = (status: Effect["status"]) =>
      mine.filter((effect) => isLegible(world, status) && effect.told.includes(status));
    if (
      ["refused", "failed", "abandoned"].includes(state) &&
      told("SUCCESSFUL").some(({ isReturned }) => !isReturned)
    ) {
      return `is ${state}, an event said that it was paid, and nobody is told`;
    }
    if (state === "succeeded" && live.length === 0 && told("UNSUCCESSFUL").some(({ isReturned }) => isReturned)) {
      return "is succeeded, an event said that it was returned, and nobody is told";
    }
    if (state === "succeeded" && told("SUCCESSFUL").length > 1)
      return "is succeeded, two events said so of two transfers, and nobody is told";
    return undefined;
  }

  function checkEnd(view: View<Row>): string | undefined {
    for (const payment of indexes) {
      const row = rowOf(view, payment);
      const mine = view.effects.filter(({ of }) => of === payment);
      const wrong = row === undefined ? "was never stored" : checkPaymentEnd(row, mine, view, payment);
      if (wrong === undefined) continue;
      const limit = limitOf(mine);
      if (limit === undefined) return `${referenceOf(payment)} ${wrong}`;
    }
    return undefined;
  }

  /** Describes a payment that can never leave a state that is not final, by evidence, by time or by a person; otherwise undefined. */
  function checkPaymentEnd(row: Row, mine: readonly Effect[], view: View<Row>, payment: number): string | undefined {
    const { state, id } = toPayment(row);
    if (state === "pending") {
      const isBlocked = view.rows.some(({ reference, holds }) => reference !== row.reference && holds);
      return isBlocked || stateAfter(view, { do: "resume", payment }) !== state ? undefined : "is pending for ever";
    }
    if (state === "accepted") {
      const isEnded = mine.length > 0 && mine.every(({ status }) => status !== "IN_PROGRESS");
      const known = mine.find((effect) => idOf(view.effects.indexOf(effect)) === id);
      if (!isEnded || known === undefined) return undefined;
      // A person may have decided `happened` because of another attempt, and nothing shows that it had no effect.
      const isDecided = view.rest.decisions[payment] === "happened";
      if (isDecided && known.status !== "SUCCESSFUL" && mayHaveRepeated(view, payment)) return undefined;
      if (isLegible(world, known.status)) return "is accepted for ever, though its details say how it ended";
      return isAlone(view, payment) && isShown(view, known) && policy.evidence === "matching"
        ? "is accepted for ever, though its record says how it ended"
        : undefined;
    }
    if (state !== "unclear") return undefined;
    if (stateAfter(view, { do: "decide", payment, decision: "abandon" }) !== "abandoned")
      return "is unclear, and a person cannot end it";
    // A person decides if the evidence may belong to another attempt, payment or program.
    const only = view.effects.find(({ differs }) => differs === undefined);
    if (only === undefined || !isAlone(view, payment) || policy.evidence === "identifiers") return undefined;
    // The failure of one attempt does not show that the others had no effect.
    if (only.status !== "SUCCESSFUL" && mayHaveRepeated(view, payment)) return undefined;
    return isShown(view, only) || (only.told.length > 0 && !world.bareEvents)
      ? "is unclear, though its record or its event was there"
      : undefined;
  }

  const mayHaveRepeated = ({ rest }: View<Row>, payment: number): boolean =>
    policy.repeatAfterMs !== null || rest.repeats[payment] !== 0;

  /** Whether this payment caused the only effect that can be attributed to it. */
  function isAlone({ effects }: View<Row>, payment: number): boolean {
    const [only, ...more] = effects.filter(({ differs }) => differs === undefined);
    return payments === 1 && only?.of === payment && more.length === 0;
  }

  const isShown = ({ now }: View<Row>, { shows }: Effect): boolean =>
    shows !== null && shows <= now && world.omits === "never" && world.recordsDiffer === "no";

  /** The state of a payment after one more turn, a day later and without a fault; `sent` if the turn sends the payment. */
  function stateAfter(view: View<Row>, asks: Asks): PaymentState | "sent" {
    const later = { ...view, now: view.now + 24 * 60 };
    const turn: Turn = { says: "", asks };
    const run = begin(turn);
    let { rows } = later;
    for (let step = run.next(); !step.done; ) {
      if ((step.value as Command).do === "send") return "sent";
      const [reply] = repliesTo(step.value, { ...later, rows }, turn) as [Step];
      rows = reply.rows ?? rows;
      step = run.next(reply.value);
    }
    const row = rowOf({ ...later, rows }, asks.do === "observe" ? 0 : asks.payment);
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

  const firsts = new WeakMap<Row, Row>();
  /** Sets all versions to 1. The engine compares a version only with versions read in the same turn. */
  const normal = (rows: readonly Row[]): readonly Row[] => {
    if (rows.every(({ version }) => version === 1)) return rows;
    return rows.map((row) => {
      const first = row.version === 1 ? row : (firsts.get(row) ?? { ...row, version: 1 });
      firsts.set(row, first);
      return first;
    });
  };

  const isClock = (request: unknown) => (request as Command).do === "now";
  const isOwn = (request: unknown, { asks }: Turn) => {
    const { reference } = (request as Command & { do: "write" }).payment;
    const turn = asks as Asks;
    return turn.do === "observe" ? !reference.includes("\n") : reference === referenceOf(turn.payment);
  };
  const attemptOf = (request: unknown) => {
    const { data } = (request as Command & { do: "write" }).payment;
    return (JSON.parse(data) as { attempts: { number: number }[] }).attempts.at(-1)?.number;
  };
  const writeReplies = ["written", "changed"] as const;

  return {
    initial: [],
    normal,
    isClock,
    isOwn,
    attemptOf,
    writeReplies,
    turnsOf,
    begin,
    kindOf,
    repliesTo,
    doomed,
    ended,
    thrown,
    check,
    checkEnd,
  };
}

const set = <T>(list: readonly T[], at: number, value: T): T[] =>
  list.map((one, index) => (index === at ? value : one));

function shownText({ at, shows }: Effect, now: number): string {
  const later = at > now ? `, ${at - now} minutes later` : "";
  if (shows === null) return `${later}; its record never appears`;
  return shows > at ? `${later}; its record appears ${shows - at} minutes later` : later;
}

/** The result of the client for a response that is no success. */
function replyOf({ response, isCreated }: Answer, operation: Operation, flaws: Flaws): FailedCall | undefined {
  if (isCreated) return undefined;
  if (typeof response === "object") return failureOf(operation, response);
  const isNotSent = response === "not-connected" || (response === "failed-elsewhere" && flaws.believesAnyConnection);
  return { outcome: isNotSent ? "not-sent" : "unknown", problem: { kind: "network", operationId: operation.id } };
}

/** A failed response as the client classifies it. */
function failureOf(operation: Operation, { status, code }: { status: number; code?: string }): FailedCall {
  const text =
    status < 300
      ? ""
      : JSON.stringify({
          ...(code === undefined ? {} : { errorCode: code }),
          errorMessage: "",
          timestamp: "2026-06-15T12:00:00.000Z",
        });
  const response = { status, contentType: "application/json", text, headers: new Headers() };
  const { failure } = readResponse({ operation, contract, response, found: [] });
  if (failure === undefined) throw new Error(`${operation.id} takes ${status} for a success.`);
  const { kind, outcome, documented, errorCode } = failure;
  return {
    outcome,
    problem: {
      kind,
      operationId: operation.id,
      status,
      ...(errorCode === undefined ? {} : { errorCode }),
      ...(documented === undefined ? {} : { documented }),
    },
  };
}
