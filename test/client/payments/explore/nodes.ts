import type { Subject, Turn } from "./model.ts";
import { digestOf, type Parts } from "./state-table.ts";

/** A process within a turn. The replies so far determine its next request. */
export interface Node {
  /** The number of the node; 0 until it is needed. */
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
  readonly callReply: string;
  /** The last reading of a clock, as JSON; empty if there is none. */
  readonly clockReply: string;
  /** The number of the last attempt that the turn has stored; undefined if there is none. */
  readonly attempt: number | undefined;
}

/** No exploration has as many different parts. */
const maxPartCount = 2 ** 26;

const maxGeneratorCount = 20_000;

type TurnGenerator = ReturnType<Subject["begin"]>;

export class Nodes {
  readonly #subject: Subject;
  readonly #parts: Parts;
  readonly #isExact: boolean;
  readonly #nodes: (Node | undefined)[] = [undefined];
  readonly #roots = new Map<string, Node>();
  readonly #nextNodes = new Map<number, Node>();
  readonly #firstEqualNodes = new Map<string, Node>();
  /** The generators that wait for the reply at a node. If there are too many, the first is dropped. */
  readonly #generators = new Map<Node, TurnGenerator>();

  constructor(subject: Subject, parts: Parts, isExact: boolean) {
    this.#subject = subject;
    this.#parts = parts;
    this.#isExact = isExact;
  }

  nodeOf(id: number): Node | undefined {
    return this.#nodes[id];
  }

  #makeNode(turn: Turn, parent: Node | undefined, reply: unknown, generator: TurnGenerator): Node {
    let request: unknown;
    let kind: Node["kind"] = "end";
    let error: string | undefined;
    try {
      const step = generator.next(reply);
      request = this.#parts.partOf(this.#parts.idOf(step.value));
      if (!step.done) kind = this.#subject.kindOf(step.value);
    } catch (cause) {
      error = this.#subject.violationOfError(turn, cause);
    }
    const hasActed = parent !== undefined && (parent.hasActed || parent.kind === "write" || parent.kind === "call");
    const callReply = parent?.kind === "call" ? JSON.stringify(reply) : (parent?.callReply ?? "");
    const clockReply =
      parent !== undefined && this.#subject.isTimeRequest(parent.request)
        ? JSON.stringify(reply)
        : (parent?.clockReply ?? "");
    // A clock is read between the write that stores an attempt and its call.
    const attempt =
      kind === "clock" && parent?.kind === "write" ? this.#subject.attemptOf(parent.request) : parent?.attempt;
    const node: Node = {
      id: 0,
      turn,
      parent,
      reply,
      request,
      kind,
      error,
      hasActed,
      callReply,
      clockReply,
      attempt,
    };
    if (kind !== "end") this.#keepGenerator(node, generator);
    return node;
  }

  idOf(node: Node): number {
    if (node.id === 0) node.id = this.#nodes.push(node) - 1;
    return node.id;
  }

  rootOf(turn: Turn): Node {
    const key = JSON.stringify(turn);
    const root = this.#roots.get(key) ?? this.#makeNode(turn, undefined, undefined, this.#subject.begin(turn));
    this.#roots.set(key, root);
    return root;
  }

  /** The node after a reply. A generator cannot be copied: if none is at `node`, a new generator receives the same replies again. */
  after(node: Node, reply: unknown): Node {
    const replyId = this.#parts.idOf(reply);
    const edge = this.idOf(node) * maxPartCount + replyId;
    const knownNode = this.#nextNodes.get(edge);
    if (knownNode !== undefined) return knownNode;
    const generator = this.#generators.get(node) ?? this.#replay(node);
    this.#generators.delete(node);
    const child = this.#makeNode(node.turn, node, reply, generator);
    const firstEqualNode =
      child.kind === "write" && !this.#isExact && this.#subject.isOwnWrite(child.request, child.turn)
        ? this.#firstEqualOf(child)
        : child;
    this.#nextNodes.set(edge, firstEqualNode);
    return firstEqualNode;
  }

  /**
   * Returns the first node that is equal to `node`, so that equal nodes are explored once. Equal nodes are at the same write of the same
   * turn, agree in `hasActed`, `attempt`, `callReply` and `clockReply`, and continue with the same requests: if the write fails, the next
   * request; if it succeeds, all requests up to the first that is not a write. Other data that was read is assumed to have no influence.
   */
  #firstEqualOf(node: Node): Node {
    const [successReply, failureReply] = this.#subject.writeReplies;
    const requests = [this.after(node, failureReply).request];
    let lastNode = node;
    while (lastNode.kind === "write") {
      lastNode = this.after(lastNode, successReply);
      requests.push(lastNode.request);
    }
    const { hasActed, attempt, callReply, clockReply, request } = node;
    const key = digestOf(
      JSON.stringify([this.#parts.idOf(node.turn), hasActed, attempt, callReply, clockReply, request, requests]),
    );
    const firstEqualNode = this.#firstEqualNodes.get(key) ?? node;
    this.#firstEqualNodes.set(key, firstEqualNode);
    return firstEqualNode;
  }

  #keepGenerator(node: Node, generator: TurnGenerator): void {
    this.#generators.set(node, generator);
    if (this.#generators.size <= maxGeneratorCount) return;
    for (const oldestNode of this.#generators.keys()) {
      this.#generators.delete(oldestNode);
      return;
    }
  }

  #replay(node: Node): TurnGenerator {
    const path: Node[] = [];
    for (let ancestor: Node | undefined = node; ancestor !== undefined; ancestor = ancestor.parent) path.push(ancestor);
    const generator = this.#subject.begin(node.turn);
    for (const { reply } of path.reverse()) generator.next(reply);
    return generator;
  }
}
