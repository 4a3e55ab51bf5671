import type { Bounds, HiddenState, Result, Subject, View } from "./model.ts";
import { type Node, Nodes } from "./nodes.ts";
import { type Effect, effectOfOther, effectsBefore, movesOf, timeAt, type World } from "./service.ts";
import { Parts, StateTable } from "./state-table.ts";

/** What a process reaches by reads alone: a request other than a `read`, the end of the turn, or an interrupted read. */
interface Reading {
  readonly node: Node;
  readonly descriptions: readonly string[];
  readonly faults: number;
  readonly isInterrupted: boolean;
}

interface State {
  readonly timeIndex: number;
  readonly hiddenState: HiddenState;
  readonly effects: readonly Effect[];
  readonly rows: readonly unknown[];
  readonly processes: readonly [Node | undefined, Node | undefined];
}

const minuteLongAgo = -1_000_000;

/**
 * Explores every order of the steps of two processes and of the service, within the bounds. The search is breadth-first, so the first
 * violation that it finds has the fewest steps. Equal states are explored once.
 */
export function explore(subject: Subject, world: World, bounds: Bounds): Result {
  const startUsage = process.cpuUsage();
  const parts = new Parts();
  const nodes = new Nodes(subject, parts, bounds.isExact === true);
  const table = new StateTable();
  const startNodes = new Map<string, readonly Node[]>();
  const readings = new Map<string, Reading[]>();
  const limits: Record<string, number> = {};

  function startNodesOf(state: State): readonly Node[] {
    const key = `${state.timeIndex} ${parts.idOf(state.effects)} ${parts.idOf(state.rows)}`;
    const startNodesOfState =
      startNodes.get(key) ?? subject.turnsOf(viewOf(state, 0)).map((turn) => nodes.rootOf(turn));
    if (startNodes.size > 50_000) startNodes.clear();
    startNodes.set(key, startNodesOfState);
    return startNodesOfState;
  }

  const minuteOf = (timeIndex: number) => world.times[timeIndex] as number;
  const viewOf = (state: State, process: number): View => ({
    now: minuteOf(state.timeIndex),
    process,
    rows: state.rows,
    effects: state.effects,
    hiddenState: state.hiddenState,
    isIdle: state.processes.every((node) => node === undefined),
  });

  function readFrom(state: State, process: number, node: Node): Reading[] {
    const key = `${nodes.idOf(node)} ${state.timeIndex} ${state.hiddenState.clockLeadMinutes[process]} ${parts.idOf(state.effects)} ${parts.idOf(state.rows)}`;
    let foundReadings = readings.get(key);
    if (foundReadings !== undefined) return foundReadings;
    foundReadings = [];
    const view = viewOf(state, process);
    const walk = (node: Node, descriptions: readonly string[], faults: number, isFirst: boolean) => {
      if (node.kind !== "read") return foundReadings?.push({ node, descriptions, faults, isInterrupted: false });
      if (!isFirst && bounds.interruptions > 0)
        foundReadings?.push({ node, descriptions, faults, isInterrupted: true });
      for (const reply of subject.repliesTo(node.request, view, node.turn)) {
        walk(
          nodes.after(node, reply.value),
          reply.description === "" ? descriptions : [...descriptions, reply.description],
          faults + (reply.isFault ? 1 : 0),
          false,
        );
      }
    };
    walk(node, [], 0, true);
    if (readings.size > 100_000) readings.clear();
    readings.set(key, foundReadings);
    return foundReadings;
  }

  type Visit = (describe: () => string, nextState: State, error?: string) => void;

  /** @returns whether a process can change anything without a fault. */
  function expand(state: State, visit: Visit): boolean {
    let canChange = false;
    for (const processIndex of [0, 1] as const) canChange = expandProcess(state, processIndex, visit) || canChange;
    const { hiddenState, effects } = state;
    const setEffect = (effectIndex: number, newEffect: Effect) =>
      effects.map((item, index) => (index === effectIndex ? newEffect : item));
    effects.forEach((effect, index) => {
      for (const { description, changedEffect } of movesOf(world, effect, minuteOf(state.timeIndex))) {
        visit(() => `transfer ${index + 1} ${description}`, { ...state, effects: setEffect(index, changedEffect) });
      }
    });
    const nextOtherPayment = world.otherPayments.filter(({ paidAt }) => paidAt === "meanwhile")[
      hiddenState.otherPaymentCount
    ];
    if (nextOtherPayment !== undefined) {
      const withOtherPayment = {
        ...state,
        effects: [...effects, effectOfOther(minuteOf(state.timeIndex), nextOtherPayment, world)],
        hiddenState: { ...hiddenState, otherPaymentCount: hiddenState.otherPaymentCount + 1 },
      };
      visit(
        () =>
          `another program pays${nextOtherPayment.differingMember === undefined ? " the same" : `, with another ${nextOtherPayment.differingMember}`}`,
        withOtherPayment,
      );
    }
    // Time does not advance before the first payment is stored.
    if (state.timeIndex + 1 < world.times.length && state.rows.length > 0)
      visit(() => `it is ${minuteOf(state.timeIndex + 1)} minutes after the start`, {
        ...state,
        timeIndex: state.timeIndex + 1,
        effects: withoutAppearanceTimes(effects, state.timeIndex + 1),
      });
    return canChange;
  }

  function expandProcess(state: State, processIndex: 0 | 1, visit: Visit): boolean {
    const { hiddenState, rows, effects } = state;
    const { remaining } = hiddenState;
    const node = state.processes[processIndex];
    const processName = () =>
      `process ${"AB"[processIndex]} (${clockText(timeAt(world, minuteOf(state.timeIndex), hiddenState.clockLeadMinutes[processIndex]))})`;
    const withNode = (state: State, nextNode: Node | undefined): State => ({
      ...state,
      processes: processIndex === 0 ? [nextNode, state.processes[1]] : [state.processes[0], nextNode],
    });
    let canChange = false;

    /** `actedState` is the state before the reads from `startNode`. */
    const readOn = (actedState: State, startNode: Node, describeEarlier: () => string, isTurnStart: boolean) => {
      for (const { node: lastNode, descriptions, faults, isInterrupted } of readFrom(
        actedState,
        processIndex,
        startNode,
      )) {
        const { remaining } = actedState.hiddenState;
        if (faults > remaining.fault || (isInterrupted && remaining.interruption === 0)) continue;
        const isEnd = lastNode.kind === "end";
        const change = isEnd
          ? subject.changeAtEnd(lastNode.turn, lastNode.request, viewOf(actedState, processIndex))
          : undefined;
        if (isEnd && isTurnStart && change === undefined && lastNode.error === undefined) continue;
        if (faults === 0 && !isInterrupted) canChange = true;
        const endState = change === undefined ? actedState : { ...actedState, ...change };
        const spentBounds = {
          ...endState.hiddenState.remaining,
          fault: remaining.fault - faults,
          interruption: remaining.interruption - (isInterrupted ? 1 : 0),
        };
        visit(
          () =>
            `${[describeEarlier(), ...descriptions].filter(Boolean).join("; ")}${isInterrupted ? "; is interrupted" : ""}`,
          withNode(
            faults === 0 && !isInterrupted
              ? endState
              : { ...endState, hiddenState: { ...endState.hiddenState, remaining: spentBounds } },
            isEnd ? undefined : lastNode,
          ),
          lastNode.error,
        );
      }
    };

    if (node === undefined) {
      for (const root of startNodesOf(state)) {
        const { isDecision = false, description } = root.turn;
        const isRepetition =
          processIndex === 1 &&
          state.processes[0] === undefined &&
          hiddenState.clockLeadMinutes[0] === hiddenState.clockLeadMinutes[1];
        if (isDecision && (remaining.decision === 0 || isRepetition)) continue;
        const startState = isDecision
          ? { ...state, hiddenState: { ...hiddenState, remaining: { ...remaining, decision: remaining.decision - 1 } } }
          : state;
        readOn(startState, root, () => `${isDecision ? "a person" : processName()} ${description}`, true);
      }
      return canChange;
    }
    if (node.kind === "read") readOn(state, node, () => `${processName()} goes on`, false);
    else if (typeof node.kind === "object") {
      if (timeAt(world, minuteOf(state.timeIndex), 0) >= node.kind.wait)
        readOn(state, nodes.after(node, null), () => `${processName()} has waited`, false);
    } else act(state, node, []);

    /** A call right after the reading of a clock belongs to the same step. */
    function act(startState: State, currentNode: Node, earlierDescriptions: readonly string[]): void {
      for (const reply of subject.repliesTo(currentNode.request, viewOf(startState, processIndex), currentNode.turn)) {
        if (reply.isFault && remaining.fault === 0) continue;
        const newHidden = reply.hiddenState ?? hiddenState;
        const actedState: State = {
          ...startState,
          rows: reply.rows ?? rows,
          effects: reply.effects === undefined ? effects : withoutAppearanceTimes(reply.effects, state.timeIndex),
          hiddenState: reply.isFault
            ? { ...newHidden, remaining: { ...newHidden.remaining, fault: newHidden.remaining.fault - 1 } }
            : newHidden,
        };
        const nextNode = nodes.after(currentNode, reply.value);
        if (currentNode.kind === "clock" && nextNode.kind === "call")
          act(actedState, nextNode, [...earlierDescriptions, reply.description]);
        else
          readOn(
            actedState,
            nextNode,
            () => `${processName()} ${[...earlierDescriptions, reply.description].filter(Boolean).join("; ")}`,
            false,
          );
      }
      canChange = true;
    }
    // Before its first write or call, a process has changed nothing, so killing it makes no new state.
    if (remaining.kill > 0 && node.hasActed) {
      visit(
        () => `${processName()} is killed`,
        withNode(
          { ...state, hiddenState: { ...hiddenState, remaining: { ...remaining, kill: remaining.kill - 1 } } },
          undefined,
        ),
      );
    }
    if (remaining.jump > 0) {
      for (const minutes of world.jumps) {
        const newLeads = hiddenState.clockLeadMinutes.map((item, index) =>
          index === processIndex ? item + minutes : item,
        ) as [number, number];
        visit(() => `the clock of ${processName()} jumps by ${minutes} minutes`, {
          ...state,
          hiddenState: {
            ...hiddenState,
            clockLeadMinutes: newLeads,
            remaining: { ...remaining, jump: remaining.jump - 1 },
          },
        });
      }
    }
    return canChange;
  }

  /** Replaces the time at which a visible record appeared, so that states that differ only in this time are equal. */
  function withoutAppearanceTimes(effects: readonly Effect[], timeIndex: number): readonly Effect[] {
    const isNew = ({ recordAppearsAt }: Effect) =>
      recordAppearsAt !== null && recordAppearsAt <= minuteOf(timeIndex) && recordAppearsAt !== minuteLongAgo;
    return effects.some(isNew)
      ? effects.map((item) => (isNew(item) ? { ...item, recordAppearsAt: minuteLongAgo } : item))
      : effects;
  }

  /**
   * Executes at once each write that is bound to fail, if the reads after it have only one possible result. This saves states, because a
   * failed write changes nothing. If no process is within a turn, the rows get equal versions.
   */
  function afterCertainFailures(state: State): State {
    let settledState = state;
    for (const processIndex of [0, 1] as const) {
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const node = settledState.processes[processIndex];
        if (node?.kind !== "write") break;
        const reply = subject.certainFailure(node.request, viewOf(settledState, processIndex));
        if (reply === undefined) break;
        const [onlyReading, ...otherReadings] = readFrom(settledState, processIndex, nodes.after(node, reply)).filter(
          ({ isInterrupted }) => !isInterrupted,
        );
        if (onlyReading === undefined || otherReadings.length > 0 || onlyReading.node.error !== undefined) break;
        const isEnd = onlyReading.node.kind === "end";
        const change = isEnd
          ? subject.changeAtEnd(onlyReading.node.turn, onlyReading.node.request, viewOf(settledState, processIndex))
          : undefined;
        const processes = settledState.processes.map((item, index) =>
          index === processIndex ? (isEnd ? undefined : onlyReading.node) : item,
        );
        settledState = { ...settledState, ...change, processes: processes as [Node | undefined, Node | undefined] };
      }
    }
    return settledState.processes.some((node) => node !== undefined)
      ? settledState
      : { ...settledState, rows: subject.withEqualVersions(settledState.rows) };
  }

  /**
   * Encodes a state. The processes are sorted by their clocks and then by their nodes, so that exchanging them gives an equal state. If
   * the store has a clock, the clocks of the processes are not compared.
   */
  function pack(state: State): number[] {
    const [nodeIdOfA = 0, nodeIdOfB = 0] = state.processes.map((node) => (node === undefined ? 0 : nodes.idOf(node)));
    const [leadOfA, leadOfB] = state.hiddenState.clockLeadMinutes;
    const leadDifference = world.clocks.ofStore === undefined ? leadOfA - leadOfB : 0;
    const isSwapped = leadDifference > 0 || (leadDifference === 0 && nodeIdOfA > nodeIdOfB);
    const hiddenState: HiddenState =
      leadDifference > 0 ? { ...state.hiddenState, clockLeadMinutes: [leadOfB, leadOfA] } : state.hiddenState;
    return [
      state.timeIndex,
      parts.idOf(hiddenState),
      parts.idOf(state.effects),
      parts.idOf(state.rows),
      isSwapped ? nodeIdOfB : nodeIdOfA,
      isSwapped ? nodeIdOfA : nodeIdOfB,
    ];
  }

  const unpack = (stateNumber: number): State => {
    const [timeIndex = 0, hiddenStateId = 0, effectsId = 0, rowsId = 0, nodeIdOfA = 0, nodeIdOfB = 0] =
      table.keyOf(stateNumber);
    return {
      timeIndex,
      hiddenState: parts.partOf(hiddenStateId) as HiddenState,
      effects: parts.partOf(effectsId) as Effect[],
      rows: parts.partOf(rowsId) as unknown[],
      processes: [nodes.nodeOf(nodeIdOfA), nodes.nodeOf(nodeIdOfB)],
    };
  };

  const firstState: State = {
    timeIndex: 0,
    hiddenState: {
      clockLeadMinutes: world.clocks.processes,
      remaining: {
        fault: bounds.faults,
        kill: bounds.kills,
        decision: bounds.decisions,
        jump: bounds.jumps,
        interruption: bounds.interruptions,
      },
      otherPaymentCount: 0,
      repeats: Array(bounds.payments).fill(0),
      decisions: Array(bounds.payments).fill(null),
      refusals: Array(bounds.payments).fill(false),
      unattributedEventCount: 0,
    },
    effects: withoutAppearanceTimes(effectsBefore(world), 0),
    rows: subject.initialRows,
    processes: [undefined, undefined],
  };

  /** The steps that lead to a state. They are expanded again, because an encoded state does not tell process A from process B. */
  function storyOf(lastState: number): string[] {
    const path: number[] = [];
    for (let stateNumber = lastState; stateNumber >= 0; stateNumber = table.parentOf(stateNumber))
      path.unshift(stateNumber);
    const story: string[] = [];
    let state = firstState;
    for (const stateNumber of path.slice(1)) {
      const encodedState = table.keyOf(stateNumber).join();
      let foundStep: { description: string; reachedState: State } | undefined;
      expand(state, (describe, nextState) => {
        const reachedState = afterCertainFailures(nextState);
        if (foundStep === undefined && pack(reachedState).join() === encodedState)
          foundStep = { description: describe(), reachedState };
      });
      if (foundStep === undefined) throw new Error("A step of the story cannot be found again.");
      story.push(foundStep.description);
      state = foundStep.reachedState;
    }
    return story;
  }

  let transitionCount = 0;
  let depth = 0;
  let finalStateCount = 0;
  let idleStateCount = 0;
  const resultOf = (unexpandedCount: number, violation?: string, violatingState = 0): Result => ({
    stateCount: table.size,
    transitionCount,
    unexpandedCount,
    depth,
    finalStateCount,
    idleStateCount,
    limits,
    seconds: Math.round(process.cpuUsage(startUsage).user / 10_000) / 100,
    megabytes: Math.round(process.memoryUsage().rss / 1e6),
    ...(violation === undefined ? {} : { violation, story: storyOf(violatingState) }),
  });

  const statesBeyondLimit = new Set<number>();
  table.add(pack(firstState), -1);
  for (let stateNumber = 0, layer = 1; stateNumber < table.size; stateNumber += 1) {
    if (stateNumber === layer) [depth, layer] = [depth + 1, table.size];
    if (table.size >= bounds.states) return resultOf(table.size - stateNumber);
    if (statesBeyondLimit.delete(stateNumber)) continue;
    const state = unpack(stateNumber);
    if (state.processes.every((node) => node === undefined)) idleStateCount += 1;
    let firstViolation: { violation: string; stateNumber: number } | undefined;
    const canChange = expand(state, (_, nextState, error) => {
      transitionCount += 1;
      const reachedState = afterCertainFailures(nextState);
      const index = table.add(pack(reachedState), stateNumber);
      if (index < 0 || firstViolation !== undefined) return;
      const violation = error ?? subject.check(viewOf(reachedState, 0));
      if (violation === undefined) return;
      if (!violation.startsWith("limit: ")) firstViolation = { violation, stateNumber: index };
      else {
        limits[violation.slice(7)] = (limits[violation.slice(7)] ?? 0) + 1;
        statesBeyondLimit.add(index);
      }
    });
    if (firstViolation !== undefined)
      return resultOf(table.size - stateNumber, firstViolation.violation, firstViolation.stateNumber);
    if (canChange || state.timeIndex + 1 < world.times.length) continue;
    finalStateCount += 1;
    const violation = subject.checkEnd(viewOf(state, 0));
    if (violation !== undefined) return resultOf(table.size - stateNumber, violation, stateNumber);
  }
  return resultOf(0);
}

const clockText = (time: number): string => new Date(time).toISOString().slice(11, 16);
