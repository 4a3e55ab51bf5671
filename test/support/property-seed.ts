/**
 * The seed of all random tests. It is fixed, so that a run does not fail by chance. The variable PROPERTY_SEED sets another seed: a whole
 * number, or `random`.
 */
import fc from "fast-check";

const chosen = process.env.PROPERTY_SEED ?? "20261121";
if (chosen !== "random" && !/^-?\d{1,10}$/.test(chosen)) {
  throw new Error(`PROPERTY_SEED is "${chosen}": give a whole number of at most ten digits, or random.`);
}

export const propertySeed = chosen === "random" ? Date.now() % 2 ** 31 : Number(chosen);

fc.configureGlobal({ seed: propertySeed });
