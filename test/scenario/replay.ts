/** Replays the story by the machine data of the contract: x-requires, x-effects, x-event and the lifecycles. */
import { predicates } from "./conditions.ts";
import type { Facts, OperationFacts } from "./facts.ts";
import { fieldOf, isSuccess, isUserKey, leavesOf, type Moment, momentsOf, objectsOf, valueAt } from "./story.ts";
import { type Entity, World } from "./world.ts";

export type Kind = "precondition" | "move" | "event";

export interface Replay {
  world: World;
  problems: { kind: Kind; text: string }[];
}

/**
 * Replays the story.
 *
 * @param until leaves out what happens after this time.
 */
export function replay(facts: Facts, until = "9999"): Replay {
  const run = new Run(facts);
  for (const moment of momentsOf(facts)) if (moment.at <= until) run.tell(moment);
  return run;
}

class Run implements Replay {
  readonly world: World;
  readonly problems: Replay["problems"] = [];
  readonly #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
    this.world = new World(facts.resources);
  }

  tell(moment: Moment): void {
    const { operation, webhook, happens, resource = "", id } = moment;
    if (happens !== undefined && id !== undefined) this.#happen(resource, id, happens);
    const called = this.#facts.operations[operation ?? ""];
    if (called !== undefined && isSuccess(moment)) {
      this.#require(moment, called);
      this.#change(moment, called);
      this.#lookUp(moment);
    }
    if (webhook !== undefined) this.#event(moment, webhook);
    this.#tellVerification(moment);
  }

  #report(kind: Kind, { label }: Moment, text: string | undefined): void {
    if (text !== undefined) this.problems.push({ kind, text: `${label}: ${text}` });
  }

  #happen(resource: string, id: string, happens: string): void {
    const happening = this.#facts.resources[resource]?.outside[happens];
    if (happening?.creates !== undefined) this.world.create(happening.creates, id, happening.to);
  }

  #require(moment: Moment, { requires }: OperationFacts): void {
    for (const { condition, of } of requires) {
      const predicate = predicates[condition];
      if (predicate === undefined) continue;
      const values = of.map((expression) => valueAt(moment, expression)).filter((value) => value != null);
      const failing = values.map(String).filter((value) => !predicate(this.world, value, moment));
      // With `any` one is enough, and none is too few; otherwise each one that is given must hold.
      const isFulfilled = this.#facts.conditions[condition]?.any
        ? failing.length < values.length
        : failing.length === 0;
      if (isFulfilled) continue;
      for (const value of failing.length === 0 ? ["nothing is given"] : failing) {
        this.#report("precondition", moment, `${condition} does not hold (${value})`);
      }
    }
  }

  #change(moment: Moment, { effects }: OperationFacts): void {
    for (const { kind, resource, id: expression, state, to, later } of effects) {
      const id = valueAt(moment, expression);
      if (typeof id !== "string") continue;
      if (later) {
        if (kind === "creates") this.world.expect(resource, id);
        continue;
      }
      if (kind === "creates") {
        const expiresAt = fieldOf(moment.received, "expiresAt") as string | undefined;
        this.world.create(resource, id, to, { owner: ownerOf(moment), expiresAt });
        continue;
      }
      const entity = this.world.find(resource, id);
      if (entity === undefined) this.#report("move", moment, `there is no ${resource} ${id} to be moved`);
      else this.#report("move", moment, this.world.move(entity, state, to));
    }
  }

  /** What a lookup shows of the states of resources. */
  #lookUp(moment: Moment): void {
    for (const [name, { id: idField, details }] of Object.entries(this.#facts.resources)) {
      if (!details.includes(moment.operation ?? "")) continue;
      for (const record of objectsOf(moment.received)) {
        const ids = [
          record[idField],
          record.id,
          ...(record === moment.received ? Object.values(moment.parameters) : []),
        ];
        const entity = ids.map((id) => this.world.find(name, id)).find((found) => found !== undefined);
        if (entity !== undefined) this.#show(moment, entity, record);
      }
    }
  }

  #event(moment: Moment, webhook: string): void {
    const event = this.#facts.webhooks[webhook]?.event;
    if (event === undefined) {
      this.#report("event", moment, `${webhook} has no x-event`);
      return;
    }
    const { resource, after } = event;
    const idField = this.#facts.resources[resource]?.id ?? "";
    const carried = Object.entries(event.body).find(([, field]) => field === idField)?.[0] ?? idField;
    const id = fieldOf(moment.received, carried);
    // Some bodies do not say which one is meant, as the one with the code for a payment.
    if (typeof id !== "string") return;
    const entity = this.world.find(resource, id) ?? this.#appear(resource, id);
    if (entity === undefined) {
      this.#report("event", moment, `tells of ${resource} ${id}, which nothing has created`);
      return;
    }
    this.#show(moment, entity, moment.received as Record<string, unknown>);
    const state = this.world.stateOf(resource, event.state);
    const values = [...(entity.states.get(state?.name ?? "") ?? [])];
    const isDue = values.some((value) => after.includes(value));
    const text = `is sent after ${after.join(", ")}, but ${resource} ${id} is ${values.join(" or ")}`;
    if (!isDue) this.#report("event", moment, text);
  }

  /** A resource that comes into being after an answer, or outside, and that only the event tells of. */
  #appear(resource: string, id: string): Entity | undefined {
    const outside = Object.values(this.#facts.resources[resource]?.outside ?? {});
    const happening = outside.find(({ creates }) => creates === resource);
    if (happening === undefined && !this.world.isExpected(resource, id)) return undefined;
    return this.world.create(resource, id, happening?.to);
  }

  /** Takes note of the states that a record shows. */
  #show(moment: Moment, entity: Entity, record: Record<string, unknown>): void {
    const mappings = Object.values(this.#facts.webhooks).flatMap(({ event }) =>
      event?.resource === entity.resource ? Object.entries(event.body) : [],
    );
    for (const { name } of this.#facts.resources[entity.resource]?.states ?? []) {
      const fields = [...mappings.filter(([, field]) => field === name).map(([field]) => field), name];
      const value = fields.map((field) => record[field]).find((found) => typeof found === "string");
      const state = this.world.stateOf(entity.resource, name);
      if (state !== undefined && typeof value === "string")
        this.#report("move", moment, this.world.tell(entity, state, value));
    }
  }

  /** A user is verified from the moment on at which it is told: no operation answers that it was successful. */
  #tellVerification({ received, parameters }: Moment): void {
    const user = fieldOf(received, "externalUserId") ?? parameters.externalUserId;
    const entity = this.world.find("user", user);
    if (entity !== undefined && fieldOf(received, "verificationStatus") === "VERIFIED") {
      this.world.move(entity, "verification", ["verified"]);
    }
  }
}

function ownerOf({ sent, parameters }: Moment): string | undefined {
  const given = [...leavesOf(sent), ...leavesOf(parameters)];
  return given.find(({ key, value }) => isUserKey(key) && typeof value === "string")?.value as string | undefined;
}
