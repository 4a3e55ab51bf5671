import type { Change, Language } from "../support.ts";

export interface Mistake {
  readonly program: "payouts" | "treasury" | "onboarding" | "receiver";
  readonly language: Language;
  readonly name: string;
  /** A value of `--only` with which `prove` finds the mistake. */
  readonly by: string;
  readonly changes: readonly Change[];
}

export type PlantedMistake = readonly [name: string, by: string, ...changes: Change[]];

export function mistakesOf(
  program: Mistake["program"],
  language: Language,
  planted: readonly PlantedMistake[],
): readonly Mistake[] {
  return planted.map(([name, by, ...changes]) => ({ program, language, name, by, changes }));
}
