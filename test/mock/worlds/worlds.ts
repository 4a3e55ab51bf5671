/** The worlds to test: one for each answer that the mock can run, and sets of several answers for pairwise testing. */
import { type Answers, changesOfAnswers, checkAnswers, defaultAnswer } from "../../../scripts/mock/answers/choice.ts";
import { plan } from "../../support/plan.ts";
import { randomFrom } from "../../support/random.ts";

export const worlds: readonly Answers[] = Object.entries(plan.questions).flatMap(([id, { answers }]) =>
  Object.keys(answers).flatMap((answer) =>
    changesOfAnswers(plan, { [id]: answer }).length === 0 ? [] : [{ [id]: answer }],
  ),
);

export function nameOf(answers: Answers): string {
  return Object.entries(answers)
    .map(([id, answer]) => `${id}=${answer}`)
    .join(", ");
}

export function areCompatible(answers: Answers): boolean {
  try {
    checkAnswers(plan, answers);
    return true;
  } catch {
    return false;
  }
}

type Level = readonly [id: string, answer: string];

/**
 * Sets of answers for pairwise testing (greedy, seeded): any two compatible answers to different questions of the rank, also default
 * ones, are together in a set.
 */
export function coveringWorlds(rank: string, seed: number): { sets: Answers[]; pairCount: number } {
  const random = randomFrom(seed);
  const factors = Object.entries(plan.questions).flatMap(([id, question]): Level[][] => {
    const otherAnswers = worlds.flatMap((world) => world[id] ?? []);
    const levels = [defaultAnswer(question), ...otherAnswers].map((answer): Level => [id, answer]);
    return question.rank === rank && otherAnswers.length > 0 ? [levels] : [];
  });
  const remainingPairs = new Map<string, readonly [Level, Level]>();
  for (const [index, levels] of factors.entries()) {
    for (const otherLevel of factors.slice(index + 1).flat()) {
      for (const level of levels) {
        if (areCompatible(Object.fromEntries([level, otherLevel])))
          remainingPairs.set(keyOf(level, otherLevel), [level, otherLevel]);
      }
    }
  }
  const pairCount = remainingPairs.size;
  const sets: Answers[] = [];
  while (remainingPairs.size > 0) {
    const [first] = remainingPairs.values();
    const chosenAnswers = new Map<string, string>(first);
    const gainOf = ([id, answer]: Level) =>
      [...chosenAnswers].filter(
        (level) => remainingPairs.has(keyOf(level, [id, answer])) || remainingPairs.has(keyOf([id, answer], level)),
      ).length;
    const openFactors = factors
      .filter(([level]) => !chosenAnswers.has(level?.[0] ?? ""))
      .map((levels) => ({ levels, sortKey: random() }));
    for (const { levels } of openFactors.sort((a, b) => a.sortKey - b.sortKey)) {
      const possibleLevels = levels.filter((level) => areCompatible(Object.fromEntries([...chosenAnswers, level])));
      const [bestLevel] = possibleLevels.sort((a, b) => gainOf(b) - gainOf(a));
      if (bestLevel !== undefined) chosenAnswers.set(...bestLevel);
    }
    const levels = [...chosenAnswers];
    for (const level of levels) for (const otherLevel of levels) remainingPairs.delete(keyOf(level, otherLevel));
    sets.push(Object.fromEntries(levels));
  }
  return { sets, pairCount };
}

function keyOf(level: Level, otherLevel: Level): string {
  return `${level.join("=")} ${otherLevel.join("=")}`;
}
