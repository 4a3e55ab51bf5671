/**
 * The seed of fast-check, unless a test sets its own. It is fixed, so that a run does not fail by chance. The variable PROPERTY_SEED sets
 * another seed: a whole number, or `random`.
 */
import fc from "fast-check";

const chosenSeed = process.env.PROPERTY_SEED ?? "20261121";
if (chosenSeed !== "random" && !/^-?\d{1,10}$/.test(chosenSeed)) {
  throw new Error(`PROPERTY_SEED is "${chosenSeed}": give a whole number of at most ten digits, or random.`);
}

export const propertySeed = chosenSeed === "random" ? Date.now() % 2 ** 31 : Number(chosenSeed);

fc.configureGlobal({ seed: propertySeed });
