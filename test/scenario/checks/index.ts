/** Every check of the scenario. Each returns what is wrong; nothing when the story holds. */
import type { Facts } from "../facts.ts";
import { coverage } from "./coverage.ts";
import { errors } from "./errors.ts";
import { ids } from "./ids.ts";
import { dedupeKeys, events, moves, preconditions } from "./machine.ts";
import { balances, bookedExchanges, exchanges } from "./sums.ts";
import { time } from "./time.ts";

export const checks: Record<string, (facts: Facts) => string[]> = {
  "every example is told, or is an aside with a reason": coverage,
  "time runs forward, and timestamps agree with the steps": time,
  "identifiers were answered, or came into being, before": ids,
  "what an operation requires holds": preconditions,
  "states change as their lifecycles say": moves,
  "events follow the states that they tell of": events,
  "dedupe keys tell events apart": dedupeKeys,
  "balances are the sums of the history": balances,
  "what is exchanged is the amount times the rate": exchanges,
  "exchanges are booked as they were carried out": bookedExchanges,
  "examples of errors fit into the story": errors,
};
