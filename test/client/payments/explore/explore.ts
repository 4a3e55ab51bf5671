import { createHash } from "node:crypto";
import { type Effect, effectOfOther, effectsBefore, movesOf, timeAt, type World } from "./service.ts";

/** A task that a process can begin, as plain data. */
export interface Turn {
  readonly says: string;
  readonly asks: unknown;
  /** Whether a person requests it. */
  readonly isDecision?: boolean;
}

/** The limits of a story: the number of payments, and how often each kind of event can happen. */
export interface Bounds {
  readonly payments: 1 | 2;
  readonly faults: number;
  readonly kills: number;
  readonly decisions: number;
  readonly jumps: number;
  /** How often processes can be interrupted between two reads. Interruptions between other steps are not limited. */
  readonly interruptions: number;
  readonly states: number;
  /** Whether processes count as equal only if they received the same replies. */
  readonly isExact?: boolean;
}

/** The part of a state that no process can read: counters of past events, and the remaining bounds. */
export interface HiddenState {
  /** Minutes by which the clock of each process is ahead of the true time. */
  readonly ahead: readonly [number, number];
  readonly left: {
    readonly fault: number;
    readonly kill: number;
    readonly decision: number;
    readonly jump: number;
    readonly interruption: number;
  };
  /** The number of payments that another program has made since the start. */
  readonly others: number;
  readonly repeats: readonly number[];
  readonly decisions: readonly (string | null)[];
  /** Whether the service refused the payment, by payment. */
  readonly refusals: readonly boolean[];
  /** The number of events that the engine could not attribute to a payment. */
  readonly strays: number;
}

/** The state that a step reads and changes. Only the engine interprets the rows of the store. */
export interface View<Row = unknown> {
  readonly now: number;
  readonly process: number;
  readonly rows: readonly Row[];
  readonly effects: readonly Effect[];
  readonly rest: HiddenState;
  /** Whether no process is within a turn. */
  readonly isQuiet: boolean;
}

export interface Reply<Row = unknown> {
  readonly value: unknown;
  readonly says: string;
  readonly isFault?: boolean;
  readonly rows?: readonly Row[];
  readonly effects?: readonly Effect[];
  readonly rest?: HiddenState;
}

/** What a turn changes when it ends. */
export type Change = Pick<Reply, "effects" | "rest">;

/** The engine under test, and the replies of the model to its requests. */
export interface Subject<Row = unknown> {
  /** The turns that a process can begin in a state. */
  turnsOf(view: View<Row>): Turn[];
  begin(turn: Turn): Generator<unknown, unknown, unknown>;
  /**
   * The kind of a request. A `read` changes nothing. The other process can act before any request of another kind, except between a `clock`
   * and the `call` directly after it. `wait` is the time at which the wait ends, in milliseconds since 1970.
   */
  kindOf(request: unknown): "read" | "write" | "call" | "clock" | { readonly wait: number };
  isClock(request: unknown): boolean;
  /** Whether a write stores the turn's own payment. After such a write, the turn does not use data read earlier of other payments. */
  isOwn(request: unknown, turn: Turn): boolean;
  /** The replies to a successful and to a failed write. */
  readonly writeReplies: readonly [unknown, unknown];
  /** The number of the last attempt in the payment that a write stores; undefined if there is none. */
  attemptOf(request: unknown): number | undefined;
  repliesTo(request: unknown, view: View<Row>, turn: Turn): Reply<Row>[];
  /** The reply to a `write` that is bound to fail; undefined if the write can still succeed. */
  doomed(request: unknown, view: View<Row>): unknown;
  ended(turn: Turn, result: unknown, view: View<Row>): Change | undefined;
  /** The violation when a turn throws an error; undefined if the error is the response to a person's decision. */
  thrown(turn: Turn, error: unknown): string | undefined;
  /** The rows with the same version each, for states in which no process is within a turn. */
  normal(rows: readonly Row[]): readonly Row[];
  /** The violation in a state; undefined if there is none. `limit: …` if the world broke a stated limit. */
  check(view: View<Row>): string | undefined;
  /** The violation in a final state, which no process can change; undefined if there is none. */
  checkEnd(view: View<Row>): string | undefined;
  readonly initial: readonly Row[];
}

export interface Result {
  readonly states: number;
  readonly transitions: number;
  /** The number of states that were found but not expanded, because the exploration ended first. */
  readonly left: number;
  readonly depth: number;
  readonly ends: number;
  /** States in which no process is within a turn. */
  readonly quiet: number;
  /** The number of states in which a stated limit was broken, by limit. Such states are not expanded. */
  readonly limits: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly megabytes: number;
  readonly violation?: string;
  readonly story?: readonly string[];
}

/** A process within a turn. The replies so far determine its next request. */
interface Node {
  /** The index in `nodes`; 0 until a state contains the node. */
  id: number;
  readonly turn: Turn;
  readonly parent: Node | undefined;
  readonly reply: unknown;
  /** The current request or, at the end of the turn, the result. */
  readonly request: unknown;
  readonly kind: ReturnType<Subject["kindOf"]> | "end";
  readonly error: string | undefined;
  /** Whether the turn has written or called. */
  readonly hasActed: boolean;
  /** The last reply to a call, as JSON; empty if there is none. */
  readonly sent: string;
  /** The last reading of a clock, as JSON; empty if there is none. */
  readonly clock: string;
  /** The number of the last attempt that the turn has stored; undefined if there is none. */
  readonly attempt: number | undefined;
  readonly next: Map<number, Node>;
}

/** A node that a process reaches by reads alone: its next write, call, wait or end, or a read at which it is interrupted. */
interface Reading {
  readonly node: Node;
  readonly says: readonly string[];
  readonly faults: number;
  readonly isInterrupted: boolean;
}

interface State {
  /** The index of the time in `world.times`. */
  readonly t: number;
  readonly rest: HiddenState;
  readonly effects: readonly Effect[];
  readonly rows: readonly unknown[];
  readonly processes: readonly [Node | undefined, Node | undefined];
}

type Run = ReturnType<Subject["begin"]>;

const width = 6;
const shownLongAgo = -1_000_000;

/**
 * Explores every order of two processes over the model of the service, breadth first, so that the first violation has the shortest
 * story. Equal states are explored once.
 */
export function explore(subject: Subject, world: World, bounds: Bounds): Result {
  const began = process.cpuUsage();
  const parts: unknown[] = [undefined];
  const byText = new Map<string, number>();
  // A property that is not enumerable is faster than a WeakMap, and is neither copied nor printed.
  const number = Symbol("number");
  const nodes: (Node | undefined)[] = [undefined];
  const roots = new Map<string, Node>();
  const equals = new Map<string, Node>();
  const starts = new Map<string, readonly Node[]>();
  const readings = new Map<string, Reading[]>();
  const limits: Record<string, number> = {};
  let live: { at: Node; generator: Run } | undefined;

  /** The number of an immutable part of a state. Equal parts have the same number. */
  function idOf(part: object): number {
    const known = (part as { [number]?: number })[number];
    if (known !== undefined) return known;
    // The elements of a list stay the same objects from state to state.
    const isList = Array.isArray(part) && part.every((one) => typeof one === "object" && one !== null);
    const text = isList ? `[${part.map(idOf)}]` : JSON.stringify(part);
    const key = digestOf(text);
    let id = byText.get(key);
    if (id === undefined) {
      id = parts.push(part) - 1;
      byText.set(key, id);
    }
    Object.defineProperty(part, number, { value: id });
    return id;
  }

  function makeNode(turn: Turn, parent: Node | undefined, reply: unknown, generator: Run): Node {
    let request: unknown;
    let kind: Node["kind"] = "end";
    let error: string | undefined;
    try {
      const step = generator.next(reply);
      request = step.value;
      if (!step.done) kind = subject.kindOf(step.value);
    } catch (thrown) {
      error = subject.thrown(turn, thrown);
    }
    const hasActed = parent !== undefined && (parent.hasActed || parent.kind === "write" || parent.kind === "call");
    const sent = parent?.kind === "call" ? JSON.stringify(reply) : (parent?.sent ?? "");
    const clock =
      parent !== undefined && subject.isClock(parent.request) ? JSON.stringify(reply) : (parent?.clock ?? "");
    // A clock is read between the write that stores an attempt and its call.
    const attempt = kind === "clock" && parent?.kind === "write" ? subject.attemptOf(parent.request) : parent?.attempt;
    const node: Node = {
      id: 0,
      turn,
      parent,
      reply,
      request,
      kind,
      error,
      hasActed,
      sent,
      clock,
      attempt,
      next: new Map(),
    };
    live = { at: node, generator };
    return node;
  }

  function idOfNode(node: Node): number {
    if (node.id === 0) node.id = nodes.push(node) - 1;
    return node.id;
  }

  function rootOf(turn: Turn): Node {
    const key = JSON.stringify(turn);
    const root = roots.get(key) ?? makeNode(turn, undefined, undefined, subject.begin(turn));
    roots.set(key, root);
    return root;
  }

  /** The first node of each turn that a process can begin. */
  function startsOf(s: State): readonly Node[] {
    const key = `${s.t} ${idOf(s.effects)} ${idOf(s.rows)}`;
    const found = starts.get(key) ?? subject.turnsOf(viewOf(s, 0)).map(rootOf);
    if (starts.size > 200_000) starts.clear();
    starts.set(key, found);
    return found;
  }

  /** The node after a reply. A generator cannot be copied: if none is at `node`, a new generator receives the same replies again. */
  function after(node: Node, reply: unknown): Node {
    const key = reply !== null && typeof reply === "object" ? idOf(reply) : idOf([reply]);
    const known = node.next.get(key);
    if (known !== undefined) return known;
    const generator = live?.at === node ? live.generator : again(node);
    const next = makeNode(node.turn, node, reply, generator);
    const same =
      next.kind === "write" && !bounds.isExact && subject.isOwn(next.request, next.turn) ? equalOf(next) : next;
    node.next.set(key, same);
    return same;
  }

  /**
   * Returns the first node that is equal to `node`, so that both are explored once. Equal nodes are at the same write of the same turn, have
   * stored the same attempt, have the same last reply to a call and the same last reading of a clock, and make the same requests: one request
   * after a failure of the write; after a success, all requests up to the first that is not a write. Other data that was read is assumed to
   * have no influence.
   */
  function equalOf(node: Node): Node {
    const [written, changed] = subject.writeReplies;
    const asked = [after(node, changed).request];
    let next = node;
    while (next.kind === "write") {
      next = after(next, written);
      asked.push(next.request);
    }
    const { hasActed, attempt, sent, clock, request } = node;
    const key = digestOf(JSON.stringify([idOf(node.turn), hasActed, attempt, sent, clock, request, asked]));
    const same = equals.get(key) ?? node;
    equals.set(key, same);
    return same;
  }

  function again(node: Node): Run {
    const path: Node[] = [];
    for (let at: Node | undefined = node; at !== undefined; at = at.parent) path.push(at);
    const generator = subject.begin(node.turn);
    for (const { reply } of path.reverse()) generator.next(reply);
    return generator;
  }

  const minuteOf = (t: number) => world.times[t] as number;
  const viewOf = (s: State, process: number): View => ({
    now: minuteOf(s.t),
    process,
    rows: s.rows,
    effects: s.effects,
    rest: s.rest,
    isQuiet: s.processes.every((node) => node === undefined),
  });

  /** The readings that a process can make from `node`. */
  function readFrom(s: State, process: number, node: Node): Reading[] {
    const key = `${idOfNode(node)} ${s.t} ${s.rest.ahead[process]} ${idOf(s.effects)} ${idOf(s.rows)}`;
    let found = readings.get(key);
    if (found !== undefined) return found;
    found = [];
    const view = viewOf(s, process);
    const go = (at: Node, says: readonly string[], faults: number, isFirst: boolean) => {
      if (at.kind !== "read") return found?.push({ node: at, says, faults, isInterrupted: false });
      if (!isFirst && bounds.interruptions > 0) found?.push({ node: at, says, faults, isInterrupted: true });
      for (const reply of subject.repliesTo(at.request, view, at.turn)) {
        go(
          after(at, reply.value),
          reply.says === "" ? says : [...says, reply.says],
          faults + (reply.isFault ? 1 : 0),
          false,
        );
      }
    };
    go(node, [], 0, true);
    if (readings.size > 400_000) readings.clear();
    readings.set(key, found);
    return found;
  }

  type Go = (says: () => string, to: State, error?: string) => void;

  /** Calls `go` with each possible next state. Returns whether a process can change anything without a fault. */
  function expand(s: State, go: Go): boolean {
    let canChange = false;
    for (const p of [0, 1] as const) canChange = expandProcess(s, p, go) || canChange;
    const { rest, effects } = s;
    const setEffect = (at: number, to: Effect) => effects.map((one, index) => (index === at ? to : one));
    effects.forEach((effect, index) => {
      for (const { says, to } of movesOf(world, effect, minuteOf(s.t))) {
        go(() => `transfer ${index + 1} ${says}`, { ...s, effects: setEffect(index, to) });
      }
    });
    const next = world.others.filter(({ at }) => at === "meanwhile")[rest.others];
    if (next !== undefined) {
      const to = {
        ...s,
        effects: [...effects, effectOfOther(minuteOf(s.t), next, world)],
        rest: { ...rest, others: rest.others + 1 },
      };
      go(
        () => `another program pays${next.differs === undefined ? " the same" : `, with another ${next.differs}`}`,
        to,
      );
    }
    // Time does not advance before the first payment is stored.
    if (s.t + 1 < world.times.length && s.rows.length > 0)
      go(() => `it is ${minuteOf(s.t + 1)} minutes after the start`, {
        ...s,
        t: s.t + 1,
        effects: shown(effects, s.t + 1),
      });
    return canChange;
  }

  function expandProcess(s: State, p: 0 | 1, go: Go): boolean {
    const { rest, rows, effects } = s;
    const { left } = rest;
    const node = s.processes[p];
    const who = () => `process ${"AB"[p]} (${clockText(timeAt(world, minuteOf(s.t), rest.ahead[p]))})`;
    const put = (state: State, to: Node | undefined): State => ({
      ...state,
      processes: p === 0 ? [to, state.processes[1]] : [state.processes[0], to],
    });
    let canChange = false;

    /** Visits the states that the process reaches by reads from `at`. `acted` is the state after its last write or call. */
    const readOn = (acted: State, at: Node, said: () => string, isNew: boolean) => {
      for (const { node: to, says, faults, isInterrupted } of readFrom(acted, p, at)) {
        const { left: have } = acted.rest;
        if (faults > have.fault || (isInterrupted && have.interruption === 0)) continue;
        const isEnd = to.kind === "end";
        const change = isEnd ? subject.ended(to.turn, to.request, viewOf(acted, p)) : undefined;
        if (isEnd && isNew && change === undefined && to.error === undefined) continue;
        if (faults === 0 && !isInterrupted) canChange = true;
        const ended = change === undefined ? acted : { ...acted, ...change };
        const spent = {
          ...ended.rest.left,
          fault: have.fault - faults,
          interruption: have.interruption - (isInterrupted ? 1 : 0),
        };
        go(
          () => `${[said(), ...says].filter(Boolean).join("; ")}${isInterrupted ? "; is interrupted" : ""}`,
          put(
            faults === 0 && !isInterrupted ? ended : { ...ended, rest: { ...ended.rest, left: spent } },
            isEnd ? undefined : to,
          ),
          to.error,
        );
      }
    };

    if (node === undefined) {
      for (const root of startsOf(s)) {
        const { isDecision = false, says } = root.turn;
        if (isDecision && (left.decision === 0 || (p === 1 && s.processes[0] === undefined))) continue;
        const from = isDecision ? { ...s, rest: { ...rest, left: { ...left, decision: left.decision - 1 } } } : s;
        readOn(from, root, () => `${isDecision ? "a person" : who()} ${says}`, true);
      }
      return canChange;
    }
    if (node.kind === "read") readOn(s, node, () => `${who()} goes on`, false);
    else if (typeof node.kind === "object") {
      if (timeAt(world, minuteOf(s.t), 0) >= node.kind.wait)
        readOn(s, after(node, null), () => `${who()} has waited`, false);
    } else act(s, node, []);

    /** Executes the request of the process. A call right after the reading of a clock belongs to the same step. */
    function act(from: State, at: Node, said: readonly string[]): void {
      for (const reply of subject.repliesTo(at.request, viewOf(from, p), at.turn)) {
        if (reply.isFault && left.fault === 0) continue;
        const now = reply.rest ?? rest;
        const acted: State = {
          ...from,
          rows: reply.rows ?? rows,
          effects: reply.effects === undefined ? effects : shown(reply.effects, s.t),
          rest: reply.isFault ? { ...now, left: { ...now.left, fault: now.left.fault - 1 } } : now,
        };
        const to = after(at, reply.value);
        if (at.kind === "clock" && to.kind === "call") act(acted, to, [...said, reply.says]);
        else readOn(acted, to, () => `${who()} ${[...said, reply.says].filter(Boolean).join("; ")}`, false);
      }
      canChange = true;
    }
    // Before its first write or call, a process has changed nothing, so that killing it makes no new state.
    if (left.kill > 0 && node.hasActed) {
      go(
        () => `${who()} is killed`,
        put({ ...s, rest: { ...rest, left: { ...left, kill: left.kill - 1 } } }, undefined),
      );
    }
    if (left.jump > 0) {
      for (const by of world.jumps) {
        const ahead = rest.ahead.map((one, index) => (index === p ? one + by : one)) as [number, number];
        go(() => `the clock of ${who()} jumps by ${by} minutes`, {
          ...s,
          rest: { ...rest, ahead, left: { ...left, jump: left.jump - 1 } },
        });
      }
    }
    return canChange;
  }

  /** Replaces the time at which a visible record appeared, so that states that differ only in this time are equal. */
  function shown(effects: readonly Effect[], t: number): readonly Effect[] {
    const isNew = ({ shows }: Effect) => shows !== null && shows <= minuteOf(t) && shows !== shownLongAgo;
    return effects.some(isNew) ? effects.map((one) => (isNew(one) ? { ...one, shows: shownLongAgo } : one)) : effects;
  }

  /**
   * Executes writes that are bound to fail at once, which saves states: such a write changes nothing, and the process then reads the oldest
   * data that it could read.
   */
  function settled(s: State): State {
    let to = s;
    for (const p of [0, 1] as const) {
      for (let tries = 0; tries < 5; tries += 1) {
        const node = to.processes[p];
        if (node?.kind !== "write") break;
        const reply = subject.doomed(node.request, viewOf(to, p));
        if (reply === undefined) break;
        const [only, ...more] = readFrom(to, p, after(node, reply)).filter(({ isInterrupted }) => !isInterrupted);
        if (only === undefined || more.length > 0 || only.node.error !== undefined) break;
        const isEnd = only.node.kind === "end";
        const change = isEnd ? subject.ended(only.node.turn, only.node.request, viewOf(to, p)) : undefined;
        const processes = to.processes.map((one, index) => (index === p ? (isEnd ? undefined : only.node) : one));
        to = { ...to, ...change, processes: processes as [Node | undefined, Node | undefined] };
      }
    }
    return to.processes.some((node) => node !== undefined) ? to : { ...to, rows: subject.normal(to.rows) };
  }

  /** Encodes a state. Processes with equal clocks are interchangeable, so that their nodes are sorted. */
  function pack(s: State): number[] {
    const [a = 0, b = 0] = s.processes.map((node) => (node === undefined ? 0 : idOfNode(node)));
    const isSwapped = a > b && (s.rest.ahead[0] === s.rest.ahead[1] || world.clocks.ofStore !== undefined);
    return [s.t, idOf(s.rest), idOf(s.effects), idOf(s.rows), isSwapped ? b : a, isSwapped ? a : b];
  }

  const unpack = (at: number): State => {
    const [t = 0, rest = 0, effects = 0, rows = 0, a = 0, b = 0] = table.subarray(at * width, (at + 1) * width);
    return {
      t,
      rest: parts[rest] as HiddenState,
      effects: parts[effects] as Effect[],
      rows: parts[rows] as unknown[],
      processes: [nodes[a], nodes[b]],
    };
  };

  let table = new Int32Array(width << 12);
  let parents = new Int32Array(1 << 12);
  let slots = new Int32Array(1 << 14);
  let states = 0;

  /** Adds a state. Returns its number; -1 if the state is known. */
  function add(key: readonly number[], parent: number): number {
    const mask = slots.length - 1;
    let slot = hash(key) & mask;
    for (let found = slots[slot] as number; found !== 0; found = slots[slot] as number) {
      const at = (found - 1) * width;
      let index = 0;
      while (index < width && table[at + index] === key[index]) index += 1;
      if (index === width) return -1;
      slot = (slot + 1) & mask;
    }
    if (states === parents.length) [table, parents] = [grown(table), grown(parents)];
    table.set(key, states * width);
    parents[states] = parent;
    states += 1;
    slots[slot] = states;
    if (states * 2 > slots.length) rehash();
    return states - 1;
  }

  function rehash() {
    slots = new Int32Array(slots.length * 2);
    const mask = slots.length - 1;
    for (let at = 0; at < states; at += 1) {
      let slot = hash(table.subarray(at * width, (at + 1) * width)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = at + 1;
    }
  }

  const first: State = {
    t: 0,
    rest: {
      ahead: world.clocks.processes,
      left: {
        fault: bounds.faults,
        kill: bounds.kills,
        decision: bounds.decisions,
        jump: bounds.jumps,
        interruption: bounds.interruptions,
      },
      others: 0,
      repeats: Array(bounds.payments).fill(0),
      decisions: Array(bounds.payments).fill(null),
      refusals: Array(bounds.payments).fill(false),
      strays: 0,
    },
    effects: shown(effectsBefore(world), 0),
    rows: subject.initial,
    processes: [undefined, undefined],
  };

  /** The steps that lead to a state. They are expanded again, because an encoded state does not tell process A from process B. */
  function storyOf(last: number): string[] {
    const path: number[] = [];
    for (let at = last; at >= 0; at = parents[at] as number) path.unshift(at);
    const story: string[] = [];
    let s = first;
    for (const at of path.slice(1)) {
      const wanted = table.subarray(at * width, (at + 1) * width).join();
      let found: { says: string; to: State } | undefined;
      expand(s, (says, reached) => {
        const to = settled(reached);
        if (found === undefined && pack(to).join() === wanted) found = { says: says(), to };
      });
      if (found === undefined) throw new Error("A step of the story cannot be found again.");
      story.push(found.says);
      s = found.to;
    }
    return story;
  }

  let transitions = 0;
  let depth = 0;
  let ends = 0;
  let quiet = 0;
  const end = (left: number, violation?: string, at = 0): Result => ({
    states,
    transitions,
    left,
    depth,
    ends,
    quiet,
    limits,
    seconds: Math.round(process.cpuUsage(began).user / 10_000) / 100,
    megabytes: Math.round(process.memoryUsage().rss / 1e6),
    ...(violation === undefined ? {} : { violation, story: storyOf(at) }),
  });

  const stopped = new Set<number>();
  add(pack(first), -1);
  for (let at = 0, layer = 1; at < states; at += 1) {
    if (at === layer) [depth, layer] = [depth + 1, states];
    if (states >= bounds.states) return end(states - at);
    if (stopped.delete(at)) continue;
    const s = unpack(at);
    if (s.processes.every((node) => node === undefined)) quiet += 1;
    let bad: { violation: string; at: number } | undefined;
    const canChange = expand(s, (_, reached, error) => {
      transitions += 1;
      const to = settled(reached);
      const index = add(pack(to), at);
      if (index < 0 || bad !== undefined) return;
      const violation = error ?? subject.check(viewOf(to, 0));
      if (violation === undefined) return;
      if (!violation.startsWith("limit: ")) bad = { violation, at: index };
      else {
        limits[violation.slice(7)] = (limits[violation.slice(7)] ?? 0) + 1;
        stopped.add(index);
      }
    });
    if (bad !== undefined) return end(states - at, bad.violation, bad.at);
    if (canChange || s.t + 1 < world.times.length) continue;
    ends += 1;
    const violation = subject.checkEnd(viewOf(s, 0));
    if (violation !== undefined) return end(states - at, violation, at);
  }
  return end(0);
}

/** A text of at most 40 characters that identifies `text`. */
const digestOf = (text: string): string => (text.length < 40 ? text : createHash("sha1").update(text).digest("base64"));

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const to = new Int32Array(array.length * 2);
  to.set(array);
  return to;
}

function hash(key: ArrayLike<number>): number {
  let h = 0x9e3779b9;
  for (let index = 0; index < width; index += 1) {
    h = Math.imul(h ^ (key[index] as number), 0x85ebca6b);
    h ^= h >>> 13;
  }
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const clockText = (time: number): string => new Date(time).toISOString().slice(11, 16);
