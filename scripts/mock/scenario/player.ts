/** Plays the story in a session: each step at its time, and what happens by itself only where the story does not contradict it. */
import { fiatBalanceOf } from "../behaviours/balances.ts";
import { happenings } from "../behaviours/index.ts";
import { configuredNetworks } from "../behaviours/networks.ts";
import { MockFault } from "../kernel/fault.ts";
import type { Job } from "../kernel/jobs.ts";
import type { PlanOperation } from "../plan/plan.ts";
import type { Acted, Session } from "../tenants/session.ts";
import { acceptedCall, standInsOf } from "./calls.ts";
import { approveIban, bringAbout, createUncoveredTransfer, createWallet, isSo, showBalance } from "./outcomes.ts";
import { isStandIn, perform, rehearse, type Touched } from "./rehearsal.ts";
import type { Step, Story, Told } from "./story.ts";

export class Player {
  readonly #session: Session;
  readonly #story: Story;
  readonly #operations: ReadonlyMap<string, PlanOperation>;
  /** What would happen by itself, in the order of its time. */
  #waiting: Job[] = [];
  #index = 0;

  constructor(session: Session, story: Story) {
    this.#session = session;
    this.#story = story;
    const { operations } = session.world.plan;
    this.#operations = new Map(operations.map((operation) => [operation.operationId, operation]));
  }

  /** Before the first step: the balance of the partner, which exists from the start. */
  begin(at: number): void {
    const shown = this.#story.balances(null);
    const open = () => fiatBalanceOf(this.#world, null);
    this.#do(at, open, ({ id }) => new Map(shown.id === undefined ? [] : [[id, shown.id]]));
    this.#at(at, () => showBalance(this.#world, null, shown));
  }

  /**
   * Plays a step.
   *
   * @param isCalled whether its operation is called.
   * @returns what the mock answers to it; undefined when it is not called, or the step is another one.
   */
  play(step: Step, index: number, isCalled: boolean): Acted | undefined {
    const at = Date.parse(step.at);
    this.#index = index;
    this.#runUntil(at);
    this.#session.clock.freeze(at);
    // What is told holds before it is read.
    for (const told of this.#story.told.filter((candidate) => candidate.index === index)) this.#tell(told, at);
    const acted = isCalled ? this.#call(step, at) : undefined;
    if (step.happens !== undefined) this.#happen(step, at);
    if (step.webhook === "card3dsCode") this.#send(step, at);
    this.#collectJobs();
    return acted;
  }

  /** After the last step: what is still to come happens by itself. */
  end(): void {
    for (const { name, due, about } of this.#waiting) this.#world.jobs.add(name, due, about);
    this.#waiting = [];
  }

  get #world() {
    return this.#session.world;
  }

  #at<T>(time: number, work: () => T): T {
    return this.#world.at(time, work);
  }

  /** Does something at a time, with the identifiers that the story shows. */
  #do<T>(at: number, work: () => T, more: (result: T) => ReadonlyMap<string, string> = () => new Map()): T {
    return perform(
      this.#world,
      () => this.#at(at, work),
      (result, touched) => new Map([...this.#shownOf(touched), ...more(result)]),
    );
  }

  #call(step: Step, at: number): Acted | undefined {
    const operation = this.#operations.get(step.operation ?? "");
    if (operation === undefined) return undefined;
    const call = acceptedCall(operation, step, this.#story.completed(step));
    const answer = step.answer as { errorCode?: string; transferId?: string } | undefined;
    const externalUserId = step.body?.externalUserId;
    if (answer?.errorCode === "P213") {
      this.#do(at, () => happenings["riskVerification.riskIsChecked"]?.(this.#world, { externalUserId }));
    }
    const acted = this.#do(
      at,
      () => this.#session.act(call),
      ({ body }) => standInsOf(body, answer),
    );
    if (acted.code === "P433" && answer?.transferId !== undefined) {
      const { transferId } = answer;
      this.#do(at, () => createUncoveredTransfer(this.#world, step.body ?? {}, transferId));
      return { ...acted, status: step.status ?? 0, body: answer };
    }
    return this.#withShownCard(acted, answer);
  }

  /** The number of a card is random, but that of the story is known. */
  #withShownCard(acted: Acted, answer: unknown): Acted {
    const { cardId, ...shown } = (answer ?? {}) as { cardId?: string; cardNumber: string; cvv: string; exp: string };
    const card = cardId === undefined ? undefined : this.#world.records.find("card", cardId);
    if (card === undefined) return acted;
    this.#world.records.change(card, shown);
    return { ...acted, body: answer };
  }

  #happen(step: Step, at: number): void {
    const { happens = "", resource = "", id = "" } = step;
    const happening = this.#world.plan.resources[resource]?.outside[happens];
    const { status, ...about } = this.#story.arrival(step);
    const isInitial = (happening?.to.length ?? 0) > 1 && happening?.to.includes(String(status));
    const run = () =>
      happenings[`${resource}.${happens}`]?.(this.#world, { ...about, ...(isInitial ? { status } : {}) });
    this.#do(at, run, (entity) => new Map(entity === undefined ? [] : [[entity.id, id]]));
  }

  #send({ body }: Step, at: number): void {
    this.#do(at, () => happenings["card.codeIsRequired"]?.(this.#world, body ?? {}));
  }

  #tell(told: Told, at: number): void {
    if (isSo(this.#world, told)) return;
    this.#collectJobs();
    const late = this.#waiting.filter(
      (job) => job.due <= at && this.#touches(job, at).some((touched) => isOf(touched, told)),
    );
    this.#waiting = this.#waiting.filter((job) => !late.includes(job));
    // Something from outside comes first: the story shows more of it than a job knows.
    if (this.#do(at, () => bringAbout(this.#world, told))) return;
    const job = late.find((candidate) =>
      this.#touches(candidate, at).some((touched) => isOf(touched, told) && touched.states[told.state] === told.value),
    );
    if (job === undefined) throw new MockFault(`Nothing makes ${told.resource} ${told.id} ${told.value}.`);
    this.#run(job, at);
  }

  #runUntil(until: number): void {
    for (;;) {
      this.#collectJobs();
      const job = this.#waiting.find((waiting) => waiting.due <= until && !this.#isHeldBack(waiting));
      if (job === undefined) return;
      this.#waiting = this.#waiting.filter((other) => other !== job);
      this.#run(job, job.due);
    }
  }

  /** A job waits for the moment at which the story tells of what it does, or of something else. */
  #isHeldBack(job: Job): boolean {
    const touched = this.#touches(job, job.due);
    return touched.some((found, position) => {
      if (touched.slice(position + 1).some((later) => later.resource === found.resource && later.id === found.id))
        return false;
      const next = this.#story.told.find((told) => {
        return isOf(found, told) && told.index >= this.#index && !isSo(this.#world, told);
      });
      return next !== undefined && !this.#isOnTheWay(found, next);
    });
  }

  /** Whether a value leads to the one that is told next, and is needed for it. */
  #isOnTheWay({ states }: Touched, { resource, id, state, value }: Told): boolean {
    const { transitions = {} } = this.#world.plan.resources[resource]?.states[state] ?? {};
    const present = this.#world.records.find(resource as "user", id)?.states[state] ?? "";
    const leadsTo = (from: string) => transitions[from]?.includes(value) ?? false;
    return leadsTo(states[state] ?? "") && !leadsTo(present);
  }

  #run({ name, about }: Job, at: number): void {
    this.#createShownWallets(at, name, about.owner ?? null, about.currency);
    this.#do(at, () => this.#runNow(name, about, at));
    if (name === "generateBalances") {
      const owner = about.externalUserId ?? "";
      this.#at(at, () => showBalance(this.#world, owner, this.#story.balances(owner)));
    }
  }

  #runNow(name: string, about: Job["about"], at: number): void {
    const { iban } = name === "approveIban" ? this.#story.balances(about.owner ?? "") : {};
    if (iban === undefined) {
      this.#world.jobs.add(name, at, about);
      this.#world.runJobs(at);
    } else approveIban(this.#world, about.owner ?? "", iban);
  }

  /** Wallets of the story, instead of those that a job would make. */
  #createShownWallets(at: number, job: string, owner: string | null, only: string | undefined): void {
    if (job !== "createUserWallets" && job !== "createPartnerWallet") return;
    const { wallets } = this.#story.balances(owner);
    const missing = Object.entries(wallets).filter(([currency, address]) => {
      return (only ?? currency) === currency && this.#world.records.find("wallet", address) === undefined;
    });
    for (const [currency, address] of missing) {
      const [network = ""] = Object.keys(configuredNetworks(this.#world, currency));
      this.#at(at, () => createWallet(this.#world, { owner, address, currency, network }));
    }
  }

  /** What a job would touch at a time; nothing when it can no longer run. */
  #touches({ name, about }: Job, at: number): readonly Touched[] {
    try {
      return rehearse(
        this.#world,
        () => this.#runNow(name, about, at),
        (_, touched) => [...touched],
      );
    } catch (error) {
      if (error instanceof MockFault) return [];
      throw error;
    }
  }

  #collectJobs(): void {
    const { jobs } = this.#world;
    for (let job = jobs.take(Number.POSITIVE_INFINITY); job !== undefined; job = jobs.take(Number.POSITIVE_INFINITY)) {
      this.#waiting.push(job);
    }
    this.#waiting.sort((a, b) => a.due - b.due || a.number - b.number);
  }

  /** The identifiers that the story shows, by their stand-ins. */
  #shownOf(touched: readonly Touched[]): Map<string, string> {
    const shown = new Map<string, string>();
    const note = (standIn: string | undefined, id: string | undefined) => {
      if (isStandIn(standIn) && id !== undefined) shown.set(standIn, id);
    };
    for (const { resource, id, state } of touched) {
      if (resource === "fiatBalance" && state === undefined) {
        note(id, this.#story.balances(this.#world.records.get("fiatBalance", id).owner).id);
      }
      if (resource !== "transaction") continue;
      const { owner, createdAt, data } = this.#world.records.get("transaction", id);
      const record = this.#story.recordOf(owner, new Date(createdAt).toISOString(), data.type);
      note(id, record?.id);
      note(data.fields.btId, record?.btId);
    }
    return shown;
  }
}

function isOf({ resource, id, state }: Touched, told: Told): boolean {
  return resource === told.resource && id === told.id && (state ?? told.state) === told.state;
}
