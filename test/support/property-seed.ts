/**
 * One seed for everything that the tests draw at random, so that a run fails for what was changed and not for what it
 * happened to draw. PROPERTY_SEED=random draws others; PROPERTY_SEED=<whole number> takes that one.
 */
import fc from "fast-check";

const chosen = process.env.PROPERTY_SEED ?? "20261121";
if (chosen !== "random" && !/^-?\d{1,10}$/.test(chosen)) {
  throw new Error(`PROPERTY_SEED is "${chosen}": give a whole number of at most ten digits, or random.`);
}

export const propertySeed = chosen === "random" ? Date.now() % 2 ** 31 : Number(chosen);

fc.configureGlobal({ seed: propertySeed });
