import type { Change, Language } from "../support.ts";

export interface Mistake {
  readonly program: "payouts" | "treasury" | "onboarding" | "receiver";
  readonly language: Language;
  readonly name: string;
  /** A value of `--only` with which `prove` finds the mistake. */
  readonly only: string;
  readonly changes: readonly Change[];
}

export type PlantedMistake = readonly [name: string, only: string, ...changes: Change[]];

export function mistakesOf(
  program: Mistake["program"],
  language: Language,
  plantedMistakes: readonly PlantedMistake[],
): readonly Mistake[] {
  return plantedMistakes.map(([name, only, ...changes]) => ({ program, language, name, only, changes }));
}
