// MOUNTED has the base paths of webhook receivers, separated by spaces.
import assert from "node:assert/strict";
import { deliverTo } from "./deliveries.mjs";

const { ORIGIN: origin, MOUNTED: mounted = "" } = process.env;

const cards = await fetch(`${origin}/users/user-1042/cards`);
assert.equal(cards.status, 200);
assert.ok((await cards.json()).cards > 0);

const refused = await fetch(`${origin}/users/user-1042/cards/refused`);
assert.equal(refused.status, 422);
assert.equal((await refused.json()).message, "P461");

for (const path of mounted.split(" ")) await deliverTo(`${origin}${path}`);
console.log("Everything worked.");
